-- A closed school: how long its data stays, and what has become of its files.
create table school_closing (
  school_id integer not null,
  closed_at timestamptz not null,
  keep_until timestamptz not null,
  files_total integer not null check (files_total >= 0),
  files_removed integer not null default 0 check (files_removed >= 0),
  finished_at timestamptz,
  primary key (school_id)
);
comment on table school_closing is 'the retention clock of a closed school; after keep_until its files are removed, finished_at says that none is left';

-- What the suspension or the end of a school has done, one line an effect.
create table school_receipt (
  school_id integer not null,
  effect varchar(12) not null check (effect in ('sessions', 'jobs', 'retention', 'files')),
  target varchar(120) not null,
  state varchar(8) not null check (state in ('planned', 'running', 'done', 'failed')),
  at timestamptz not null,
  primary key (school_id, effect)
);
comment on table school_receipt is 'gone when the school goes on';

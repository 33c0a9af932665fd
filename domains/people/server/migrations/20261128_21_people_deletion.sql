-- Deleting people for good (chapter 20 §1.4): what the school wants, batches, their people, a proof for each store, and who is no more.

create table user_delete_config (
  school_id integer not null,
  auto_enabled boolean not null default false,
  student_days smallint not null default 365 check (student_days between 0 and 3650),
  staff_days smallint not null default 365 check (staff_days between 0 and 3650),
  parent_idle_days smallint not null default 180 check (parent_idle_days between 0 and 3650),
  hold_days smallint not null default 7 check (hold_days between 0 and 90),
  biometric_hours smallint not null default 24 check (biometric_hours between 1 and 24),
  archive_years smallint not null default 0 check (archive_years between 0 and 100),
  window_from char(5) not null default '01:00' check (window_from ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  window_to char(5) not null default '05:00' check (window_to ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  checks jsonb not null default '{}',
  operator_user_ids bigint[] not null default '{}',
  row_version integer not null default 1,
  primary key (school_id),
  constraint user_delete_config_window check (window_from <> window_to)
);
comment on table user_delete_config is 'student_days, staff_days: days after departure; archive_years 0 = for ever; checks: item to block, warn or settle';

-- confirmed_by: who wants it; second_by: the other person, where there are many people.
create table user_delete_batch (
  school_id integer not null,
  batch_no varchar(13) not null check (batch_no ~ '^D[0-9]{12}$'),
  source varchar(16) not null check (source in ('manual', 'import', 'auto', 'subject_request')),
  state varchar(10) not null check (state in ('checking', 'blocked', 'holding', 'deleting', 'proving', 'finished', 'cancelled')),
  reason varchar(200) not null default '',
  people integer not null check (people > 0),
  hold_until timestamptz,
  created_by bigint,
  created_at timestamptz not null,
  confirmed_by bigint,
  second_by bigint,
  ended_at timestamptz,
  primary key (school_id, batch_no),
  constraint user_delete_batch_second check (second_by <> confirmed_by)
);
comment on table user_delete_batch is 'created_by null: proposed by the nightly search';
create index user_delete_batch_at on user_delete_batch (school_id, created_at);

create table user_delete_detail (
  school_id integer not null,
  batch_no varchar(13) not null,
  user_id bigint not null,
  snapshot jsonb not null,
  state varchar(13) not null check (state in ('checking', 'blocked', 'holding', 'deleting', 'waiting_proof', 'deleted', 'error', 'cancelled')),
  blocks jsonb not null default '[]',
  error_code varchar(40),
  purged_at timestamptz,
  primary key (school_id, batch_no, user_id),
  constraint user_delete_detail_batch_fkey foreign key (school_id, batch_no) references user_delete_batch (school_id, batch_no),
  constraint user_delete_detail_person_fkey foreign key (school_id, user_id) references person (school_id, user_id)
);
comment on table user_delete_detail is 'snapshot: kind, number, masked name, department as they were when he was put on the list';
create unique index user_delete_detail_once on user_delete_detail (school_id, user_id)
  where state in ('checking', 'blocked', 'holding', 'deleting', 'waiting_proof');

-- ref finds the thing again when its store says that it is gone.
create table user_delete_proof (
  school_id integer not null,
  batch_no varchar(13) not null,
  user_id bigint not null,
  store varchar(80) not null,
  title varchar(40) not null,
  action varchar(10) not null check (action in ('deleted', 'anonymised', 'kept')),
  basis varchar(100),
  state varchar(7) not null check (state in ('waiting', 'acked')),
  asked_at timestamptz not null,
  acked_at timestamptz,
  evidence varchar(200),
  ref varchar(200),
  primary key (school_id, batch_no, user_id, store),
  constraint user_delete_proof_detail_fkey foreign key (school_id, batch_no, user_id) references user_delete_detail (school_id, batch_no, user_id),
  constraint user_delete_proof_basis check ((action = 'kept') = (basis is not null)),
  constraint user_delete_proof_acked check ((state = 'acked') = (acked_at is not null))
);
create index user_delete_proof_ref on user_delete_proof (school_id, ref) where state = 'waiting';

create table tombstone (
  school_id integer not null,
  user_id bigint not null,
  id_no_idx bytea,
  purged_at timestamptz not null,
  batch_no varchar(13) not null,
  primary key (school_id, user_id)
);
comment on table tombstone is 'who was deleted: replayed after a restore';

-- Schools made before look for people to propose from tomorrow at 00:40.
insert into work (school_id, kind, ref, due_at)
  select distinct school_id, 'people_delete_search', ((now() at time zone 'Asia/Shanghai')::date + 1)::text,
    ((now() at time zone 'Asia/Shanghai')::date + 1 + time '00:40') at time zone 'Asia/Shanghai'
  from work where kind = 'school_daily'
  on conflict on constraint work_ref do nothing;

-- What a school says of its attendance, and what families are told of it (chapter 55 §1.1).
create table attend_setting (
  school_id integer not null,
  lesson_hours smallint not null check (lesson_hours between 1 and 168),
  head_days smallint not null check (head_days between 1 and 31),
  office_days smallint not null check (office_days between 1 and 180),
  undo_days smallint not null check (undo_days between 1 and 31),
  settle_hours smallint not null check (settle_hours between 1 and 168),
  consecutive_absent smallint not null check (consecutive_absent between 2 and 30),
  quiet_from char(5) not null check (quiet_from ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  quiet_to char(5) not null check (quiet_to ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  row_version integer not null default 1,
  updated_at timestamptz not null,
  updated_by bigint,
  primary key (school_id)
);
comment on table attend_setting is 'one row a school; without one the usual values hold';

create table attend_notice (
  school_id integer not null,
  lesson_date date not null,
  user_id bigint not null,
  expect_kind smallint not null,
  occurrence_id bigint not null,
  kind varchar(9) not null check (kind in ('absent', 'late', 'corrected')),
  half char(2) not null check (half in ('am', 'pm')),
  title varchar(60) not null,
  due_at timestamptz not null,
  sent_at timestamptz,
  dropped_at timestamptz,
  message_ref varchar(100),
  primary key (school_id, lesson_date, user_id, expect_kind, occurrence_id, kind)
);
create index attend_notice_due on attend_notice (school_id, due_at) where sent_at is null and dropped_at is null;
comment on table attend_notice is 'one message a case to a family: due after the delay of its rule and outside quiet hours; dropped: the row said something else by then';

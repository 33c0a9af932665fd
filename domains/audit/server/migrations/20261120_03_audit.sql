create table operation_log (
  school_id integer not null,
  happened_at timestamptz not null,
  log_id uuid not null,
  request_id uuid not null,
  user_id bigint,
  user_no varchar(50),
  user_name varchar(50),
  role_no bigint,
  role_name varchar(20),
  acted_for bigint,
  client varchar(4) not null,
  ip varchar(45) not null,
  device_label varchar(60) not null,
  op_type smallint not null check (op_type between 1 and 14),
  module_code varchar(40) not null,
  call varchar(100) not null,
  target_kind varchar(40),
  target_id varchar(60),
  target_name varchar(100),
  ok boolean not null,
  code integer not null,
  msg varchar(300) not null,
  before jsonb,
  after jsonb,
  reason varchar(100),
  batch_no varchar(40),
  job_no varchar(40),
  duration_ms integer not null,
  row_hash bytea not null,
  primary key (school_id, happened_at, log_id)
) partition by range (happened_at);
comment on table operation_log is 'append-only: one row a write call and login attempt, school 0 = events without a school; values are masked';
create index operation_log_user on operation_log (school_id, user_id, happened_at);
create index operation_log_target on operation_log (school_id, target_kind, target_id, happened_at);

create table archive_log (
  school_id integer not null,
  happened_at timestamptz not null,
  log_id uuid not null,
  person_kind smallint not null,
  person_id bigint not null,
  person_no varchar(50),
  person_name varchar(50) not null,
  dept_id bigint,
  dept_name varchar(200),
  op_type smallint not null check (op_type between 1 and 14),
  changes jsonb not null default '[]',
  fields text[] not null default '{}',
  command_id bigint,
  source varchar(12) not null check (source in ('typed', 'import', 'sync', 'registration', 'promotion', 'merge', 'id_derived', 'collect', 'command', 'undo')),
  batch_no varchar(40),
  request_id uuid,
  user_id bigint,
  user_no varchar(50),
  user_name varchar(50),
  role_no bigint,
  role_name varchar(20),
  acted_for bigint,
  ip varchar(45),
  row_hash bytea not null,
  primary key (school_id, happened_at, log_id)
) partition by range (happened_at);
comment on table archive_log is 'append-only: one row an operation and person; protected values are masked for ever';
create index archive_log_person on archive_log (school_id, person_id, happened_at);
create index archive_log_fields on archive_log using gin (fields);

-- Months ahead; the default partition takes what lies outside until the operators make its month.
do $$
declare
  month date;
  log text;
begin
  foreach log in array array['operation_log', 'archive_log'] loop
    for month in select generate_series(date '2026-01-01', date '2027-01-01', interval '1 month')::date loop
      execute format('create table %I partition of %I for values from (%L) to (%L)', log || to_char(month, '_YYYYMM'), log,
        month::timestamp at time zone 'Asia/Shanghai', (month + interval '1 month')::timestamp at time zone 'Asia/Shanghai');
    end loop;
    execute format('create table %I partition of %I default', log || '_other', log);
  end loop;
end $$;

create view operation_count_v with (security_invoker = true) as
  select school_id, (happened_at at time zone 'Asia/Shanghai')::date as day, op_type, count(*) as n
  from operation_log group by 1, 2, 3;

create view archive_log_v with (security_invoker = true) as
  select school_id, happened_at, log_id, person_kind, person_id, person_no, person_name, dept_id, dept_name, op_type, changes, fields, command_id,
    source, batch_no, request_id, user_id, user_no, user_name, role_no, role_name, acted_for
  from archive_log;

comment on view archive_log_v is 'nullable: person_no, dept_id, dept_name, command_id, batch_no, request_id, user_id, user_no, user_name, role_no, role_name, acted_for';

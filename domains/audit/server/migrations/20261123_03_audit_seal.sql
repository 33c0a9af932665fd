-- Every line of a journal stands in one seal; leaves are (log_id 16 bytes, hash of the row 32 bytes) in the order of sealing, so that a row that was
-- taken away can still be named. from_id and to_id are the smallest and the largest log_id: they begin with the time, and say which months a seal touches.
create table audit_seal (
  school_id integer not null,
  table_name varchar(20) not null check (table_name in ('operation_log', 'archive_log')),
  seal_no integer not null check (seal_no > 0),
  from_id uuid not null,
  to_id uuid not null,
  rows integer not null check (rows > 0),
  late integer not null,
  altered integer not null,
  upto timestamptz not null,
  leaves bytea not null,
  leaves_hash bytea not null,
  prev_hash bytea not null,
  root_hash bytea not null,
  signature bytea not null,
  sealed_at timestamptz not null,
  primary key (school_id, table_name, seal_no)
);
comment on table audit_seal is 'append-only: hash chain over the rows of the journals; late = rows that came after the moment they happened was sealed, altered = rows whose own hash did not fit when they were sealed';
create index audit_seal_to on audit_seal (school_id, table_name, to_id);

-- Which journals are sealed, from when on, and how far they were checked; broken holds what was found, until a whole check finds nothing.
create table audit_watch (
  table_name varchar(20) not null,
  school_id integer not null,
  since timestamptz not null,
  checked_until timestamptz,
  next_month date,
  rotated_at timestamptz,
  broken jsonb,
  primary key (table_name, school_id)
);
comment on table audit_watch is 'installation list of the journals to seal; a worker holds the line of a school while it seals';

-- Schools made before this table.
do $$
begin
  if to_regclass('public.work') is not null then
    insert into audit_watch (table_name, school_id, since)
      select t.name, s.school_id, now() from (select distinct school_id from work where school_id > 0) s, (values ('operation_log'), ('archive_log')) t (name);
  end if;
end $$;

create index operation_log_module on operation_log (school_id, module_code, happened_at);
create index operation_log_name on operation_log (school_id, user_name, happened_at);
create index operation_log_batch on operation_log (school_id, batch_no, happened_at) where batch_no is not null;

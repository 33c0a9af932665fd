-- What doors were told from afar and why (chapter 35 §1.5 door_command), evacuations and closures of the school, and the codes at doors.
create table door_command (
  school_id integer not null,
  asked_on date not null,
  command_id uuid not null,
  device_id bigint not null,
  kind smallint not null check (kind between 1 and 6),
  reason_code varchar(4) not null,
  reason varchar(100) not null,
  hold_until timestamptz,
  asked_at timestamptz not null,
  by_user bigint,
  emergency_id uuid,
  source smallint not null default 1 check (source between 1 and 3),
  primary key (school_id, asked_on, command_id)
) partition by range (asked_on);
create index door_command_at on door_command (school_id, asked_at desc);
create index door_command_device on door_command (school_id, device_id, asked_at desc);
create index door_command_emergency on door_command (school_id, emergency_id) where emergency_id is not null;
comment on table door_command is 'kind: 1 open, 2 hold open, 3 lock, 4 resume, 5 evacuate, 6 seal; source: 1 a person, 2 the code at the door, 3 an emergency. What became of it stands in device_command_v under the same id';

do $$
declare
  month date;
begin
  for month in select generate_series(date '2026-11-01', date '2027-01-01', interval '1 month')::date loop
    execute format('create table %I partition of door_command for values from (%L) to (%L)', 'door_command_' || to_char(month, 'YYYYMM'), month, (month + interval '1 month')::date);
  end loop;
  create table door_command_other partition of door_command default;
end $$;

create table door_emergency (
  school_id integer not null,
  emergency_id uuid not null,
  kind smallint not null check (kind in (5, 6)),
  reason varchar(100) not null,
  begun_at timestamptz not null,
  begun_by bigint not null,
  ended_at timestamptz,
  ended_by bigint,
  primary key (school_id, emergency_id)
);
create unique index door_emergency_open on door_emergency (school_id) where ended_at is null;
comment on table door_emergency is 'kind: 5 every exit stands open, 6 every entry is shut; until somebody ends it';

create table door_qr (
  school_id integer not null,
  device_id bigint not null,
  token varchar(32) not null,
  token_version integer not null,
  enabled boolean not null,
  last_used_at timestamptz,
  updated_at timestamptz not null,
  primary key (school_id, device_id),
  constraint door_qr_token unique (school_id, token)
);
comment on column door_qr.token is 'stands printed at the door and opens nothing by itself; dead as soon as it is changed';

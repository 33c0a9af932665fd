-- What devices were told to do at once, and what became of it (chapter 30 §1.3, §2.4).

create table device_command (
  school_id integer not null,
  asked_on date not null,
  command_id uuid not null,
  device_id bigint not null,
  command varchar(20) not null,
  state varchar(10) not null check (state in ('QUEUED', 'SENT', 'SUCCESSFUL', 'FAILED', 'TIMEOUT', 'EXPIRED')),
  asked_at timestamptz not null,
  asked_by bigint,
  expires_at timestamptz not null,
  sent_at timestamptz,
  replied_at timestamptz,
  reply_code varchar(40),
  reply_text varchar(200),
  primary key (school_id, asked_on, command_id)
) partition by range (asked_on);
create index device_command_device on device_command (school_id, device_id, asked_at desc);
create index device_command_open on device_command (school_id, expires_at) where state in ('QUEUED', 'SENT');
comment on table device_command is 'commands of people and of other domains; never kept for a device that is not there; half a year';

do $$
declare
  month date;
begin
  for month in select generate_series(date '2026-11-01', date '2027-01-01', interval '1 month')::date loop
    execute format('create table %I partition of device_command for values from (%L) to (%L)', 'device_command_' || to_char(month, 'YYYYMM'), month, (month + interval '1 month')::date);
  end loop;
  create table device_command_other partition of device_command default;
end $$;

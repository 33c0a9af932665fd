-- What devices tell beside passes: cards read, alarms, positions, how they are (chapter 30 §1.2, §1.4).

create table card_read_event (
  school_id integer not null,
  event_date date not null,
  device_id bigint not null,
  device_seq varchar(80) not null,
  device_time timestamptz not null,
  received_at timestamptz not null,
  event_time timestamptz,
  time_state smallint not null check (time_state in (0, 1, 2)),
  body_hash char(16) not null,
  user_id bigint,
  person_kind smallint,
  direction smallint,
  place_id bigint,
  credential_id bigint,
  code_masked varchar(64),
  temp_tenths smallint,
  symptoms varchar(200),
  primary key (school_id, event_date, device_id, device_seq),
  constraint card_read_event_time check ((time_state = 2) = (event_time is null))
) partition by range (event_date);
create index card_read_event_place on card_read_event (school_id, place_id, event_time desc);
create index card_read_event_user on card_read_event (school_id, user_id, event_time desc) where user_id is not null;
comment on table card_read_event is 'append-only; cards held to readers that are no doors; a number is kept by its last four signs alone';

create table alarm_event (
  school_id integer not null,
  event_date date not null,
  device_id bigint not null,
  device_seq varchar(80) not null,
  alarm_kind varchar(16) not null check (alarm_kind in ('door_open', 'door_held', 'forced', 'fire', 'tamper', 'fault', 'offline', 'recovered_fire', 'recovered_door', 'recovered_tamper')),
  at timestamptz not null,
  received_at timestamptz not null,
  body_hash char(16) not null,
  place_id bigint,
  cleared_at timestamptz,
  primary key (school_id, event_date, device_id, device_seq)
) partition by range (event_date);
create index alarm_event_open on alarm_event (school_id, device_id, alarm_kind) where cleared_at is null;
create index alarm_event_at on alarm_event (school_id, at desc);
comment on table alarm_event is 'what was wrong at a device, from when until when; recovered_ = learned from its state after silence';

create table position_event (
  school_id integer not null,
  event_date date not null,
  device_id bigint not null,
  device_seq varchar(80) not null,
  at timestamptz not null,
  received_at timestamptz not null,
  body_hash char(16) not null,
  lat double precision not null check (lat between -90 and 90),
  lng double precision not null check (lng between -180 and 180),
  speed real,
  heading smallint,
  acc real,
  primary key (school_id, event_date, device_id, device_seq)
) partition by range (event_date);
create index position_event_at on position_event (school_id, device_id, at desc);
comment on table position_event is 'append-only; where vehicle terminals were; kept ninety days';

create table device_metric (
  school_id integer not null,
  device_id bigint not null,
  bucket timestamptz not null,
  cpu_pct smallint,
  mem_pct smallint,
  temp_c smallint,
  disk_free_mb integer,
  queue_len integer,
  rssi smallint,
  skew_ms integer,
  persons integer,
  faces integer,
  cards integer,
  primary key (school_id, device_id, bucket)
) partition by range (bucket);
comment on table device_metric is 'how a device was in five minutes, by its last word in them; kept ninety days';

do $$
declare
  month date;
  name text;
begin
  for month in select generate_series(date '2026-08-01', date '2027-01-01', interval '1 month')::date loop
    foreach name in array array['card_read_event', 'alarm_event', 'position_event'] loop
      execute format('create table %I partition of %I for values from (%L) to (%L)', name || '_' || to_char(month, 'YYYYMM'), name, month, (month + interval '1 month')::date);
    end loop;
    execute format('create table %I partition of device_metric for values from (%L) to (%L)',
      'device_metric_' || to_char(month, 'YYYYMM'), month::timestamp at time zone 'Asia/Shanghai', (month + interval '1 month')::timestamp at time zone 'Asia/Shanghai');
  end loop;
  foreach name in array array['card_read_event', 'alarm_event', 'position_event', 'device_metric'] loop
    execute format('create table %I partition of %I default', name || '_other', name);
  end loop;
end $$;

create view card_read_event_v with (security_invoker = true) as
  select school_id, event_date, device_id, device_seq, device_time, received_at, event_time, time_state, user_id, person_kind, direction, place_id, credential_id, code_masked, temp_tenths, symptoms
  from card_read_event;
comment on view card_read_event_v is 'nullable: event_time, user_id, person_kind, direction, place_id, credential_id, code_masked, temp_tenths, symptoms';

create view position_event_v with (security_invoker = true) as
  select school_id, event_date, device_id, device_seq, at, received_at, lat, lng, speed, heading, acc from position_event;
comment on view position_event_v is 'nullable: speed, heading, acc';

create view alarm_v with (security_invoker = true) as
  select school_id, event_date, device_id, device_seq, alarm_kind, at, received_at, place_id, cleared_at from alarm_event;
comment on view alarm_v is 'nullable: place_id, cleared_at';

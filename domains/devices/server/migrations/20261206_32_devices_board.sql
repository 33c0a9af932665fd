-- What boards and screens are made of, and what they are to show and play (chapter 30 §1.5, §2.8, rule 27).

create table board (
  school_id integer not null,
  device_id bigint not null,
  orientation varchar(9) check (orientation in ('portrait', 'landscape')),
  resolution varchar(11),
  storage_free_mb integer,
  storage_total_mb integer,
  player_version varchar(40),
  secure_context boolean,
  inventory_hash varchar(64),
  screenshot_key varchar(200),
  screenshot_at timestamptz,
  brightness smallint check (brightness between 0 and 100),
  volume smallint check (volume between 0 and 100),
  power_state varchar(4) not null default 'on' check (power_state in ('on', 'dark')),
  reported_at timestamptz,
  told_at timestamptz,
  primary key (school_id, device_id)
) with (fillfactor = 80);
comment on table board is 'what a board last said of itself; dark = brightness 0; told_at = when others were last told of its state';

create table board_manifest (
  school_id integer not null,
  device_id bigint not null,
  source varchar(10) not null check (source in ('publishing', 'voice')),
  version bigint not null,
  declared_at timestamptz not null,
  primary key (school_id, device_id, source)
);
comment on table board_manifest is 'the newest manifest of each source; an older one is ignored';

create table board_content_row (
  school_id integer not null,
  device_id bigint not null,
  row_key varchar(128) not null,
  source varchar(10) not null check (source in ('publishing', 'voice')),
  manifest_version bigint not null,
  is_declared boolean not null,
  hash char(16) not null,
  body jsonb not null,
  file_key varchar(200),
  bytes_total bigint not null check (bytes_total >= 0),
  bytes_done bigint not null default 0,
  reported varchar(11) check (reported in ('accepted', 'downloading', 'staged', 'playing', 'stopped', 'erased', 'fault')),
  fault_code varchar(40),
  detail varchar(200),
  reported_epoch varchar(64),
  reported_seq bigint,
  reported_at timestamptz,
  primary key (school_id, device_id, row_key)
) with (fillfactor = 80);
comment on table board_content_row is 'a row of a manifest and the board''s own last word on it; not declared any more: it waits for being erased';

create table device_ticket (
  school_id integer not null,
  device_id bigint not null,
  kind varchar(10) not null check (kind in ('download', 'screenshot')),
  row_key varchar(128) not null,
  token_digest char(64) not null,
  file_key varchar(200),
  asked_by bigint,
  expires_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz,
  primary key (school_id, device_id, kind, row_key),
  constraint device_ticket_token unique (school_id, token_digest)
) with (fillfactor = 80);
create index device_ticket_running on device_ticket (school_id, started_at) where kind = 'download' and started_at is not null and ended_at is null;
comment on table device_ticket is 'with what a device fetches one file or brings one picture, once';

alter table device_command add column args jsonb not null default '{}';

create view board_v with (security_invoker = true) as
  select school_id, device_id, orientation, resolution, storage_free_mb, storage_total_mb, player_version, secure_context, inventory_hash, screenshot_key, brightness, volume, power_state
  from board;
comment on view board_v is 'hardware of boards; nullable: orientation, resolution, storage_free_mb, storage_total_mb, player_version, secure_context, inventory_hash, screenshot_key, brightness, volume';

-- Photographs as terminals take them (chapter 30 rule 13), and what may be fetched once.

create table device_photo (
  school_id integer not null,
  sha256 char(64) not null,
  file_key varchar(200) not null,
  state varchar(7) not null check (state in ('waiting', 'ready', 'refused')),
  reason varchar(40),
  lease_until timestamptz,
  made_key varchar(200),
  made_sha256 char(64),
  bytes integer check (bytes > 0),
  primary key (school_id, sha256),
  constraint device_photo_ready check ((state = 'ready') = (made_key is not null) and (state = 'ready') = (made_sha256 is not null) and (state = 'ready') = (bytes is not null)),
  constraint device_photo_refused check ((state = 'refused') = (reason is not null))
);
create index device_photo_waiting on device_photo (school_id, lease_until) where state = 'waiting';
comment on table device_photo is 'a face file as it was declared and as terminals take it; made_key = file_key where it fits as it is';

alter table sync_row add column fetched_at timestamptz;
comment on column sync_row.fetched_at is 'the photograph of the version that is on its way was fetched: its address works no more';

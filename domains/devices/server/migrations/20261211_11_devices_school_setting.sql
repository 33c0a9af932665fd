-- What a school sets of its devices (chapter 30 §1.2): the values that were constants; no row = as by default.
alter table device_setting
  add column offline_alert_minutes integer not null default 10 check (offline_alert_minutes between 2 and 1440),
  add column mass_delete_pct integer not null default 30 check (mass_delete_pct between 5 and 90),
  add column mass_delete_min integer not null default 50 check (mass_delete_min between 10 and 1000),
  add column foreign_policy varchar(18) not null default 'report' check (foreign_policy in ('report', 'delete_after_24h')),
  add column foreign_since timestamptz,
  add column read_back_hour smallint not null default 2 check (read_back_hour between 0 and 4 or read_back_hour between 20 and 23),
  add column broker_notes varchar(500) not null default '',
  add column row_version integer not null default 0,
  add column updated_at timestamptz not null default now(),
  add constraint device_setting_since check ((foreign_policy = 'delete_after_24h') = (foreign_since is not null));
comment on column device_setting.foreign_since is 'since when foreign rows are deleted after a day: what was found before is left for a day too';
alter table sync_drift drop constraint sync_drift_resolution_check;
alter table sync_drift add constraint sync_drift_resolution_check check (resolution in ('resent', 'gone', 'adopt', 'delete', 'ignore', 'expired'));
comment on table sync_drift is 'what a read-back has found otherwise than it is to be; missing and different heal by themselves, foreign rows are decided by somebody, or deleted after a day where the school has said so (expired)';

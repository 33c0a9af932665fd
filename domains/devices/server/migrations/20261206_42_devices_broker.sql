-- What an outside Mosquitto keeps of a secret, in its own format: null until the secret was told or shown once since this column is there.
alter table device_client add column broker_hash varchar(160);
alter table device_enrol_code add column broker_hash varchar(160);

-- The broker was away, and nobody knows yet whether the device is still there (确认中): its last state stands for a while.
alter table device add column confirming_since timestamptz;
alter table device add constraint device_confirming check (confirming_since is null or online);
create index device_confirming on device (school_id, confirming_since) where confirming_since is not null;

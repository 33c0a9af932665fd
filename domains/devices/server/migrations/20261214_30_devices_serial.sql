-- One owner of a serial number in the whole installation, whatever its device has done: registered in one school it is refused in every other until it is retired.
create table device_serial (
  serial_key varchar(64) primary key,
  school_id integer not null,
  device_id bigint not null
);
create index device_serial_device on device_serial (school_id, device_id);
comment on table device_serial is 'of the installation: serial numbers in capitals, compared over all schools';

-- The owner stands behind the fence like everybody else: it is opened for this one statement.
alter table device no force row level security;
insert into device_serial (serial_key, school_id, device_id)
  select upper(device_sn), school_id, device_id from device where lifecycle <> 'retired' order by created_at, device_id
  on conflict (serial_key) do nothing;
alter table device force row level security;

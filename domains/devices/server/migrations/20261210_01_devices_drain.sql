-- Until when every record of a device is here (chapter 30 §1.4): whoever judges an absence waits for it.
alter table device add column drained_to timestamptz;
comment on column device.drained_to is 'every record with device time up to this is here; null: the device has not said so yet';

create view device_drain_v with (security_invoker = true) as
  select school_id, device_id, drained_to, online from device;
comment on view device_drain_v is 'every record with device time <= drained_to is here, retired devices too; nullable: drained_to';

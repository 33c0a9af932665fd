-- Records that a device has overwritten before they were read are an alarm of their own, and a model says how many it keeps.
alter table alarm_event drop constraint alarm_event_alarm_kind_check;
alter table alarm_event add constraint alarm_event_alarm_kind_check check (alarm_kind in ('door_open', 'door_held', 'forced', 'fire', 'tamper', 'fault', 'offline', 'recovered_fire', 'recovered_door', 'recovered_tamper', 'record_lost'));

update device_model set limits = limits || '{"record_store": 2000}' where driver = 'vf105' and not limits ? 'record_store';
update device_model set limits = limits || '{"record_store": 10000}' where driver = 'jdev' and limits ? 'max_persons' and not limits ? 'record_store';

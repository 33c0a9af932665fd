-- Devices that have something to be told or to answer: rows that are due, on their way or without an answer.
create view sync_waiting_v with (security_invoker = true) as
  select school_id, device_id from sync_due
  union all
  select school_id, device_id from sync_row where state in ('blocked', 'pending', 'sent', 'unknown');
comment on view sync_waiting_v is 'a device stands here as often as something waits for it';

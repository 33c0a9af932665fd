-- The device that has waited longest is asked for once a device; two hundred faces at a hundred terminals are twenty thousand lines.
create index sync_due_next on sync_due (school_id, due_at, device_id);

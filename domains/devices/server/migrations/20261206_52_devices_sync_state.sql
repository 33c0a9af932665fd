-- The list of devices counts rows by state: from this index alone, half a million of them in a moment (chapter 30 §9.18).
create index sync_row_state on sync_row (school_id, device_id, state);

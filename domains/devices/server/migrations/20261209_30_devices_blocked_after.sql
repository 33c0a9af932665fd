-- A row that may not be there any more is taken off first and is blocked afterwards: a lost card, or somebody for whom a terminal has no room.
alter table sync_row add column blocked_after varchar(40);
comment on column sync_row.blocked_after is 'of a deletion: why the row is not put again once it is gone';
-- What is due is sent in the order of this index: at a device of 12,600 rows all of them were sorted for every message.
drop index sync_row_due;
create index sync_row_due on sync_row (school_id, device_id, prio, ((want_op = 'delete') = (kind = 'content')), want_version) where state in ('pending', 'sent', 'unknown');
-- How long a row waits counts from when it came to be wanted as it is: each try to send it moved its other times.
alter table sync_row add column wanted_at timestamptz not null default now();
comment on column sync_row.wanted_at is 'since when the row is to be as it is, or to be sent once more; a try to send it does not change this';
-- A row is found by its key and by nothing else: this index began like it, and was taken for it where the statistics are of an empty table.
drop index sync_row_state;
create index sync_row_state on sync_row (state, school_id, device_id);

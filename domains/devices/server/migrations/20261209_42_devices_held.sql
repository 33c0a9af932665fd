-- Which devices have ever held somebody's face, and what proves that they do not any more (chapter 30 §1.3, §10.5). Receipts of rows change with the rows; this stays.
create table device_held (
  school_id integer not null,
  device_id bigint not null,
  kind varchar(12) not null,
  row_key varchar(80) not null,
  user_id bigint not null,
  first_applied_at timestamptz not null,
  last_applied_at timestamptz not null,
  delete_acked_at timestamptz,
  proven_gone_at timestamptz,
  closed_by varchar(11) check (closed_by in ('proof', 'lost_device', 'wiped')),
  primary key (school_id, device_id, kind, row_key),
  constraint device_held_proven check (proven_gone_at is null or delete_acked_at is not null)
);
create index device_held_user on device_held (school_id, user_id);
comment on table device_held is 'faces that a device has said it holds; delete_acked_at: it has said that it does not any more, proven_gone_at: it was seen not to. No foreign key: it is written while the device''s own row is';

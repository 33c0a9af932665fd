-- How far a device that came in with a one-time code has become the school's own (chapter 31 §5.7.1).
create table device_adoption (
  school_id integer not null,
  device_id bigint not null,
  step varchar(10) not null,
  tries smallint not null default 0,
  note varchar(300),
  is_refused boolean not null default false,
  secret_sealed bytea,
  begun_at timestamptz not null,
  done_at timestamptz,
  primary key (school_id, device_id),
  constraint device_adoption_device foreign key (school_id, device_id) references device (school_id, device_id)
);
comment on table device_adoption is 'step: the first one that is not done; note: what stands in its way; secret_sealed: the new secret, until the device has come in with it';

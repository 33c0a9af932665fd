-- When somebody works at a device, as he has said before: nobody is told that it is silent (chapter 30 rule 16).
create table device_maintenance (
  school_id integer not null,
  device_id bigint not null,
  begin_at timestamptz not null,
  end_at timestamptz not null,
  reason varchar(200) not null,
  declared_by bigint not null,
  primary key (school_id, device_id, begin_at),
  constraint device_maintenance_span check (end_at >= begin_at)
);
comment on table device_maintenance is 'windows in which a device may be off, declared by somebody; one that is ended early ends then';

-- What became of a command of this domain at each door (chapter 35 §1.2 access_effect): receipts by cause and device.
create table access_effect (
  school_id integer not null,
  cause_kind varchar(20) not null,
  cause_id varchar(60) not null,
  effect varchar(4) not null check (effect in ('give', 'take')),
  device_id bigint not null,
  people integer not null,
  state smallint not null default 0 check (state between 0 and 3),
  text varchar(200) not null default '',
  at timestamptz not null,
  done_at timestamptz,
  primary key (school_id, cause_kind, cause_id, effect, device_id)
);
create index access_effect_open on access_effect (school_id, device_id) where state = 0;
comment on table access_effect is 'state: 0 waits, 1 done, 2 failed, 3 not needed; people: how many rights of the device have changed';

create view access_effect_v with (security_invoker = true) as
  select school_id, cause_kind, cause_id, effect, device_id as target, people, state, text, at, done_at from access_effect;
comment on view access_effect_v is 'receipts by cause; target: the device; nullable: done_at';

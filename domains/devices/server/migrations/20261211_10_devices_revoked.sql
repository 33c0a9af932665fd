-- What sources have taken back and is not gone from every device yet: whoever has declared it hears when it is (chapter 30 §7).
create table source_revoked (
  school_id integer not null,
  source varchar(30) not null,
  source_ref varchar(128) not null,
  kind varchar(10) not null check (kind in ('person', 'credential')),
  row_key varchar(128) not null,
  user_id bigint not null,
  revoked_at timestamptz not null,
  primary key (school_id, source, source_ref, kind)
);
create index source_revoked_user on source_revoked (school_id, user_id);
comment on table source_revoked is 'what a source has taken back, by the row of a device that stands for it (of a grant the person): kept until every device has said that it is gone';
-- A change that is held is an open alarm of the duty officer (chapter 90 §3).
alter table sync_plan add column told_persons integer;
comment on column sync_plan.told_persons is 'of how many people the duty officer was told last; null: of none, or that it is over';
create index sync_plan_told on sync_plan (school_id, device_id) where state = 'held' or told_persons is not null;

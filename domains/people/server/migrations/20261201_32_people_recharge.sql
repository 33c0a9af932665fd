-- What each person kind may put into a wallet (chapter 20 §1.5), in versions: another person than the one who submits a version approves it.

create table recharge_config (
  school_id integer not null,
  person_kind smallint not null check (person_kind in (1, 2, 3, 6, 7)),
  version integer not null check (version > 0),
  is_open boolean not null,
  channels varchar(1)[] not null,
  min_fen integer not null,
  max_fen integer not null,
  quick_fen integer[] not null check (cardinality(quick_fen) <= 6),
  day_limit_fen integer not null check (day_limit_fen > 0),
  balance_cap_fen integer not null,
  refund_to_source boolean not null,
  state varchar(8) not null check (state in ('pending', 'active', 'old', 'refused')),
  created_at timestamptz not null,
  created_by bigint not null,
  approved_at timestamptz,
  approved_by bigint,
  primary key (school_id, person_kind, version),
  constraint recharge_config_range check (1 <= min_fen and min_fen <= max_fen and max_fen <= balance_cap_fen),
  constraint recharge_config_second_person check (approved_by <> created_by),
  constraint recharge_config_approved check (approved_by is not null or state in ('pending', 'refused'))
);
create unique index recharge_config_one_active on recharge_config (school_id, person_kind) where state = 'active';
create unique index recharge_config_one_pending on recharge_config (school_id, person_kind) where state = 'pending';

-- The version that holds for orders made from `active_from` on.
create view recharge_active with (security_invoker = true) as
  select c.school_id, c.person_kind, c.version, c.is_open, c.channels, c.min_fen, c.max_fen, c.quick_fen, c.day_limit_fen, c.balance_cap_fen, c.refund_to_source, c.approved_at as active_from
  from recharge_config c where c.state = 'active';

-- Stars that a fact gives by itself, and how many may hold a post of a class (chapter 55 §1.3 star_auto_rule, rules 45 and 47).
alter table star_type add column auto_trigger varchar(20) check (auto_trigger in ('attend_week'));
alter table star_type add constraint star_type_auto check (auto_trigger is null or (subject_kind = 1 and sign = 1 and superior_id is not null));
comment on column star_type.auto_trigger is 'attend_week: a school week without late, early, absent or unverified';

create table star_setting (
  school_id integer not null,
  committee_limits jsonb not null default '{}',
  row_version integer not null default 1,
  primary key (school_id)
);
comment on column star_setting.committee_limits is '{post_code: most holders at a time}; a post that is not named has the usual number';

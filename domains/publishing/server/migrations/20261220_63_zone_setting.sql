-- What a zone of a screen shows of itself, for the whole school or a part of it (chapter 60 §1.4): the most specific one wins.
create table publishing_zone_setting (
  school_id integer not null,
  scope smallint not null check (scope between 1 and 5),
  scope_id varchar(20) not null,
  zone varchar(20) not null,
  module varchar(20) not null,
  updated_at timestamptz not null,
  updated_by bigint not null,
  primary key (school_id, scope, scope_id, zone)
);
comment on table publishing_zone_setting is 'scope 1 school (scope_id empty), 2 stage, 3 grade, 4 class, 5 board; scope_id its code or id';

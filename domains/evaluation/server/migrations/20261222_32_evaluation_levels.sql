-- Levels that stars have reached, with the day (chapter 55 rule 43): the live score may fall, what was reached stays.
create table star_level (
  school_id integer not null,
  star_type_id bigint not null,
  subject_kind smallint not null check (subject_kind in (1, 2)),
  subject_id bigint not null,
  level smallint not null check (level between 1 and 3),
  cut integer not null check (cut > 0),
  valid_from date not null,
  primary key (school_id, star_type_id, subject_id, level),
  constraint star_level_type foreign key (school_id, star_type_id) references star_type (school_id, star_type_id) on delete cascade
);
create index star_level_subject on star_level (school_id, subject_kind, subject_id);
comment on column star_level.level is '1 bronze, 2 silver, 3 gold';
comment on column star_level.cut is 'thousandths of a point that it took then: later cuts change nothing; a revoked star may take the level with it';

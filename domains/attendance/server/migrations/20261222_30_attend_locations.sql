-- Places where somebody may sign in by the position of his phone (chapter 55 §4 attend/event/location).
create table attend_location (
  school_id integer not null,
  place_id bigint not null,
  lng double precision not null check (lng between -180 and 180),
  lat double precision not null check (lat between -90 and 90),
  radius_m smallint not null check (radius_m between 30 and 1000),
  row_version integer not null default 1,
  updated_at timestamptz not null,
  updated_by bigint,
  primary key (school_id, place_id)
);
comment on table attend_location is 'the middle in WGS-84, as phones give it, and how far around it counts; positions of people are not kept';

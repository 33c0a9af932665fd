-- How often and how long each content was on each screen, by the hour, as its player has counted (chapter 60 §1.4).
create table publishing_play_stat (
  school_id integer not null,
  device_id bigint not null,
  hour timestamptz not null,
  content_id bigint not null,
  plays integer not null check (plays >= 0),
  seconds integer not null check (seconds between 0 and 3600),
  primary key (school_id, device_id, hour, content_id)
);
create index publishing_play_stat_hour on publishing_play_stat (school_id, hour);
comment on table publishing_play_stat is 'totals of an hour as the player last told them; told again they are the same or greater';

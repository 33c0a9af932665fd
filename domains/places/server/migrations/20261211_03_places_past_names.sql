-- What places were called, written when a name or a place above changes: whatever happened under the old name is told with it (chapter 30 rule 21).
create table place_past_name (
  school_id integer not null,
  place_id bigint not null,
  until timestamptz not null,
  node_path_name text not null,
  primary key (school_id, place_id, until),
  constraint place_past_name_place foreign key (school_id, place_id) references place (school_id, place_id) on delete cascade
);
comment on table place_past_name is 'until then (exclusive) and since the row before, or for ever, the place had this path of names';

-- The path of names of a place at a moment when it was another one than that of today; null when no name has changed since.
create function place_then(school integer, place bigint, at timestamptz) returns text
  language sql stable security invoker
  as $$
    select n.node_path_name from place_past_name n where n.school_id = school and n.place_id = place and n.until > at order by n.until limit 1
  $$;
comment on function place_then is 'path of names of a place at a moment before its last renaming or move; null: as today';

-- Every place with its way, closed ones too: what happened there is still told by its name.
create view place_path_v with (security_invoker = true) as
  select school_id, place_id, place_name, node_path, node_path_name, status from place;
comment on view place_path_v is 'all places, closed ones too';

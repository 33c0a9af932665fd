-- Which places there were on a day, under their names and paths of today, and whose room each was then (chapter 30 §1.1).
create function place_at(school integer, on_day date)
  returns table (place_id bigint, superior_id bigint, place_name varchar, place_kind smallint, is_leaf boolean, node_path text, node_path_name text, capacity integer, dept_id bigint)
  language sql stable security invoker
  as $$
    select p.place_id, p.superior_id, p.place_name, p.place_kind, p.is_leaf, p.node_path, p.node_path_name, p.capacity, h.dept_id
    from place p
    left join place_dept h on h.school_id = p.school_id and h.place_id = p.place_id and h.use_kind = 'home' and h.valid_from <= on_day and (h.valid_to is null or h.valid_to > on_day)
    where p.school_id = school and p.opened_on <= on_day and (p.closed_on is null or p.closed_on > on_day)
  $$;
comment on function place_at is 'open places of a school on a day; dept_id = the class whose home room it was then';

-- Whoever puts something into a place has to know whether people may be watched there.
create or replace view place_live_v with (security_invoker = true) as
  select p.school_id, p.place_id, p.superior_id, p.place_name, p.place_kind, p.place_type, p.is_leaf, p.node_path, p.node_path_name, p.capacity, h.dept_id, p.private_zone
  from place p
  left join place_dept h on h.school_id = p.school_id and h.place_id = p.place_id and h.use_kind = 'home'
    and h.valid_from <= (now() at time zone 'Asia/Shanghai')::date and (h.valid_to is null or h.valid_to > (now() at time zone 'Asia/Shanghai')::date)
  where p.status = 'open';

-- The role that works owns nothing and so may not ANALYZE. Work that fills tables faster than autovacuum notices calls this: it looks at
-- every table whose size left what the planner believes by a fifth, unless somebody else is at it already.
create function analyze_grown() returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  grown text;
begin
  for grown in
    select relname from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 8192
      and abs(pg_relation_size(oid) - greatest(relpages, 0) * 8192::bigint) * 5 > pg_relation_size(oid)
    order by relname
  loop
    execute format('analyze (skip_locked) public.%I', grown);
  end loop;
end $$;

-- On a Citus coordinator the tables are empty shells, and a function with the rights of its owner may not analyse what lies on the workers: they do it themselves.
create or replace function analyze_grown() returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  grown text;
begin
  if exists (select from pg_extension where extname = 'citus') then return; end if;
  for grown in
    select relname from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 8192
      and abs(pg_relation_size(oid) - greatest(relpages, 0) * 8192::bigint) * 5 > pg_relation_size(oid)
    order by relname
  loop
    execute format('analyze (skip_locked) public.%I', grown);
  end loop;
end $$;

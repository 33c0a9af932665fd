import { sql } from 'kysely'
import type { Kysely } from 'kysely'

export type CatalogueColumn = {
  name: string
  /** As PostgreSQL writes it: `bigint`, `text[]`, `character varying(20)`, `timestamp with time zone`. */
  type: string
  nullable: boolean
  has_default: boolean
  identity: 'always' | 'by default' | null
  generated: boolean
}

/** A unique key or index. An expression stands in `columns` as its SQL text; `partial` is its WHERE clause. */
export type CatalogueUnique = { name: string; columns: string[]; partial: string | null }

export type CatalogueForeignKey = { name: string; columns: string[]; table: string; table_columns: string[] }

export type CatalogueTable = {
  name: string
  is_view: boolean
  /** The table this one is a partition of. */
  partition_of: string | null
  comment: string | null
  columns: CatalogueColumn[]
  primary_key: string[]
  unique: CatalogueUnique[]
  foreign_keys: CatalogueForeignKey[]
  /** Row-level security is enabled, and forced on the table's owner too. */
  rls: boolean
  forced: boolean
  policies: string[]
  triggers: string[]
  owner: string
}

/** Every table, partition and view of the schema `public` with its columns, keys, fence and triggers, sorted by name; kysely's own tables are left out. For generators and tests; either role may call it. */
export async function describeCatalogue(db: Kysely<unknown>): Promise<CatalogueTable[]> {
  const { rows } = await sql<CatalogueTable>`
    select c.relname as name, c.relkind = 'v' as is_view, pg_get_userbyid(c.relowner) as owner,
      (select p.relname from pg_inherits i join pg_class p on p.oid = i.inhparent where i.inhrelid = c.oid and c.relispartition) as partition_of,
      obj_description(c.oid, 'pg_class') as comment, ${columns} as columns, ${primaryKey} as primary_key, ${uniqueKeys} as unique,
      ${foreignKeys} as foreign_keys, c.relrowsecurity as rls, c.relforcerowsecurity as forced,
      (select coalesce(jsonb_agg(p.polname order by p.polname), '[]') from pg_policy p where p.polrelid = c.oid) as policies,
      (select coalesce(jsonb_agg(t.tgname order by t.tgname), '[]') from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal) as triggers
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') and c.relname not like 'kysely\\_%'
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    order by c.relname`.execute(db)
  return rows
}

const columns = sql`(
  select coalesce(jsonb_agg(jsonb_build_object(
    'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod), 'nullable', not a.attnotnull,
    'has_default', a.atthasdef and a.attgenerated = '', 'generated', a.attgenerated <> '',
    'identity', case a.attidentity when 'a' then 'always' when 'd' then 'by default' end) order by a.attnum), '[]')
  from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped)`

const indexColumns = sql`(
  select jsonb_agg(pg_get_indexdef(i.indexrelid, n, true) order by n) from generate_series(1, i.indnkeyatts) n)`

const primaryKey = sql`coalesce((select ${indexColumns} from pg_index i where i.indrelid = c.oid and i.indisprimary), '[]')`

const uniqueKeys = sql`(
  select coalesce(jsonb_agg(jsonb_build_object(
    'name', x.relname, 'columns', ${indexColumns}, 'partial', pg_get_expr(i.indpred, i.indrelid)) order by x.relname), '[]')
  from pg_index i join pg_class x on x.oid = i.indexrelid where i.indrelid = c.oid and i.indisunique and not i.indisprimary)`

const namesOf = (table: 'conrelid' | 'confrelid', keys: 'conkey' | 'confkey') => sql`(
  select jsonb_agg(a.attname order by k.n) from unnest(f.${sql.ref(keys)}) with ordinality k(attnum, n)
  join pg_attribute a on a.attrelid = f.${sql.ref(table)} and a.attnum = k.attnum)`

const foreignKeys = sql`(
  select coalesce(jsonb_agg(jsonb_build_object(
    'name', f.conname, 'columns', ${namesOf('conrelid', 'conkey')}, 'table', f.confrelid::regclass::text,
    'table_columns', ${namesOf('confrelid', 'confkey')}) order by f.conname), '[]')
  from pg_constraint f where f.conrelid = c.oid and f.contype = 'f')`

import pg from 'pg'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { runScript } from './kysely-driver.ts'

type Relation = {
  oid: string
  name: string
  kind: 'table' | 'view'
  /** First column of the primary key; null without one. */
  leads_with: string | null
  has_school_id: boolean
  append_only: boolean
  security_invoker: boolean
  app_can_update: boolean
}

/** The oids of the tables and views that exist now, to tell later which ones a migration made. */
export async function relationIds(db: Kysely<unknown>): Promise<Set<string>> {
  const { rows } = await sql<{ oid: string }>`
    select c.oid::text as oid from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v')`.execute(db)
  return new Set(rows.map((row) => row.oid))
}

/**
 * Puts the tenant fence around what a migration made: row-level security and all four grants for tables whose primary key starts with
 * school_id, grants alone for installation tables, select and insert where the comment says append-only, select on views, usage on
 * sequences. Partitions follow their parent and are reached through it only. Throws for a view without security_invoker (it would read
 * past the fence) and for a table with school_id but no primary key (nobody can tell whether it belongs behind the fence).
 */
export async function putUpFence(db: Kysely<unknown>, app_role: string, before: ReadonlySet<string>): Promise<void> {
  const relations = await readRelations(db, app_role, before)
  const app = pg.escapeIdentifier(app_role)
  const script = relations.flatMap((relation) => fenceOf(relation, app, !before.has(relation.oid)))
  await runScript(db, [...script, `grant usage on all sequences in schema public to ${app}`].join(';\n'))
}

/** What there is to look at: what is new, every view, and the tables that nobody may change. */
async function readRelations(db: Kysely<unknown>, app_role: string, before: ReadonlySet<string>): Promise<Relation[]> {
  const { rows } = await sql<Relation>`
    select c.oid::text as oid, c.relname as name, case c.relkind when 'v' then 'view' else 'table' end as kind,
      (select a.attname from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
        where i.indrelid = c.oid and i.indisprimary) as leads_with,
      exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'school_id' and not a.attisdropped) as has_school_id,
      coalesce(obj_description(c.oid, 'pg_class') like '%append-only%', false) as append_only,
      exists (select from pg_options_to_table(c.reloptions) where option_name = 'security_invoker' and option_value::boolean) as security_invoker,
      has_table_privilege(${app_role}, c.oid, 'update') as app_can_update
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') and not c.relispartition and c.relname not like 'kysely\\_%'
      and (c.relkind = 'v' or c.oid <> all(${[...before]}::oid[]) or obj_description(c.oid, 'pg_class') like '%append-only%')
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    order by c.relname`.execute(db)
  return rows
}

function fenceOf(relation: Relation, app: string, is_new: boolean): string[] {
  const name = pg.escapeIdentifier(relation.name)
  if (relation.kind === 'view') return fenceView(relation, name, app, is_new)
  if (!is_new) return relation.append_only && relation.app_can_update ? [`revoke update, delete on ${name} from ${app}`] : []
  const rights = relation.append_only ? 'select, insert' : 'select, insert, update, delete'
  return [...rowSecurity(relation, name), `grant ${rights} on ${name} to ${app}`]
}

function fenceView(relation: Relation, name: string, app: string, is_new: boolean): string[] {
  // Asked of old views too: `create or replace view` without the option silently drops it.
  if (!relation.security_invoker) throw new Error(`view ${relation.name} must be created with (security_invoker = true)`)
  return is_new ? [`grant select on ${name} to ${app}`] : []
}

function rowSecurity(relation: Relation, name: string): string[] {
  if (relation.has_school_id && relation.leads_with === null) throw new Error(`table ${relation.name} has school_id but no primary key`)
  if (relation.leads_with !== 'school_id') return []
  const own = `school_id = nullif(current_setting('app.school_id', true), '')::int`
  return [
    `alter table ${name} enable row level security`,
    `alter table ${name} force row level security`,
    `create policy tenant on ${name} using (${own}) with check (${own})`,
  ]
}

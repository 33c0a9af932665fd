import pg from 'pg'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { runScript } from './kysely-driver.ts'

type Relation = {
  oid: string
  name: string
  kind: 'table' | 'view' | 'sequence'
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
  if (script.length > 0) await runScript(db, script.join(';\n'))
}

/**
 * What there is to do something about: what is new, sequences that the app may not use yet, views without security_invoker, and tables that
 * nobody may change and the app still can. Whatever stands as it should is left alone: a grant that was there already writes its row of the
 * catalogue again, and the rows of a whole installation, again with each of its migrations, took more time than the migrations.
 */
async function readRelations(db: Kysely<unknown>, app_role: string, before: ReadonlySet<string>): Promise<Relation[]> {
  const is_new = sql<boolean>`c.oid <> all(${[...before]}::oid[])`
  const is_invoker = sql<boolean>`exists (select from pg_options_to_table(c.reloptions) where option_name = 'security_invoker' and option_value::boolean)`
  // The table itself: obj_description is planned anew for every row.
  const is_append_only = sql<boolean>`exists (select from pg_description d where d.classoid = 'pg_class'::regclass and d.objoid = c.oid and d.objsubid = 0 and d.description like '%append-only%')`
  const { rows } = await sql<Relation>`
    select c.oid::text as oid, c.relname as name, case c.relkind when 'v' then 'view' when 'S' then 'sequence' else 'table' end as kind,
      (select a.attname from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
        where i.indrelid = c.oid and i.indisprimary) as leads_with,
      exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'school_id' and not a.attisdropped) as has_school_id,
      ${is_append_only} as append_only,
      ${is_invoker} as security_invoker,
      has_table_privilege(${app_role}, c.oid, 'update') as app_can_update
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'S') and not c.relispartition and c.relname not like 'kysely\\_%'
      and case c.relkind
        when 'S' then not has_sequence_privilege(${app_role}, c.oid, 'usage')
        when 'v' then ${is_new} or not ${is_invoker}
        else ${is_new} or (${is_append_only} and has_table_privilege(${app_role}, c.oid, 'update'))
      end
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    order by c.relname`.execute(db)
  return rows
}

function fenceOf(relation: Relation, app: string, is_new: boolean): string[] {
  const name = pg.escapeIdentifier(relation.name)
  if (relation.kind === 'sequence') return [`grant usage on sequence ${name} to ${app}`]
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

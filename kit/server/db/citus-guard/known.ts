import { local_tables } from '../distribution.ts'
import type { Session } from '../session.ts'

/** `shared`: on every worker (a reference table); `school`: its rows lie with their school; `local`: on the coordinator only. A view lies where what it reads lies. */
export type KnownTable = { place: 'school' | 'shared' | 'local'; columns: ReadonlyMap<string, string>; unstable: ReadonlySet<string> }

/** What the rules ask of a database. `changing`: functions that are not immutable, as `name/number of arguments`; `reading`: functions of the product, which read tables. */
export type Known = { tables: ReadonlyMap<string, KnownTable>; changing: ReadonlySet<string>; reading: ReadonlySet<string> }

/** Reads what the tables and functions of a database are, from its own catalogue. */
export async function readKnown(session: Pick<Session, 'query'>): Promise<Known> {
  const tables = await session.query(tables_sql, [])
  const functions = await session.query(functions_sql, [])
  const kept = new Set(tables.rows.filter(row => row.kind !== 'v' && row.leads_with === 'school_id').map(row => String(row.name)))
  const views = await session.query(views_sql, [])
  // A view that reads a table of schools, by way of other views too.
  for (let size = -1; size < kept.size; ) {
    size = kept.size
    for (const { name, reads } of views.rows) if (kept.has(String(reads))) kept.add(String(name))
  }
  return {
    tables: new Map(tables.rows.map(row => [String(row.name), tableOf(row, kept)])),
    changing: new Set(functions.rows.filter(row => row.is_changing).map(row => `${row.name}/${row.arguments}`)),
    reading: new Set(functions.rows.filter(row => row.is_own).map(row => String(row.name))),
  }
}

type TableRow = { name: string; columns: Record<string, string>; unstable: string[] }

function tableOf({ name, columns, unstable }: TableRow, kept: ReadonlySet<string>): KnownTable {
  const place = kept.has(name) ? 'school' : local_tables.includes(name) || name.startsWith('kysely') ? 'local' : 'shared'
  return { place, columns: new Map(Object.entries(columns)), unstable: new Set(unstable) }
}

const tables_sql = `
  select c.relname as name, c.relkind::text as kind, jsonb_object_agg(a.attname, t.typname) as columns,
    coalesce(array_agg(a.attname::text) filter (where p.provolatile <> 'i'), '{}') as unstable,
    (select k.attname from pg_index i join pg_attribute k on k.attrelid = c.oid and k.attnum = i.indkey[0] where i.indrelid = c.oid and i.indisprimary) as leads_with
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped join pg_type t on t.oid = a.atttypid join pg_proc p on p.oid = t.typoutput
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') group by c.oid`

const views_sql = `
  select distinct v.relname as name, t.relname as reads from pg_rewrite r join pg_class v on v.oid = r.ev_class and v.relkind = 'v' and v.relnamespace = 'public'::regnamespace
  join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid and d.refclassid = 'pg_class'::regclass and d.refobjid <> v.oid join pg_class t on t.oid = d.refobjid`

const functions_sql = `
  select p.proname as name, p.pronargs as arguments, bool_or(p.provolatile <> 'i') as is_changing,
    bool_or(p.pronamespace = 'public'::regnamespace and p.prosrc ~* '\\mfrom\\M') as is_own
  from pg_proc p join pg_language l on l.oid = p.prolang
  where p.prokind = 'f' and (p.provolatile <> 'i' or p.pronamespace = 'public'::regnamespace and l.lanname = 'sql') group by 1, 2`

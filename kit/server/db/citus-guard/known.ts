import type { Session } from '../session.ts'

/** `shared`: on every worker (a reference table); `school`: its rows lie with their school; `local`: on the coordinator only. A view is of the school when it has its column. */
export type KnownTable = { place: 'school' | 'shared' | 'local'; is_view: boolean; columns: ReadonlyMap<string, string>; unstable: ReadonlySet<string> }

/** What the rules ask of a database. `changing`: functions that are not immutable, as `name/number of arguments`; `reading`: functions of the product, which read tables. */
export type Known = { tables: ReadonlyMap<string, KnownTable>; changing: ReadonlySet<string>; reading: ReadonlySet<string> }

/** Tables without a school that stay where they are: each is written by every school at once, and a reference table has one writer at a time. */
export const local_tables: readonly string[] = ['work']

/** Reads what the tables and functions of a database are, from its own catalogue. */
export async function readKnown(session: Session): Promise<Known> {
  const tables = await session.query(tables_sql, [])
  const functions = await session.query(functions_sql, [])
  return {
    tables: new Map(tables.rows.map(row => [String(row.name), tableOf(row)])),
    changing: new Set(functions.rows.filter(row => row.is_changing).map(row => `${row.name}/${row.arguments}`)),
    reading: new Set(functions.rows.filter(row => row.is_own).map(row => String(row.name))),
  }
}

type TableRow = { name: string; kind: string; leads_with: string | null; columns: Record<string, string>; unstable: string[] }

function tableOf({ name, kind, leads_with, columns, unstable }: TableRow): KnownTable {
  const is_view = kind === 'v'
  const is_school = is_view ? 'school_id' in columns : leads_with === 'school_id'
  const place = is_school ? 'school' : local_tables.includes(name) || name.startsWith('kysely') ? 'local' : 'shared'
  return { place, is_view, columns: new Map(Object.entries(columns)), unstable: new Set(unstable) }
}

const tables_sql = `
  select c.relname as name, c.relkind::text as kind, jsonb_object_agg(a.attname, t.typname) as columns,
    coalesce(array_agg(a.attname::text) filter (where p.provolatile <> 'i'), '{}') as unstable,
    (select k.attname from pg_index i join pg_attribute k on k.attrelid = c.oid and k.attnum = i.indkey[0] where i.indrelid = c.oid and i.indisprimary) as leads_with
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped join pg_type t on t.oid = a.atttypid join pg_proc p on p.oid = t.typoutput
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v') group by c.oid`

const functions_sql = `
  select p.proname as name, p.pronargs as arguments, bool_or(p.provolatile <> 'i') as is_changing,
    bool_or(p.pronamespace = 'public'::regnamespace and p.prosrc ~* '\\mfrom\\M') as is_own
  from pg_proc p join pg_language l on l.oid = p.prolang
  where p.prokind = 'f' and (p.provolatile <> 'i' or p.pronamespace = 'public'::regnamespace and l.lanname = 'sql') group by 1, 2`

import { most_counted } from '@campus/audit/contract'
import { commonErrors, fail } from '@kit/contract'
import { sql } from 'kysely'
import type { QueryExecutorProvider, RawBuilder, Sql } from 'kysely'
import type { LogTable } from './log-columns.ts'
import type { Span } from './log-span.ts'

type Condition = RawBuilder<unknown>
/** A row as it lies in its journal, with the position it has there. */
export type Placed = { log_id: string; position: string }
export type Asked = { table: LogTable; school_id: number; span: Span; conditions: readonly Condition[] }
export type LogPage<Row> = { list: Row[]; total: number; is_bounded: boolean; older: string | null; newer: string | null; newest: string | null }

/** Where a page goes on: after (older) or before (newer) the row at this position. */
export type Position = { way: 'older' | 'newer'; at: string; log_id: string }

const way_signs = { older: '-', newer: '+' } as const
const position_form = /^([-+])(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)\/([0-9a-f-]{36})$/

/** The rows after (or before) a position, newest first. The instant travels as text: a Date would lose its microseconds, and rows with it. */
export async function readPage<Row extends object>(db: QueryExecutorProvider, asked: Asked, columns: readonly string[], { cursor, page_size }: { cursor?: string; page_size: number }): Promise<LogPage<Row>> {
  const position = cursor === undefined ? null : positionOf(cursor)
  const found = await readRows<Row>(db, asked, columns, position, page_size + 1)
  const is_back = position?.way === 'newer'
  const list = is_back ? found.slice(0, page_size).toReversed() : found.slice(0, page_size)
  const has_more = found.length > page_size
  const total = await countRows(db, asked)
  const [first, last] = [list.at(0), list.at(-1)]
  return {
    list,
    total: Math.min(total, most_counted),
    is_bounded: total > most_counted,
    older: last && (is_back || has_more) ? way_signs.older + last.position : null,
    newer: first && position && (!is_back || has_more) ? way_signs.newer + first.position : null,
    newest: first ? way_signs.newer + first.position : null,
  }
}

/** Rows newer than a position, counted up to a hundred. */
export async function countNewer(db: QueryExecutorProvider, asked: Asked, since: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (select 1 ${fromWhere(asked)} ${beyond({ ...positionOf(since), way: 'newer' })} limit 100) found`.execute(db)
  return rows[0]?.n ?? 0
}

/** Rows of a query from the newest on, at most `limit`. */
export async function readRows<Row extends object>(db: QueryExecutorProvider, asked: Asked, columns: readonly string[], position: Position | null, limit: number): Promise<(Row & Placed)[]> {
  const order = position?.way === 'newer' ? sql`asc` : sql`desc`
  const at = sql`to_char(l.happened_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '/' || l.log_id as position`
  const { rows } = await sql<Row & Placed>`
    select ${sql.join(columns.map(name => sql.ref(`l.${name}`)))}, ${at} ${fromWhere(asked)} ${position ? beyond(position) : sql``}
    order by l.happened_at ${order}, l.log_id ${order} limit ${limit}`.execute(db)
  return rows
}

/** Counts one row more than it promises, so that the caller knows there are more. */
export async function countRows(db: QueryExecutorProvider, asked: Asked, most: number = most_counted): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from (select 1 ${fromWhere(asked)} limit ${most + 1}) found`.execute(db)
  return rows[0]?.n ?? 0
}

/** The query without what came after a position, which itself stays. */
export function upTo(asked: Asked, position: string): Asked {
  const { at, log_id } = positionOf(way_signs.older + position)
  return { ...asked, conditions: [...asked.conditions, sql`(l.happened_at, l.log_id) <= (${at}::timestamptz, ${log_id}::uuid)`] }
}

/** Where the rows behind a row begin. */
export function behind({ position }: Placed): Position {
  return positionOf(way_signs.older + position)
}

function fromWhere({ table, school_id, span, conditions }: Asked): ReturnType<Sql> {
  const more = conditions.length === 0 ? sql`` : sql`and ${sql.join(conditions, sql` and `)}`
  return sql`from ${sql.table(table)} l where l.school_id = ${school_id} and l.happened_at >= ${span.begin} and l.happened_at < ${span.end} ${more}`
}

function beyond({ way, at, log_id }: Position): ReturnType<Sql> {
  const sign = way === 'older' ? sql`<` : sql`>`
  return sql`and (l.happened_at, l.log_id) ${sign} (${at}::timestamptz, ${log_id}::uuid)`
}

function positionOf(cursor: string): Position {
  const [, sign, at, log_id] = position_form.exec(cursor) ?? []
  if (at === undefined || log_id === undefined) throw fail(commonErrors.malformed)
  return { way: sign === way_signs.newer ? 'newer' : 'older', at, log_id }
}

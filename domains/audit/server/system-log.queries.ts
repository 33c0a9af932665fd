import { routine_calls } from '@campus/audit/contract'
import type { DayCount, OperationFilter, OperationRow } from '@campus/audit/contract'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { z } from 'zod'
import type { LogDesk } from './db.ts'
import type { Asked } from './log-page.ts'
import { spanOf } from './log-span.ts'
import type { Span } from './log-span.ts'
import { onRow } from './log-place.ts'

export type OperationAsked = z.output<typeof OperationFilter>

/** Columns of a line as a list shows it. */
export const operation_row_columns = [
  'log_id', 'happened_at', 'user_id', 'user_no', 'user_name', 'role_name', 'acted_for', 'client', 'ip', 'device_label', 'op_type', 'module_code', 'call',
  'target_kind', 'target_id', 'target_name', 'ok', 'code', 'msg', 'reason', 'batch_no', 'job_no', 'duration_ms',
] as const
export type StoredOperation = Omit<OperationRow, 'happened_at' | 'acted_for_name'> & { happened_at: Date }

/** Not what a page did by itself; what was refused is always told. */
const by_hand = sql<boolean>`not (l.ok and l.call = any(${[...routine_calls]}::text[]))`

/** What was asked of the operation log, as conditions. */
export function operationsAsked({ school_id, now }: Pick<LogDesk, 'school_id' | 'now'>, asked: OperationAsked): Asked {
  const { person, op_type, module, ok, target, batch, ip, routine } = asked
  const conditions = [
    person && byPerson(person),
    op_type && sql`l.op_type = ${op_type}`,
    module && sql`l.module_code = ${module}`,
    ok === undefined ? undefined : sql`l.ok = ${ok}`,
    target && sql`(l.target_id = ${target} or strpos(l.target_name, ${target}) > 0)`,
    batch && sql`l.batch_no = ${batch}`,
    ip && sql`starts_with(l.ip, ${ip})`,
    !routine && by_hand,
  ]
  return { table: 'operation_log', school_id, span: spanOf(asked, now), conditions: conditions.filter(one => typeof one === 'object') }
}

/** A name, or a number in signs of the keyboard: each has its index. */
export function byPerson(person: string): RawBuilder<unknown> {
  return /^[!-~]+$/.test(person) ? sql`l.user_no = ${person}` : sql`l.user_name = ${person}`
}

/** Operations and refusals of each day, those of pages by themselves only with `routine`. */
export async function countDays({ db, school_id }: LogDesk, { begin, end }: Span, routine = false): Promise<DayCount[]> {
  const { rows } = await sql<DayCount>`
    select (happened_at at time zone 'Asia/Shanghai')::date as day, count(*)::int as n, (count(*) filter (where not ok))::int as refused
    from operation_log l where school_id = ${school_id} and happened_at >= ${begin} and happened_at < ${end} and ${routine ? sql`true` : by_hand} group by 1 order by 1`.execute(db)
  return rows
}

/** One line with what changed in it; undefined when there is none in this school. */
export function findOperation({ db, school_id }: LogDesk, log_id: string) {
  return db
    .selectFrom('operation_log')
    .select([...operation_row_columns, 'request_id', 'before', 'after'])
    .where('school_id', '=', school_id)
    .where(onRow(log_id))
    .executeTakeFirst()
}

/** The lines of a request, the first one first. */
export async function requestLines({ db, school_id }: LogDesk, request_id: string, at: Date): Promise<StoredOperation[]> {
  const around_ms = 3_600_000
  return db
    .selectFrom('operation_log')
    .select(operation_row_columns)
    .where('school_id', '=', school_id)
    .where('happened_at', '>=', new Date(at.getTime() - around_ms))
    .where('happened_at', '<=', new Date(at.getTime() + around_ms))
    .where('request_id', '=', request_id)
    .orderBy('happened_at')
    .orderBy('log_id')
    .limit(50)
    .execute()
}

/** Everything that happened to an object, the newest 50. */
export async function objectLines({ db, school_id }: LogDesk, target_kind: string, target_id: string): Promise<StoredOperation[]> {
  return db
    .selectFrom('operation_log')
    .select(operation_row_columns)
    .where('school_id', '=', school_id)
    .where('target_kind', '=', target_kind)
    .where('target_id', '=', target_id)
    .orderBy('happened_at', 'desc')
    .orderBy('log_id', 'desc')
    .limit(50)
    .execute()
}

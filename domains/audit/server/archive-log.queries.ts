import type { ArchiveFilter, ArchiveLogRow, DayCount } from '@campus/audit/contract'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { LogDesk } from './db.ts'
import type { Asked } from './log-page.ts'
import { spanOf } from './log-span.ts'
import type { Span } from './log-span.ts'
import { onRow } from './log-place.ts'
import { byPerson } from './system-log.queries.ts'

export type ArchiveAsked = z.output<typeof ArchiveFilter>

/** Columns of a line as a list shows it. */
export const archive_row_columns = [
  'log_id', 'happened_at', 'person_kind', 'person_id', 'person_no', 'person_name', 'dept_id', 'dept_name', 'op_type', 'changes', 'source', 'batch_no', 'request_id',
  'user_id', 'user_no', 'user_name', 'role_name',
] as const
export type StoredArchive = Omit<ArchiveLogRow, 'happened_at' | 'changes'> & { happened_at: Date; changes: unknown }

/** What was asked of the archive journal, as conditions. */
export function archiveAsked({ school_id, now }: Pick<LogDesk, 'school_id' | 'now'>, asked: ArchiveAsked): Asked {
  const { person_kind, person, dept, field, source, operator, op_type, batch } = asked
  const conditions = [
    person_kind && sql`l.person_kind = ${person_kind}`,
    person && sql`(l.person_name = ${person} or l.person_no = ${person})`,
    dept && sql`strpos(l.dept_name, ${dept}) > 0`,
    field && sql`l.fields @> array[${field}]`,
    source && sql`l.source = ${source}`,
    operator && byPerson(operator),
    op_type && sql`l.op_type = ${op_type}`,
    batch && sql`l.batch_no = ${batch}`,
  ]
  return { table: 'archive_log', school_id, span: spanOf(asked, now), conditions: conditions.filter(one => typeof one === 'object') }
}

/** Lines of each day; nothing in this journal was refused. */
export async function countArchiveDays({ db, school_id }: LogDesk, { begin, end }: Span): Promise<DayCount[]> {
  const { rows } = await sql<DayCount>`
    select (happened_at at time zone 'Asia/Shanghai')::date as day, count(*)::int as n, 0 as refused
    from archive_log where school_id = ${school_id} and happened_at >= ${begin} and happened_at < ${end} group by 1 order by 1`.execute(db)
  return rows
}

/** The fields that changed in a span, with the words they had then. */
export async function changedFields({ db, school_id }: LogDesk, { begin, end }: Span): Promise<{ field: string; label: string }[]> {
  const { rows } = await sql<{ field: string; label: string }>`
    select c ->> 'field' as field, max(c ->> 'label') as label from archive_log, jsonb_array_elements(changes) c
    where school_id = ${school_id} and happened_at >= ${begin} and happened_at < ${end} group by 1 order by 2, 1 limit 300`.execute(db)
  return rows
}

/** One line; undefined when there is none in this school. */
export function findArchive({ db, school_id }: LogDesk, log_id: string) {
  return db.selectFrom('archive_log').select(archive_row_columns).where('school_id', '=', school_id).where(onRow(log_id)).executeTakeFirst()
}

/** The life of a person as far as it is kept, the newest 200. */
export function lifeLines({ db, school_id }: LogDesk, person_id: string): Promise<StoredArchive[]> {
  return db
    .selectFrom('archive_log')
    .select(archive_row_columns)
    .where('school_id', '=', school_id)
    .where('person_id', '=', person_id)
    .orderBy('happened_at', 'desc')
    .orderBy('log_id', 'desc')
    .limit(200)
    .execute()
}

/** Lines that a request wrote; they bear the moment of the request or a little later. */
export function archiveOfRequest({ db, school_id }: LogDesk, request_id: string, at: Date): Promise<StoredArchive[]> {
  const around_ms = 3_600_000
  return db
    .selectFrom('archive_log')
    .select(archive_row_columns)
    .where('school_id', '=', school_id)
    .where('happened_at', '>=', new Date(at.getTime() - around_ms))
    .where('happened_at', '<=', new Date(at.getTime() + around_ms))
    .where('request_id', '=', request_id)
    .orderBy('happened_at')
    .orderBy('person_kind')
    .orderBy('log_id')
    .limit(50)
    .execute()
}

import type { FeedRow } from '@campus/people/contract'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Db } from './db.ts'

/** What is asked of the archive journal; `end` is the first instant after the last day. */
export type FeedAsked = {
  school_id: number
  person_kinds: readonly number[]
  /** may the reader see the person of the line `l`? */
  seen: RawBuilder<boolean>
  begin?: Date
  end?: Date
  person?: string
  user_id?: string
  field?: string
  source?: string
  actor?: string
  batch_no?: string
  command_id?: string
  before?: { at: string; log_id: string }
}
type Line = Omit<FeedRow, 'happened_at' | 'changes' | 'user_id' | 'user_name' | 'user_no' | 'actor'> & {
  happened_at: Date
  position: string
  changes: unknown
  person_id: string
  person_no: string | null
  person_name: string
  actor_name: string | null
}

/** The newest lines that fit, with the position each has: the instant as text, because a Date would lose its microseconds. */
export async function feedLines(db: Db, asked: FeedAsked, limit: number): Promise<Line[]> {
  const { rows } = await sql<Line>`
    select l.log_id, l.happened_at, l.person_id, l.person_no, l.person_name, l.dept_name, l.op_type, l.changes, l.source, l.batch_no, l.command_id,
      l.user_name as actor_name, l.role_name, p.user_name as acted_for,
      to_char(l.happened_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '/' || l.log_id as position
    from archive_log_v l left join person p on p.school_id = ${asked.school_id} and p.user_id = l.acted_for
    where l.school_id = ${asked.school_id} and l.person_kind = any(${[...asked.person_kinds]}::smallint[]) and ${asked.seen} and ${sql.join(conditions(asked), sql` and `)}
    order by l.happened_at desc, l.log_id desc limit ${limit}`.execute(db)
  return rows
}

function conditions({ begin, end, person, user_id, field, source, actor, batch_no, command_id, before }: FeedAsked): RawBuilder<unknown>[] {
  const given = [
    begin && sql`l.happened_at >= ${begin}`,
    end && sql`l.happened_at < ${end}`,
    person && sql`(l.person_name = ${person} or l.person_no = ${person})`,
    user_id && sql`l.person_id = ${user_id}`,
    field && sql`l.fields @> array[${field}]`,
    source && sql`l.source = ${source}`,
    actor && sql`(l.user_name = ${actor} or l.user_no = ${actor})`,
    batch_no && sql`l.batch_no = ${batch_no}`,
    command_id && sql`l.command_id = ${command_id}`,
    before && sql`(l.happened_at, l.log_id) < (${before.at}::timestamptz, ${before.log_id}::uuid)`,
  ]
  return [sql`true`, ...given.filter(one => typeof one === 'object')]
}

/** Is there such a command in the school? */
export async function isCommand(db: Db, school_id: number, id: string): Promise<boolean> {
  return (await db.selectFrom('change_command').select('id').where('school_id', '=', school_id).where('id', '=', id).executeTakeFirst()) !== undefined
}

/** The changes of one person's file, of one PERSON_KIND, after an instant, newest first. */
export async function changesSince(db: Db, { school_id, person_id, person_kind, since }: { school_id: number; person_id: string; person_kind: number; since: Date }): Promise<unknown[]> {
  const rows = await db
    .selectFrom('archive_log_v')
    .select('changes')
    .where('school_id', '=', school_id)
    .where('person_id', '=', person_id)
    .where('person_kind', '=', person_kind)
    .where('happened_at', '>=', since)
    .orderBy('happened_at', 'desc')
    .orderBy('log_id', 'desc')
    .execute()
  return rows.map(row => row.changes)
}

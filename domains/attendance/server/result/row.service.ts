import type { RowEvidence, ResultKey, Who } from '@campus/attendance/contract'
import { commonErrors, fail } from '@kit/contract'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { AttendanceCtx } from '../db.ts'
import { rowEvidence } from '../recompute/evidence.ts'
import { readDetails } from './detail.service.ts'
import { kind_of, seenResults } from './scope.ts'

const iso = (at: Date) => at.toISOString()

/** One result `r` that somebody sees. */
async function oneResult(
  ctx: AttendanceCtx,
  who: Who,
  { lesson_date, expect_kind, occurrence_id, user_id }: ResultKey,
): Promise<RawBuilder<unknown>> {
  const seen = await seenResults(ctx, who, { from: lesson_date, to: lesson_date })
  return sql`r.school_id = ${ctx.school_id} and r.lesson_date = ${lesson_date}::date and r.expect_kind = ${expect_kind}
    and r.occurrence_id = ${occurrence_id}
    and r.user_id = ${user_id} and r.person_kind = ${kind_of[who]} and ${seen}`
}

/** Why a row says what it says (chapter 55 §4). @throws Refusal 404 */
export async function readRow(ctx: AttendanceCtx, who: Who, key: ResultKey): Promise<RowEvidence> {
  const { db, school_id } = ctx
  const where = await oneResult(ctx, who, key)
  const [row] = await readDetails(db, school_id, where, sql``)
  if (!row) throw fail(commonErrors.notFound)
  const facts = await sql<{
    rule_version: string | null
    event_ref: string | null
  }>`select r.rule_version, r.event_ref from attend_result r where ${where}`.execute(db)
  const { rule_version = null, event_ref = null } = facts.rows[0] ?? {}
  const [events, leaves, gates, corrections, changes] = await Promise.all([
    readEvents(ctx, key, event_ref),
    readLeaves(ctx, key),
    readGates(ctx, key),
    readFixes(ctx, key),
    readChanges(ctx, key),
  ])
  const { sentence, ladder } = await judged(ctx, key)
  return { row, rule_version, sentence, ladder, events, leaves, gates, corrections, changes }
}

/** The ladder of a row as the judge climbs it now; a lesson that is gone has none. */
async function judged({ db, school_id, now }: AttendanceCtx, key: ResultKey): Promise<Pick<RowEvidence, 'sentence' | 'ladder'>> {
  const found = await rowEvidence(db, school_id, key, now)
  return found ? { sentence: found.verdict.sentence, ladder: found.verdict.ladder } : { sentence: '', ladder: [] }
}

/** All claims of the person on that day, voided ones too. */
async function readEvents(
  { db, school_id }: AttendanceCtx,
  { lesson_date, user_id }: ResultKey,
  event_ref: string | null,
): Promise<RowEvidence['events']> {
  const { rows } = await sql<Omit<RowEvidence['events'][number], 'at' | 'is_decisive'> & { at: Date | null }>`
    select e.event_date::text as event_date, e.source::int as source, e.source_key, e.event_time as at, w.place_name,
      e.identify_type::int as identify_type, e.claim,
      exists (select 1 from attend_event_void v where v.school_id = ${school_id} and v.event_date = e.event_date and v.source = e.source
        and v.source_key = e.source_key and v.closed_at is null) as voided
    from attend_event e left join place_path_v w on w.school_id = ${school_id} and w.place_id = e.place_id
    where e.school_id = ${school_id} and e.event_date = ${lesson_date}::date and e.user_id = ${user_id} order by e.event_time, e.source,
      e.source_key`.execute(
    db,
  )
  return rows.map(row => ({
    ...row,
    at: row.at?.toISOString() ?? null,
    is_decisive: `${row.event_date}/${row.source}/${row.source_key}` === event_ref,
  }))
}

async function readLeaves({ db, school_id }: AttendanceCtx, { lesson_date, user_id }: ResultKey): Promise<RowEvidence['leaves']> {
  const { rows } = await sql<{ leave_id: string; begin_at: Date; end_at: Date; leave_type: string }>`
    select s.leave_id::text as leave_id, s.begin_at, s.end_at, s.leave_type from leave_span_v s
    where s.school_id = ${school_id} and s.user_id = ${user_id} and s.begin_at < ${dayAfter(lesson_date)}::timestamptz
      and s.end_at > ${midnight(lesson_date)}::timestamptz
    order by s.begin_at`.execute(db)
  return rows.map(row => ({ ...row, begin_at: iso(row.begin_at), end_at: iso(row.end_at) }))
}

async function readGates({ db, school_id }: AttendanceCtx, { lesson_date, user_id }: ResultKey): Promise<RowEvidence['gates']> {
  const { rows } = await sql<{ at: Date; direction: number; place_name: string | null }>`
    select p.event_time as at, p.direction::int as direction, w.place_name from access_pass_v p
      left join place_path_v w on w.school_id = ${school_id} and w.place_id = p.place_id
    where p.school_id = ${school_id} and p.subject_kind in (1, 2) and p.subject_id = ${user_id}
      and p.event_date between ${lesson_date}::date - 1 and ${lesson_date}::date + 1
      and p.event_time >= ${midnight(lesson_date)}::timestamptz and p.event_time < ${dayAfter(lesson_date)}::timestamptz
        order by p.event_time`.execute(
    db,
  )
  return rows.map(row => ({ ...row, at: iso(row.at) }))
}

async function readFixes({ db, school_id }: AttendanceCtx, key: ResultKey): Promise<RowEvidence['corrections']> {
  const { rows } = await sql<Omit<RowEvidence['corrections'][number], 'asked_at'> & { asked_at: Date }>`
    select c.correction_id::text as correction_id, c.from_state::int as from_state, c.to_state::int as to_state, c.reason_text,
      c.state::int as state, coalesce(p.display_name, '') as asked_name, c.asked_at
    from attend_correction c left join person_label p on p.school_id = ${school_id} and p.user_id = c.asked_by
    where c.school_id = ${school_id} and ${sameKey('c', key)} order by c.correction_id`.execute(db)
  return rows.map(row => ({ ...row, asked_at: iso(row.asked_at) }))
}

async function readChanges({ db, school_id }: AttendanceCtx, key: ResultKey): Promise<RowEvidence['changes']> {
  const { rows } = await sql<Omit<RowEvidence['changes'][number], 'at'> & { at: Date }>`
    select c.at, c.from_state::int as from_state, c.to_state::int as to_state, c.cause from attend_change c
      where c.school_id = ${school_id} and ${sameKey('c', key)} order by c.change_id`.execute(
    db,
  )
  return rows.map(row => ({ ...row, at: iso(row.at) }))
}

/** The condition that a table holds something of this result. */
export function sameKey(table: string, { lesson_date, expect_kind, occurrence_id, user_id }: ResultKey): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${table}.${name}`)
  return sql<boolean>`${column('lesson_date')} = ${lesson_date}::date and ${column('expect_kind')} = ${expect_kind}
    and ${column('occurrence_id')} = ${occurrence_id} and ${column('user_id')} = ${user_id}`
}

const midnight = (date: string) => new Date(`${date}T00:00:00+08:00`)
const dayAfter = (date: string) => new Date(`${date}T24:00:00+08:00`)

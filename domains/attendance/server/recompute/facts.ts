import { leaveClass, leaveTypeName } from '@campus/leave/contract'
import { sql } from 'kysely'
import type { Db } from '../db.ts'
import type { Correction, Evidence, Gate, Leave } from '../judge/types.ts'
import { dayAfter, dayEnd, dayStart } from './group.ts'
import type { Places } from './places.ts'

/** Whom to read facts of, on which date. */
export type Asked = { school_id: number; date: string; user_ids: readonly string[]; person_kind: number }
type ByUser<T> = ReadonlyMap<string, readonly T[]>
export type Exempt = { user_id: string; kind: string | null; weekdays: string | null; section_from: number | null; section_to: number | null; reason: string }

const accepted = 1
const unusable = 2
const correction_names: Readonly<Record<string, string>> = { teacher: '任课教师更正', office: '教务更正', appeal: '申诉更正', batch: '批量补录' }

/** Claims of these people that count: with a usable time, not voided. Slots over midnight see the next day too. */
export async function readEvidence(db: Db, { school_id, date, user_ids }: Asked, places: Places): Promise<ByUser<Evidence>> {
  const { rows } = await sql<{ user_id: string; ref: string; event_time: Date; place_id: string | null; direction: number; identify_type: number | null; source: number; claim: string; time_state: number; lesson_day_id: string | null }>`
    select e.user_id::text as user_id, e.event_date || '/' || e.source || '/' || e.source_key as ref, e.event_time,
      e.place_id::text as place_id, e.direction::int as direction,
      e.identify_type::int as identify_type, e.source::int as source, e.claim, e.time_state::int as time_state,
        e.lesson_day_id::text as lesson_day_id
    from attend_event e
    where e.school_id = ${school_id} and e.event_date between ${date}::date and ${dayAfter(date)}::date
      and e.user_id = any(${[...user_ids]}::bigint[])
      and e.time_state <> ${unusable} and e.event_time is not null and not exists (
        select 1 from attend_event_void v where v.school_id = ${school_id} and v.event_date = e.event_date and v.source = e.source
          and v.source_key = e.source_key and v.closed_at is null)
    order by e.event_time, e.source, e.source_key`.execute(db)
  return Map.groupBy(
    rows.map(({ event_time, place_id, identify_type, lesson_day_id, ...row }) => ({
      ...row, at: event_time.getTime(), place: places.of(place_id), way: identify_type, occurrence_id: lesson_day_id
    })),
    row => row.user_id
  )
}

/** Passes of the perimeter with a direction. */
export async function readGates(db: Db, { school_id, date, user_ids, person_kind }: Asked, places: Places): Promise<ByUser<Gate>> {
  const gates = [...places.gates]
  if (gates.length === 0) return new Map()
  const { rows } = await sql<{ user_id: string; event_time: Date; direction: number; place_id: string }>`
    select p.subject_id::text as user_id, p.event_time, p.direction::int as direction, p.place_id::text as place_id from access_pass_v p
    where p.school_id = ${school_id} and p.event_date = ${date}::date and p.subject_kind = ${person_kind}
      and p.subject_id = any(${[...user_ids]}::bigint[]) and p.result = ${accepted}
      and p.direction in (1, 2) and p.event_time is not null and p.place_id = any(${gates}::bigint[])
    order by p.event_time, p.ingest_seq`.execute(db)
  return Map.groupBy(
    rows.map(row => ({
      user_id: row.user_id, at: row.event_time.getTime(), direction: row.direction, place_name: places.of(row.place_id)?.name ?? '校门',
    })),
    row => row.user_id
  )
}

/** Leaves in force or finished that touch the date. */
export async function readLeaves(db: Db, { school_id, date, user_ids, person_kind }: Asked): Promise<ByUser<Leave>> {
  const { rows } = await sql<{ user_id: string; leave_id: string; begin_at: Date; end_at: Date; leave_type: string }>`
    select s.user_id::text as user_id, s.leave_id::text as leave_id, s.begin_at, s.end_at, s.leave_type from leave_span_v s
    where s.school_id = ${school_id} and s.user_id = any(${[...user_ids]}::bigint[]) and s.begin_at < ${dayEnd(dayAfter(date))}
      and s.end_at > ${dayStart(date)}
    order by s.begin_at, s.leave_id`.execute(db)
  return Map.groupBy(rows.map(({ user_id, leave_id, begin_at, end_at, leave_type }) => (
    {
      user_id, leave_id, begin: begin_at.getTime(), end: end_at.getTime(), is_public: leaveClass(leave_type) === 'public',
      text: leaveTypeName(person_kind, leave_type),
    }
  )), row => row.user_id)
}

export async function readExempts(db: Db, { school_id, date, user_ids }: Asked): Promise<ByUser<Exempt>> {
  const rows = await db.selectFrom('attend_exempt').select(['user_id', 'kind', 'weekdays', 'section_from', 'section_to', 'reason'])
    .where('school_id', '=', school_id)
    .where('valid_from', '<=', date).where('valid_to', '>', date).where(sql<boolean>`user_id = any(${[...user_ids]}::bigint[])`)
      .orderBy('exempt_id').execute()
  return Map.groupBy(rows, row => row.user_id)
}

/** Why a person need not clock: the reason of an exemption over this kind, weekday and section, or null. */
export function exemptOf(exempts: readonly Exempt[], of: { expect_kind: number; section: number; date: string }): string | null {
  const kind = of.expect_kind === 2 ? 'clock' : 'course'
  const weekday = (new Date(`${of.date}T00:00:00Z`).getUTCDay() + 6) % 7
  const found = exempts.find(one =>
    (one.kind === null || one.kind === kind) && (one.weekdays === null || one.weekdays[weekday] === '1') &&
    (one.section_from === null || one.section_to === null || of.expect_kind !== 1 ||
      (one.section_from <= of.section && of.section <= one.section_to)))
  return found ? `免考勤：${found.reason}` : null
}

/** Corrections in effect, by expectation: `1/88` = kind and occurrence. */
export async function readCorrections(
  db: Db, { school_id, date, user_ids }: Asked,
): Promise<ReadonlyMap<string, ReadonlyMap<string, Correction>>> {
  const rows = await db.selectFrom('attend_correction')
    .select(['correction_id', 'user_id', 'expect_kind', 'occurrence_id', 'to_state', 'late_min', 'early_min', 'reason_text', 'origin'])
      .where('school_id', '=', school_id).where('lesson_date', '=', date)
    .where('state', '=', 1).where(sql<boolean>`user_id = any(${[...user_ids]}::bigint[])`).orderBy('correction_id').execute()
  const grouped = Map.groupBy(rows, row => row.user_id)
  return new Map([...grouped].map(([user_id, own]) => [user_id, new Map(own.map(row => [
    `${row.expect_kind}/${row.occurrence_id}`,
    {
      correction_id: row.correction_id, state: row.to_state, late_min: row.late_min ?? 0, early_min: row.early_min ?? 0,
      text: `${correction_names[row.origin] ?? '更正'}：${row.reason_text}`,
    },
  ]))]))
}

import { passesRead } from '@campus/devices/server'
import { accessEvents, passChannel } from '@campus/access/contract'
import { schoolDay } from '@campus/school/server'
import { insertMany } from '@kit/server/db'
import { publish, publishEach } from '@kit/server/event'
import { push } from '@kit/server/realtime'
import { sql } from 'kysely'
import { z } from 'zod'
import { computeDays } from './day.ts'
import type { Work } from './db.ts'
import { keepPhotos } from './photo.ts'
import { sameOf, walk } from './walk.ts'
import type { Presence } from './walk.ts'

/** The key of a record of the journal, and of its reading. */
export type PassKey = { event_date: string; device_id: string; device_seq: string }

const accepted = 1
const [at_once, by_itself] = [1, 2] as const
const stranger = 5
const gate_kind = 9
const lock_class = 3500

const Row = z.object({
  event_date: z.string(), device_id: z.string(), device_seq: z.string(), device_time: z.date(), received_at: z.date(), event_time: z.date().nullable(), time_state: z.number(),
  subject_kind: z.number(), subject_id: z.string().nullable(), dept_id: z.string().nullable(), place_id: z.string().nullable(), is_perimeter: z.boolean(), direction: z.number(),
  verify_mode: z.number(), pass_state: z.number(), code_masked: z.string().nullable(), temp_tenths: z.number().nullable(),
  snapshot_key: z.string().nullable(),
})
type Row = z.output<typeof Row>

function passKeyOf({ event_date, device_id, device_seq }: PassKey): string {
  return `${event_date}/${device_id}/${device_seq}`
}

/**
 * Reads records of the journal into passes, each once however often it is asked for (chapter 35 R25): in one transaction of the school, one after the other (R29), so that whoever
 * reads by `ingest_seq` misses none. `is_past`: a school that is made with a past; nobody is told. @returns the passes that are new
 */
export async function readPasses(work: Work, keys: readonly PassKey[], is_past = false): Promise<PassKey[]> {
  if (keys.length === 0) return []
  const { db, school_id } = work
  await sql`select pg_advisory_xact_lock(${lock_class}, ${school_id})`.execute(db)
  const rows = await unread(work, keys)
  if (rows.length === 0) return []
  const { walked, moved } = await walkRows(work, rows)
  const values = rows.map((row) => {
    const { direction = 0, is_repeat = false, is_late = false } = walked.get(passKeyOf(row)) ?? {}
    const { pass_state, snapshot_key, ...rest } = row
    const facts = { has_photo: snapshot_key !== null, result: pass_state, direction, is_repeat, is_late }
    return { school_id, ...rest, ...facts, source: is_late ? by_itself : at_once }
  })
  await insertMany(db, 'access_pass', values)
  await keepPhotos(work, rows)
  await keepPresence(work, moved)
  await computeDays(work, values)
  if (!is_past) await announce(work, values, moved)
  await passesRead(work, new Date(Math.max(...rows.map(row => row.received_at.getTime()))))
  return rows
}

/** Records of these keys that are not passes yet, with place, person and department of their moment. */
async function unread({ db, school_id }: Work, keys: readonly PassKey[]): Promise<Row[]> {
  const dates = keys.map(key => key.event_date).toSorted()
  const [first, last] = [dates[0], dates.at(-1)]
  const { rows } = await sql`
    select e.event_date::text, e.device_id::text, e.device_seq, e.device_time, e.received_at, e.event_time, e.time_state::int,
      (case when e.user_id is null then ${stranger}::int else coalesce(e.person_kind, ${stranger}::int) end)::int as subject_kind, e.user_id::text as subject_id,
      coalesce(s.dept_id, t.dept_id)::text as dept_id, e.place_id::text, coalesce(p.place_kind = ${gate_kind}, false) as is_perimeter, coalesce(e.direction, 0)::int as direction,
      e.verify_mode::int, e.pass_state::int, e.code_masked, e.temp_tenths::int, e.snapshot_key
    from jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) k(event_date date, device_id bigint, device_seq text)
    join pass_event_v e on e.school_id = ${school_id} and e.event_date = k.event_date and e.device_id = k.device_id and e.device_seq = k.device_seq
      and e.event_date between ${first}::date and ${last}::date
    left join place_live_v p on p.school_id = ${school_id} and p.place_id = e.place_id
    left join student_membership s on s.school_id = ${school_id} and s.user_id = e.user_id and s.valid_from <= e.event_date and (s.valid_to is null or s.valid_to > e.event_date)
    left join staff_membership t on t.school_id = ${school_id} and t.user_id = e.user_id and t.is_primary and t.valid_from <= e.event_date and (t.valid_to is null or t.valid_to > e.event_date)
    where not exists (
      select 1 from access_pass a where a.school_id = ${school_id} and a.event_date = e.event_date and a.device_id = e.device_id and a.device_seq = e.device_seq)
    order by e.event_time, e.device_id, e.device_seq`.execute(db)
  // A person who is two things on one day has one pass.
  const once = new Map(z.array(Row).parse(rows).map(row => [passKeyOf(row), row]))
  return [...once.values()]
}

async function walkRows(work: Work, rows: readonly Row[]) {
  const records = rows.map((row) => {
    const direction = row.direction === 1 ? (1 as const) : row.direction === 2 ? (2 as const) : (0 as const)
    return {
      key: passKeyOf(row), subject: subjectOf(row), at: row.event_time, received_at: row.received_at, place_id: row.place_id, is_perimeter: row.is_perimeter,
      direction, is_accepted: row.pass_state === accepted, result: row.pass_state, device_id: row.device_id,
    }
  })
  return walk(records, await presencesOf(work, rows), await passesBefore(work, rows))
}

function subjectOf({ subject_kind, subject_id }: { subject_kind: number; subject_id: string | null }): string | null {
  return subject_id === null ? null : `${subject_kind}/${subject_id}`
}

async function presencesOf({ db, school_id }: Work, rows: readonly Row[]): Promise<Map<string, Presence>> {
  const ids = [...new Set(rows.flatMap(row => row.subject_id ?? []))]
  const found = await db.selectFrom('access_presence').selectAll().where('school_id', '=', school_id).where(sql<boolean>`subject_id = any(${ids}::bigint[])`).execute()
  return new Map(found.map(({ subject_kind, subject_id, state, basis, since, place_id, pass_key }) => {
    const is = state === 1 ? (1 as const) : state === 2 ? (2 as const) : (0 as const)
    const by = basis === 1 ? (1 as const) : basis === 2 ? (2 as const) : (3 as const)
    return [`${subject_kind}/${subject_id}`, { state: is, basis: by, since, place_id, pass_key }]
  }))
}

/** Passes of the same people in the seconds before. */
async function passesBefore({ db, school_id }: Work, rows: readonly Row[]): Promise<{ same: string; at: Date }[]> {
  const times = rows.flatMap(row => (row.event_time === null ? [] : [row.event_time.getTime()]))
  if (times.length === 0) return []
  const from = new Date(Math.min(...times) - 10_000)
  const until = new Date(Math.max(...times))
  const ids = [...new Set(rows.flatMap(row => row.subject_id ?? []))]
  const found = await db.selectFrom('access_pass').select(['subject_kind', 'subject_id', 'device_id', 'result', 'event_time']).where('school_id', '=', school_id)
    .where('event_date', '>=', schoolDay(new Date(from.getTime() - 86_400_000))).where('event_date', '<=', schoolDay(new Date(until.getTime() + 86_400_000)))
    .where('event_time', '>=', from).where('event_time', '<=', until).where(sql<boolean>`subject_id = any(${ids}::bigint[])`).orderBy('event_time').execute()
  return found.flatMap(one => (one.event_time === null ? [] : [{ same: sameOf({ subject: subjectOf(one), device_id: one.device_id, result: one.result }), at: one.event_time }]))
}

async function keepPresence({ db, school_id }: Work, moved: ReadonlyMap<string, Presence>): Promise<void> {
  const rows = [...moved].map(([subject, presence]) => {
    const [subject_kind = '', subject_id = ''] = subject.split('/')
    return { school_id, subject_kind: Number(subject_kind), subject_id, note: null, ...presence }
  })
  await insertMany(db, 'access_presence', rows, { columns: ['school_id', 'subject_kind', 'subject_id'], set: ['state', 'basis', 'since', 'place_id', 'pass_key', 'note'] })
}

type Kept = PassKey & { subject_kind: number; subject_id: string | null; place_id: string | null; event_time: Date | null; direction: number; is_late: boolean; result: number }

/** Tells the other domains and the walls; what is on a wall asks again for what it shows, so that the notice holds no name. */
async function announce(work: Work, passes: readonly Kept[], moved: ReadonlyMap<string, Presence>): Promise<void> {
  const { db, school_id } = work
  const { rows: [span] } = await sql<{ from_seq: string; to_seq: string }>`
    select min(p.ingest_seq)::text as from_seq, max(p.ingest_seq)::text as to_seq
    from jsonb_to_recordset(${JSON.stringify(passes.map(({ event_date, device_id, device_seq }) => ({ event_date, device_id, device_seq })))}::jsonb) k(event_date date, device_id bigint, device_seq text)
    join access_pass p on p.school_id = ${school_id} and p.event_date = k.event_date and p.device_id = k.device_id and p.device_seq = k.device_seq`.execute(db)
  if (!span) return
  await publish(work, accessEvents.passRecorded, span)
  await publishEach(work, accessEvents.presenceChanged, [...moved].map(([subject, { since, state, basis, place_id, pass_key }]) => {
    const [subject_kind = '', subject_id = ''] = subject.split('/')
    return { subject_kind: Number(subject_kind), subject_id, state, basis, place_id, pass_key, at: since.toISOString() }
  }))
  const denied = passes.flatMap(({ subject_kind, subject_id, place_id, direction, result, event_time, is_late, ...key }) => {
    if (result === accepted || subject_id === null || event_time === null || is_late) return []
    return [{ subject_kind, subject_id, place_id, direction, result, pass_key: passKeyOf(key), at: event_time.toISOString() }]
  })
  await publishEach(work, accessEvents.passDenied, denied)
  await push(work, passChannel, [{ to_seq: span.to_seq, count: passes.length }])
}

import { addressOf } from '@campus/files/server'
import { accessEvents, presence_states, PresenceRow } from '@campus/access/contract'
import type { PassRow, wallApi, WallPass } from '@campus/access/contract'
import { deptScope, inScope } from '@campus/people/server'
import { inPlaces, placeScope } from '@campus/places/server'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { nameHas, nameKeyOf } from '@kit/server/db'
import { publish } from '@kit/server/event'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { z } from 'zod'
import type { PassCtx } from './db.ts'
import { passesIn, readRows, requirePass } from './pass.queries.ts'
import { photoOf } from './photo.ts'

const [wall_size, gate_kind, slots, slot_ms] = [60, 9, 12, 300_000] as const
const photo_code = 'access.pass.photo'
const [students, staff, by_hand] = [1, 2, 3] as const

async function gatesSeen(ctx: PassCtx): Promise<RawBuilder<boolean>> {
  const scope = await placeScope(ctx)
  return scope === 'all' ? sql<boolean>`true` : sql<boolean>`p.place_id in (select w.place_id from place_live_v w where w.school_id = ${ctx.school_id} and ${inPlaces('w.node_path', scope)})`
}

/** Passes of today behind a wall's last one, in the order in which they were read; the last 60 for one that begins. */
export async function passesSince(ctx: PassCtx, { cursor, place_id }: Input<typeof wallApi.since>): Promise<Reply<typeof wallApi.since>> {
  const { db, school_id, now } = ctx
  const seen = await gatesSeen(ctx)
  if (place_id !== undefined) await requirePlace(ctx, place_id)
  const today = { from: new Date(`${schoolDay(now)}T00:00:00+08:00`), to: new Date(`${schoolDay(now)}T24:00:00+08:00`) }
  const where = sql`${passesIn(school_id, today)} and ${seen} and ${place_id === undefined ? sql`true` : sql`p.place_id = ${place_id}`} and ${cursor === undefined ? sql`true` : sql`p.ingest_seq > ${cursor}`}`
  const list = await readRows(ctx, where, { limit: wall_size, order: cursor === undefined ? sql`p.event_time desc` : sql`p.ingest_seq desc` })
  const newest = list.reduce((most, row) => (BigInt(row.ingest_seq) > most ? BigInt(row.ingest_seq) : most), BigInt(cursor ?? '0'))
  const last = cursor === undefined && list.length === 0 ? await lastSeq(db, school_id) : String(newest)
  return { list: await withPhotos(ctx, list), cursor: last }
}

async function lastSeq(db: PassCtx['db'], school_id: number): Promise<string> {
  const row = await db.selectFrom('access_pass').select('ingest_seq').where('school_id', '=', school_id).orderBy('ingest_seq', 'desc').limit(1).executeTakeFirst()
  return row?.ingest_seq ?? '0'
}

async function requirePlace({ db, school_id }: PassCtx, place_id: string): Promise<void> {
  const found = await db.selectFrom('place_live_v').select('place_id').where('school_id', '=', school_id).where('place_id', '=', place_id).executeTakeFirst()
  if (!found) throw fail(commonErrors.notFound)
}

/** Portraits of the archive, for whoever may see photos of passes. */
async function withPhotos(ctx: PassCtx, rows: readonly PassRow[]): Promise<WallPass[]> {
  const keys = ctx.me.codes.has(photo_code) ? await portraitsOf(ctx, rows.flatMap(row => row.user_id ?? [])) : new Map<string, string>()
  return rows.map((row) => {
    const file_key = row.user_id === null ? undefined : keys.get(row.user_id)
    return { ...row, photo_url: file_key === undefined ? null : portraitUrl(ctx, file_key) }
  })
}

function portraitUrl({ app, now, school_id, me }: PassCtx, file_key: string): string {
  return addressOf(app, now, { school_id, file_key, visibility: 'school' }, me)
}

async function portraitsOf({ db, school_id }: PassCtx, user_ids: readonly string[]): Promise<Map<string, string>> {
  if (user_ids.length === 0) return new Map()
  const ids = [...new Set(user_ids)]
  const pupils = await db.selectFrom('live_student').select(['user_id', 'photo_file_key']).where('school_id', '=', school_id).where(sql<boolean>`user_id = any(${ids}::bigint[])`).execute()
  const others = await db.selectFrom('live_staff').select(['user_id', 'photo_file_key']).where('school_id', '=', school_id).where(sql<boolean>`user_id = any(${ids}::bigint[])`).execute()
  return new Map([...pupils, ...others].flatMap(({ user_id, photo_file_key }) => (photo_file_key === null ? [] : [[user_id, photo_file_key]])))
}

/** The photos of one pass: what the door saw, and the portrait beside it. @throws Refusal 404 */
export async function passPhoto(ctx: PassCtx, key: { event_date: string; device_id: string; device_seq: string }) {
  const { pass_key, user_id, user_name } = await requirePass(ctx, key)
  const file_key = user_id === null ? undefined : (await portraitsOf(ctx, [user_id])).get(user_id)
  ctx.note({ target_kind: 'access.pass', target_id: pass_key, target_name: user_name ?? '陌生人' })
  const captured = await photoOf(ctx, key)
  return {
    captured_url: captured && addressOf(ctx.app, ctx.now, { ...captured, visibility: 'private' }, ctx.me),
    portrait_url: file_key === undefined ? null : portraitUrl(ctx, file_key),
  }
}

/** Counters over the wall: who is on campus, how many came and went today, each gate by five minutes of the last hour. */
export async function wallSummary(ctx: PassCtx): Promise<Reply<typeof wallApi.summary>> {
  const { db, school_id, now } = ctx
  const seen = await gatesSeen(ctx)
  const today = { from: new Date(`${schoolDay(now)}T00:00:00+08:00`), to: new Date(`${schoolDay(now)}T24:00:00+08:00`) }
  const first_slot = new Date(Math.floor(now.getTime() / slot_ms) * slot_ms - (slots - 1) * slot_ms)
  const passes = await sql<{ place_id: string; in_count: number; out_count: number; denied_count: number; slots: number[] }>`
    select p.place_id::text, count(*) filter (where p.direction = 1 and p.result = 1 and not p.is_repeat)::int as in_count, count(*) filter (where p.direction = 2 and p.result = 1 and not p.is_repeat)::int as out_count,
      count(*) filter (where p.result <> 1)::int as denied_count,
      array_agg(floor(extract(epoch from p.event_time - ${first_slot}::timestamptz) / 300)::int) filter (where p.event_time >= ${first_slot}::timestamptz) as slots
    from access_pass p where ${passesIn(school_id, today)} and p.is_perimeter and ${seen} group by p.place_id`.execute(db)
  const gates = await sql<{ place_id: string; place_name: string; online: number; devices: number }>`
    select p.place_id::text, p.place_name, count(d.device_id) filter (where d.online)::int as online, count(d.device_id)::int as devices
    from place_live_v p left join device_live_v d on d.school_id = ${school_id} and d.place_id = p.place_id
    where p.school_id = ${school_id} and p.place_kind = ${gate_kind} and ${seen} group by p.place_id, p.place_name order by p.place_name, p.place_id`.execute(db)
  const of = new Map(passes.rows.map(row => [row.place_id, row]))
  const sum = (figure: 'in_count' | 'out_count' | 'denied_count') => passes.rows.reduce((total, row) => total + row[figure], 0)
  const flow = (place_id: string) => Array.from({ length: slots }, (_, at) => (of.get(place_id)?.slots ?? []).filter(slot => slot === at).length)
  return {
    day: schoolDay(now),
    ...(await insideOf(ctx)),
    in_count: sum('in_count'), out_count: sum('out_count'), denied_count: sum('denied_count'),
    gates: gates.rows.map(gate => ({ ...gate, in_count: of.get(gate.place_id)?.in_count ?? 0, out_count: of.get(gate.place_id)?.out_count ?? 0, slots: flow(gate.place_id) })),
  }
}

async function insideOf({ db, school_id }: PassCtx) {
  const { rows: [row] } = await sql<{ students_in: number; staff_in: number; students: number; staff: number; visitors: number }>`
    select
      (select count(*)::int from access_presence p join live_student l on l.school_id = ${school_id} and l.user_id = p.subject_id where p.school_id = ${school_id} and p.state = 1 and p.subject_kind = ${students}) as students_in,
      (select count(*)::int from access_presence p join live_staff l on l.school_id = ${school_id} and l.user_id = p.subject_id where p.school_id = ${school_id} and p.state = 1 and p.subject_kind = ${staff}) as staff_in,
      (select count(*)::int from live_student l where l.school_id = ${school_id}) as students,
      (select count(*)::int from live_staff l where l.school_id = ${school_id}) as staff,
      (select count(*)::int from visitor_apply a where a.school_id = ${school_id} and a.state = 4) as visitors`.execute(db)
  return {
    student: { inside: row?.students_in ?? 0, total: row?.students ?? 0 }, teacher: { inside: row?.staff_in ?? 0, total: row?.staff ?? 0 }, visitors: row?.visitors ?? 0,
  }
}

const most_listed = 500

/** Who is on campus, who left, and of whom nothing is known, with how it is known; unknown ones first. */
export async function listPresence(ctx: PassCtx, { state, kind, keyword }: Input<typeof wallApi.presence>): Promise<Reply<typeof wallApi.presence>> {
  const { db, school_id } = ctx
  const scope = await deptScope(ctx, kind === 'student' ? 'student' : 'staff')
  const person_kind = kind === 'student' ? students : staff
  const from = sql`live_person l left join access_presence s on s.school_id = ${school_id} and s.subject_kind = l.person_kind and s.subject_id = l.user_id
    where l.school_id = ${school_id} and l.person_kind = ${person_kind} and ${inScope('l.label_dept_id', scope)} and ${state === undefined ? sql`true` : sql`coalesce(s.state, 0) = ${Number(state)}`}
      and ${keyword === undefined ? sql`true` : nameHas(nameKeyOf('l.user_name'), keyword)}`
  const { rows } = await sql`
    select l.person_kind::int as subject_kind, l.user_id::text as user_id, l.user_name, d.dept_name, coalesce(s.state, 0)::int as state, coalesce(s.basis, 2)::int as basis, s.since, w.place_name, s.note
    from (select l.*, s.state, s.basis, s.since, s.place_id, s.note from ${from}) l
    cross join lateral (select l.state, l.basis, l.since, l.place_id, l.note) s
    left join dept_now d on d.school_id = ${school_id} and d.id = l.label_dept_id
    left join place_path_v w on w.school_id = ${school_id} and w.place_id = s.place_id
    order by coalesce(s.state, 0), d.show_order, l.user_name limit ${most_listed}`.execute(db)
  const counted = await sql<{ n: number }>`select count(*)::int as n from ${from}`.execute(db)
  return { list: z.array(PresenceRow.extend({ since: z.date().transform(at => at.toISOString()).nullable() })).parse(rows), total: counted.rows[0]?.n ?? 0 }
}

/** Says by hand where somebody is; the next pass that is seen overrides it (chapter 35 R36). @throws Refusal 404 */
export async function fixPresence(ctx: PassCtx, { user_id, state, reason }: Input<typeof wallApi.fix>): Promise<Record<string, never>> {
  const { db, school_id, now } = ctx
  const person = await db.selectFrom('live_person').selectAll().where('school_id', '=', school_id).where('user_id', '=', user_id).where('person_kind', 'in', [students, staff]).executeTakeFirst()
  const scope = await deptScope(ctx, person?.person_kind === students ? 'student' : 'staff')
  if (!person || (scope !== 'all' && (person.label_dept_id === null || !scope.includes(person.label_dept_id)))) throw fail(commonErrors.notFound)
  const kept = { state, basis: by_hand, since: now, place_id: null, pass_key: null, note: reason }
  await db.insertInto('access_presence').values({ school_id, subject_kind: person.person_kind, subject_id: user_id, ...kept }).onConflict(clash => clash.columns(['school_id', 'subject_kind', 'subject_id']).doUpdateSet(kept)).execute()
  await publish(ctx, accessEvents.presenceChanged, { subject_kind: person.person_kind, subject_id: user_id, state, basis: by_hand, place_id: null, pass_key: null, at: now.toISOString() })
  ctx.note({ target_kind: 'access.live', target_id: user_id, target_name: `${person.user_name} ${presence_states[state]}` })
  return {}
}

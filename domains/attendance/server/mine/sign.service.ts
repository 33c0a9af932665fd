import { createHmac } from 'node:crypto'
import { resultErrors } from '@campus/attendance/contract'
import type { attendSignApi } from '@campus/attendance/contract'
import { inPlaces, placeScope } from '@campus/places/server'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { insertMany } from '@kit/server/db'
import { sql } from 'kysely'
import type { AttendanceCtx } from '../db.ts'
import { markPeople } from '../recompute/dirty.ts'
import { dayEvidence } from '../recompute/evidence.ts'

/** A code holds so long, and is taken for one turn more: typing takes time. */
const turn_ms = 20_000
const [qr_source, qr_way, digits] = [3, 3, 1_000_000] as const
const way_words = { 3: '扫码', 6: '定位' } as const

/** The code of a place at this moment, for a screen that stands there. @throws Refusal 404 */
export async function placeCode(
  ctx: AttendanceCtx,
  { place_id }: Input<typeof attendSignApi.code>,
): Promise<Reply<typeof attendSignApi.code>> {
  const { now } = ctx
  const place_name = await requirePlace(ctx, place_id)
  const turn = Math.floor(now.getTime() / turn_ms)
  const left_s = Math.ceil(((turn + 1) * turn_ms - now.getTime()) / 1000)
  return { place_name, code: codeOf(ctx, place_id, turn), left_s }
}

/** The name of a place of the caller's scope. @throws Refusal 404 */
export async function requirePlace(ctx: AttendanceCtx, place_id: string): Promise<string> {
  const { db, school_id } = ctx
  const scope = await placeScope(ctx)
  const place = await db
    .selectFrom('place_live_v as p')
    .select('p.place_name')
    .where('p.school_id', '=', school_id)
    .where('p.place_id', '=', place_id)
    .where(inPlaces('p.node_path', scope))
    .executeTakeFirst()
  if (!place) throw fail(commonErrors.notFound)
  return place.place_name
}

/**
 * Notes that somebody was at a place whose code he reads there (chapter 55 §4): once a code and person, whatever is expected of him. The
 * answer says what it counts for, or why for nothing. @throws Refusal 422 signCode, signPerson
 */
export async function signIn(ctx: AttendanceCtx, { code }: Input<typeof attendSignApi.add>): Promise<Reply<typeof attendSignApi.add>> {
  const { db, school_id, now } = ctx
  ctx.scoped()
  const [place_id = ''] = code.split('-')
  const now_turn = Math.floor(now.getTime() / turn_ms)
  const turn = [now_turn, now_turn - 1].find(one => codeOf(ctx, place_id, one) === code)
  const place =
    turn === undefined
      ? undefined
      : await db
          .selectFrom('place_live_v')
          .select('place_name')
          .where('school_id', '=', school_id)
          .where('place_id', '=', place_id)
          .executeTakeFirst()
  if (turn === undefined || !place) throw fail(resultErrors.signCode)
  const key = `${place_id}/${turn}`
  return { place_name: place.place_name, ...(await claimHere(ctx, { source: qr_source, way: qr_way, place_id, ...place, key })) }
}

type Claimed = { source: 3 | 4; way: 3 | 6; place_id: string; place_name: string; key: string }

/**
 * Writes the claim of somebody who is at a place at this moment; the same `key` of a person counts once. @returns when, and which lesson
 * or slot it decides, or why it counts for nothing. @throws Refusal 422 signPerson
 */
export async function claimHere(
  ctx: AttendanceCtx,
  { source, way, place_id, place_name, key }: Claimed,
): Promise<{ at: string; served: string | null; hint: string | null }> {
  const { db, school_id, now, me } = ctx
  const date = schoolDay(now)
  const row = {
    school_id,
    event_date: date,
    source,
    source_key: `${me.user_id}/${key}`,
    user_id: me.user_id,
    person_kind: await personKind(ctx),
    event_time: now,
    received_at: now,
    time_state: 0,
    place_id,
    identify_type: way,
    claim: 'seen',
  }
  await insertMany(db, 'attend_event', [row], { columns: ['school_id', 'event_date', 'source', 'source_key'] })
  await markPeople(ctx, date, [me.user_id], 'late_event')
  ctx.note({ target_kind: 'attendance.event', target_id: me.user_id, target_name: me.user_name, after: { place_name } })
  return { at: now.toISOString(), ...(await servedBy(ctx, way, `${date}/${source}/${row.source_key}`)) }
}

function codeOf({ app, school_id }: AttendanceCtx, place_id: string, turn: number): string {
  const sum = createHmac('sha256', app.secrets.token_key).update(`attend.sign:${school_id}:${place_id}:${turn}`).digest()
  return `${place_id}-${String(sum.readUInt32BE(0) % digits).padStart(6, '0')}`
}

async function personKind({ db, school_id, me }: AttendanceCtx): Promise<1 | 2> {
  const { rows } = await sql<{ person_kind: number }>`select l.person_kind::int as person_kind from person_label l
    where l.school_id = ${school_id} and l.user_id = ${me.user_id}`.execute(db)
  const kind = rows[0]?.person_kind ?? 0
  if (kind === 3 || kind === 0) throw fail(resultErrors.signPerson)
  return kind === 1 ? 1 : 2
}

/** The lesson or slot that this claim decides; otherwise why it counts for nothing now. */
async function servedBy({ db, school_id, now, me }: AttendanceCtx, way: 3 | 6, event_ref: string) {
  const day = [...(await dayEvidence(db, school_id, { date: schoolDay(now), user_id: me.user_id }, now)).values()]
  const served = day.find(one => one.verdict.event_ref === event_ref)
  if (served) return { served: served.expected.title, hint: null }
  const near = day.filter(one => Math.abs(one.expected.begin - now.getTime()) < 60 * 60_000)
  const is_barred = near.length > 0 && near.every(one => !one.ways.includes(way))
  const hint =
    near.length === 0
      ? '已记录，但现在没有需要打卡的课程或时段'
      : is_barred
        ? `已记录，但当前规则不接受${way_words[way]}打卡`
        : '已记录，不在打卡时段、不是本节地点，或本节已有打卡'
  return { served: null, hint }
}

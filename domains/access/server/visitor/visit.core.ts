import { accessErrors, accessEvents, visit_states, visitChannel, visitTemplates } from '@campus/access/contract'
import { declareCredentials, declareGrants, declareSubjects, revoke } from '@campus/devices/server'
import { nextSubjectIds } from '@campus/identity/server'
import { send } from '@campus/messages/server'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import { nameKey } from '@kit/contract/checks'
import { asTables } from '@kit/server/db'
import { publish, setTimer } from '@kit/server/event'
import { push } from '@kit/server/realtime'
import { addDays, startOfDate } from '@kit/terminal-protocol'
import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { AccessDb } from '../db.ts'
import { readSites } from '../decide/read-facts.ts'
import { recordEffects } from '../effect/record.ts'
import type { Work } from '../pass/db.ts'
import { givePlaceBack, requireReceiver, takePlace } from './receiver.ts'
import type { Receiver } from './receiver.ts'
import { hashOf, newCodes, seal, tokenHash, unseal } from './seal.ts'
import { readReasons, readVisitorSetting, requirePlaces } from './setting.ts'

export const visit_timer = 'access.visit'
const source = 'visitor'
const [minute_ms, day_ms, late_minutes] = [60_000, 86_400_000, 10] as const
const [visitor_kind, gate_kind, way_out, both_ways] = [4, 9, 2, 3] as const
/** Codes of `visit_states`. */
export const states = { waits: 0, approved: 1, refused: 2, cancelled: 3, arrived: 4, left: 5, expired: 6, blocked: 7 } as const
/** Codes of `visit_channels`. */
export const channels = { member: 1, desk: 2, own: 3, sheet: 4 } as const

export type NewVisit = {
  visitor_name: string; mobile: string; company: string; reason_code: string; reason_text: string; receiver: Receiver; student_id: string | null; followers: number; plate: string; begin_at: Date; end_at: Date; place_ids: readonly string[]; channel: number
}

/** A visit with what every step needs, locked. */
export type Visit = {
  apply_id: string; apply_no: string; subject_id: string; visitor_id: string; visitor_name: string; receiver_user_id: string; begin_at: Date; end_at: Date; state: number; audit_mode: number; version: number; overdue_at: Date | null; overdue_times: number; extend_count: number
  pass_code_enc: Buffer; qr_enc: Buffer; mobile_enc: Buffer; plate: string | null; followers: number; student_id: string | null
}

/** Takes a booking: times, reason, blacklist, then the place in the receiver's day and the visit itself, whose constraints decide. @returns its token, which is kept nowhere */
export async function bookVisit(work: Work, wish: NewVisit): Promise<{ apply_id: string; token: string }> {
  const { app, db, school_id, now } = work
  const setting = await readVisitorSetting(db, school_id)
  const { receiver, channel } = wish
  checkTimes(now, setting, wish)
  if (wish.followers > setting.follower_max) throw fail(accessErrors.followersMost, { params: { n: setting.follower_max }, errors: [{ field: 'followers', msg: `同行人数不能超过${setting.follower_max}人` }] })
  const reason = (await readReasons(db, school_id)).find(one => one.reason_code === wish.reason_code)
  if (!reason || reason.status === 0) throw fail(accessErrors.reasonOff, { errors: [{ field: 'reason_code', msg: accessErrors.reasonOff.msg }] })
  if (reason.need_student && wish.student_id === null && channel !== channels.own) throw fail(accessErrors.studentNeeded, { errors: [{ field: 'student_id', msg: accessErrors.studentNeeded.msg }] })
  if (!receiver.enabled) throw fail(accessErrors.receiverOff, { errors: [{ field: channel === channels.own ? 'receiver' : 'receiver_user_id', msg: accessErrors.receiverOff.msg }] })
  const mobile_hash = hashOf(app, school_id, 'mobile', wish.mobile)
  const listed = await blacklisted(work, { mobile_hash, plate: wish.plate })
  if (listed !== null) throw channel === channels.own ? fail(accessErrors.blacklisted) : fail(accessErrors.blacklistHit, { params: { reason: listed } })
  const place_ids = await routeOf(work, [...wish.place_ids, ...reason.place_ids], setting.place_ids)
  await takePlace(work, receiver, schoolDay(wish.begin_at))
  const visitor_id = await keepVisitor(work, wish, mobile_hash)
  const made = await insertVisit(work, wish, { visitor_id, audit_mode: reason.audit_mode ?? setting.audit_mode })
  for (const place_id of place_ids) await db.insertInto('visitor_apply_place').values({ school_id, apply_id: made.apply_id, place_id, direction: both_ways }).execute()
  await planEnd(work, made.apply_id, new Date(wish.end_at.getTime() + setting.after_min * minute_ms))
  const visit = await lockVisit(work, made.apply_id)
  await publish(work, accessEvents.visitSubmitted, factsOf(visit))
  if (receiver.auto_pass || work.me?.user_id === receiver.user_id) await recordStep(work, visit, { step: 1, role: 1, auditor: receiver.user_id, opinion: receiver.auto_pass ? '自动通过' : null })
  else await tellHost(work, visit, 'submitted', receiver)
  await settleSteps(work, await lockVisit(work, made.apply_id))
  return made
}

type Hours = { open_from: string; open_to: string; max_minutes: number; advance_days: number }

/** @throws Refusal visitPast, visitFar, visitDay, visitTime (R43) */
export function checkTimes(now: Date, hours: Hours, wish: Pick<NewVisit, 'begin_at' | 'end_at' | 'channel'>): void {
  const { begin_at, end_at, channel } = wish
  const { open_from, open_to, max_minutes, advance_days } = hours
  const clock = (at: Date) => new Date(at.getTime() + 8 * 60 * minute_ms).toISOString().slice(11, 16)
  const length = (end_at.getTime() - begin_at.getTime()) / minute_ms
  const at = (field: string) => ({ errors: [{ field, msg: '' }] })
  if (begin_at.getTime() < now.getTime() - late_minutes * minute_ms) throw fail(accessErrors.visitPast, { errors: [{ field: 'begin_at', msg: accessErrors.visitPast.msg }] })
  if (begin_at.getTime() > now.getTime() + advance_days * day_ms) throw fail(accessErrors.visitFar, { params: { n: advance_days }, errors: [{ field: 'begin_at', msg: `只能预约${advance_days}天内的来访` }] })
  if (schoolDay(begin_at) !== schoolDay(end_at) && length > 0) throw fail(accessErrors.visitDay, { errors: [{ field: 'end_at', msg: accessErrors.visitDay.msg }] })
  const in_hours = channel === channels.desk || (clock(begin_at) >= open_from && clock(end_at) <= open_to)
  if (length > 0 && length <= max_minutes && in_hours) return
  const h = Math.floor((max_minutes / 60) * 10) / 10
  const msg = `来访时间须在${open_from}-${open_to}之间且不超过${h}小时`
  throw fail(accessErrors.visitTime, { params: { from: open_from, to: open_to, h }, errors: at('end_at').errors.map(one => ({ ...one, msg })) })
}

/** The reason why a visitor may not come; null: he may. */
async function blacklisted({ db, school_id, now }: Work, { mobile_hash, plate }: { mobile_hash: string; plate: string | null }): Promise<string | null> {
  const found = await db.selectFrom('visitor_blacklist').select('reason').where('school_id', '=', school_id).where('lifted_at', 'is', null)
    .where('valid_from', '<=', now).where(sql<boolean>`(valid_to is null or valid_to > ${now}::timestamptz)`)
    .where(sql<boolean>`(mobile_hash = ${mobile_hash} or (plate is not null and plate = ${plate === '' ? null : plate}))`).limit(1).executeTakeFirst()
  return found?.reason ?? null
}

/** Doors of a visit: those asked for and those of the reason, else the school's default, else its gates. @throws Refusal noDoor, 404 */
async function routeOf(work: Work, asked: readonly string[], usual: readonly string[]): Promise<string[]> {
  const { db, school_id } = work
  await requirePlaces(work, asked)
  if (asked.length > 0) return [...new Set(asked)]
  const chosen = usual.length > 0 ? await db.selectFrom('place_live_v').select('place_id').where('school_id', '=', school_id).where(sql<boolean>`place_id = any(${[...usual]}::bigint[])`).execute() : []
  const doors = chosen.length > 0 ? chosen : await db.selectFrom('place_live_v').select('place_id').where('school_id', '=', school_id).where('place_kind', '=', gate_kind).orderBy('place_id').limit(20).execute()
  if (doors.length === 0) throw fail(accessErrors.noDoor)
  return doors.map(door => door.place_id)
}

export async function keepVisitor({ app, db, school_id, now }: Work, { visitor_name, mobile, company }: NewVisit, mobile_hash: string): Promise<string> {
  const known = { company: company === '' ? null : company, last_at: now }
  const { visitor_id } = await db.insertInto('visitor')
    .values({ school_id, visitor_name, name_key: nameKey(visitor_name), mobile_enc: seal(app, school_id, 'mobile', mobile), mobile_hash, mobile_tail: mobile.slice(-4), visit_count: 0, ...known })
    .onConflict(clash => clash.columns(['school_id', 'mobile_hash', 'name_key']).doUpdateSet(known)).returning('visitor_id').executeTakeFirstOrThrow()
  return visitor_id
}

export async function insertVisit(work: Work, wish: NewVisit, { visitor_id, audit_mode }: { visitor_id: string; audit_mode: number }): Promise<{ apply_id: string; token: string }> {
  const { app, db, school_id, now, me } = work
  const { pass_code, qr, token } = newCodes()
  const [subject_id = ''] = await nextSubjectIds(db, 1)
  const apply_no = `V${schoolDay(now).slice(2).replaceAll('-', '')}${String(randomInt(100_000)).padStart(5, '0')}`
  const { reason_code, student_id, channel, followers, begin_at, end_at } = wish
  const { apply_id } = await db.insertInto('visitor_apply').values({
    school_id, subject_id, apply_no, visitor_id, reason_code, reason_text: wish.reason_text || null, receiver_user_id: wish.receiver.user_id, student_id, channel, followers, plate: wish.plate || null, begin_at, end_at, state: states.waits, audit_mode,
    pass_code_enc: seal(app, school_id, 'pass_code', pass_code), pass_code_hash: hashOf(app, school_id, 'pass_code', pass_code), qr_enc: seal(app, school_id, 'qr', qr), qr_hash: tokenHash(qr), token_hash: tokenHash(token), created_at: now, created_by: me?.user_id ?? null,
  }).returning('apply_id').executeTakeFirstOrThrow()
  return { apply_id, token }
}

/** @throws Refusal 404 */
export async function lockVisit({ db, school_id }: Pick<Work, 'db' | 'school_id'>, apply_id: string): Promise<Visit> {
  const own = await db.selectFrom('visitor_apply').selectAll().where('school_id', '=', school_id).where('apply_id', '=', apply_id).forUpdate().executeTakeFirst()
  if (!own) throw fail(commonErrors.notFound)
  const visitor = await db.selectFrom('visitor').select(['visitor_name', 'mobile_enc']).where('school_id', '=', school_id).where('visitor_id', '=', own.visitor_id).executeTakeFirstOrThrow()
  return { ...own, ...visitor }
}

function factsOf({ apply_no, subject_id, receiver_user_id }: Visit) {
  return { apply_no, subject_id, receiver_user_id }
}

/** Ends a visit's time, or says that somebody is still inside, at an instant. */
export async function planEnd(work: Work, apply_id: string, due_at: Date): Promise<void> {
  await setTimer(work, { kind: visit_timer, ref: `${apply_id} ${due_at.toISOString()}`, due_at })
}

/** @throws Refusal visitState where the visit is in none of these states */
export function requireState({ state }: Visit, wanted: readonly number[], action: string): void {
  const names: Readonly<Record<string, string>> = visit_states
  if (!wanted.includes(state)) throw fail(accessErrors.visitState, { params: { state: names[String(state)] ?? '', action } })
}

export async function recordStep({ db, school_id, now }: Work, { apply_id }: Pick<Visit, 'apply_id'>, { step, role, auditor, verdict = 1, opinion }: { step: number; role: number; auditor: string; verdict?: number; opinion: string | null }): Promise<void> {
  await db.insertInto('visitor_audit').values({ school_id, apply_id, step, role, auditor_user_id: auditor, verdict, opinion, at: now }).execute()
}

/** Steps that a visit has passed. */
export async function stepsDone({ db, school_id }: Work, apply_id: string): Promise<number> {
  const { n } = await db.selectFrom('visitor_audit').select(sql<number>`count(*)::int`.as('n')).where('school_id', '=', school_id).where('apply_id', '=', apply_id).where('verdict', '=', 1).executeTakeFirstOrThrow()
  return n
}

/** Lets a visit through once all its steps are passed (chapter 35 R45). */
export async function settleSteps(work: Work, visit: Visit): Promise<void> {
  await push(work, visitChannel, [{ apply_no: visit.apply_no }])
  const wanted = visit.audit_mode === 1 ? 1 : 2
  if (visit.state !== states.waits || (await stepsDone(work, visit.apply_id)) < wanted) return
  await setState(work, visit, { state: states.approved })
  await declareVisit(work, visit)
  await publish(work, accessEvents.visitApproved, factsOf(visit))
  await tellVisitor(work, visit, 'approved')
}

type Change = { state: number; arrived_at?: Date; arrived_pass_key?: string; left_at?: Date; left_basis?: number; refuse_reason?: string }
async function setState({ db, school_id }: Work, { apply_id, version }: Visit, change: Change): Promise<void> {
  await db.updateTable('visitor_apply').set({ ...change, version: version + 1 }).where('school_id', '=', school_id).where('apply_id', '=', apply_id).execute()
}

const refsOf = (apply_id: string, place_ids: readonly string[]) => [`visit ${apply_id} qr`, `visit ${apply_id} code`, ...place_ids.map(place_id => `visit ${apply_id} at ${place_id}`)]

async function placesOf({ db, school_id }: Work, apply_id: string): Promise<string[]> {
  const rows = await db.selectFrom('visitor_apply_place').select('place_id').where('school_id', '=', school_id).where('apply_id', '=', apply_id).orderBy('place_id').execute()
  return rows.map(row => row.place_id)
}

/** Makes an approved visit known at exactly the doors of its route, until an absolute end (chapter 35 R40). */
export async function declareVisit(work: Work, visit: Visit): Promise<void> {
  const { before_min, after_min } = await readVisitorSetting(work.db, work.school_id)
  const from = new Date(visit.begin_at.getTime() - before_min * minute_ms)
  await declareAtDoors(work, visit, { direction: both_ways, from, until: new Date(visit.end_at.getTime() + after_min * minute_ms) })
}

/**
 * Who is still inside after the end gets out by the doors of his route until midnight, and no longer in: the gate itself ends his
 * visit (R12 locks nobody in).
 */
export async function declareWayOut(work: Work, visit: Visit): Promise<void> {
  const midnight = startOfDate(addDays(schoolDay(work.now), 1))
  await declareAtDoors(work, visit, { direction: way_out, from: visit.begin_at, until: midnight })
}

type Window = { direction: 2 | 3; from: Date; until: Date }

async function declareAtDoors(work: Work, visit: Visit, { direction, from, until }: Window): Promise<void> {
  const { app, school_id } = work
  const { apply_id, subject_id: user_id, visitor_name, apply_no } = visit
  const version = visit.version + 1
  await declareSubjects(work, [{ user_id, person_kind: visitor_kind, user_no: apply_no, user_name: visitor_name, dept_name: null, live: true }])
  await declareCredentials(work, [
    { source, source_ref: `visit ${apply_id} qr`, version, user_id, cred_kind: 'qr', code: unseal(app, school_id, 'qr', visit.qr_enc), usable: true, valid_until: until },
    { source, source_ref: `visit ${apply_id} code`, version, user_id, cred_kind: 'password', code: unseal(app, school_id, 'pass_code', visit.pass_code_enc), usable: true, valid_until: until },
  ])
  const places = await placesOf(work, apply_id)
  await declareGrants(work, places.map(place_id => ({
    source, source_ref: `visit ${apply_id} at ${place_id}`, version, user_id, place_id, direction, windows: [{ from: from.toISOString(), to: until.toISOString() }], expires_at: until,
  })))
  await recordVisit(work, visit, { changed: places })
}

type Moved = { changed?: string[]; gone?: string[] }

/** Receipts of a visit at the doors of its route. */
async function recordVisit(work: Work, visit: Pick<Visit, 'apply_id' | 'subject_id'>, { changed = [], gone = [] }: Moved): Promise<void> {
  const { apply_id, subject_id: user_id } = visit
  const step = { ...work, db: asTables<AccessDb>(work.db) }
  const atPlace = (place_id: string) => ({ user_id, place_id, direction: both_ways })
  const sites = await readSites(step.db, work.school_id)
  await recordEffects(step, () => [{ kind: 'visit', id: apply_id }], { sites, changed: changed.map(atPlace), gone: gone.map(atPlace) })
}

/** Takes a visitor off every door; rights go before the person does. */
async function withdrawVisit(work: Work, { apply_id, subject_id: user_id, apply_no, visitor_name }: Visit): Promise<void> {
  const places = await placesOf(work, apply_id)
  await revoke(work, source, refsOf(apply_id, places))
  await recordVisit(work, { apply_id, subject_id: user_id }, { gone: places })
  await declareSubjects(work, [{ user_id, person_kind: visitor_kind, user_no: apply_no, user_name: visitor_name, dept_name: null, live: false }])
}

const ended = { refused: ['visitRefused', states.refused], cancelled: ['visitCancelled', states.cancelled], expired: ['visitExpired', states.expired], blocked: ['visitBlocked', states.blocked] } as const

/** Ends a visit that is not over: its place in the receiver's day is free again, no door knows the visitor any more. */
export async function endVisit(work: Work, visit: Visit, how: keyof typeof ended, refuse_reason?: string): Promise<void> {
  const [event, state] = ended[how]
  await setState(work, visit, { state, ...(refuse_reason === undefined ? {} : { refuse_reason }) })
  if (visit.state !== states.arrived && how !== 'expired') await givePlaceBack(work, visit.receiver_user_id, schoolDay(visit.begin_at))
  if (visit.state !== states.waits) await withdrawVisit(work, visit)
  await publish(work, accessEvents[event], factsOf(visit))
  await push(work, visitChannel, [{ apply_no: visit.apply_no }])
  if (how === 'refused') await tellVisitor(work, visit, 'refused')
}

/** The visitor is here. */
export async function arriveVisit(work: Work, visit: Visit, arrived_pass_key?: string): Promise<void> {
  await setState(work, visit, { state: states.arrived, arrived_at: work.now, ...(arrived_pass_key === undefined ? {} : { arrived_pass_key }) })
  await work.db.updateTable('visitor').set({ visit_count: sql<number>`visit_count + 1`, last_at: work.now }).where('school_id', '=', work.school_id).where('visitor_id', '=', visit.visitor_id).execute()
  await publish(work, accessEvents.visitArrived, factsOf(visit))
  await push(work, visitChannel, [{ apply_no: visit.apply_no }])
  await tellHost(work, visit, 'arrived')
}

/** The visitor has left: by a gate (1), by the guard (2), or the system says so (3). */
export async function leaveVisit(work: Work, visit: Visit, left_basis: 1 | 2 | 3): Promise<void> {
  await setState(work, visit, { state: states.left, left_at: work.now, left_basis })
  await withdrawVisit(work, visit)
  await publish(work, accessEvents.visitLeft, factsOf(visit))
  await push(work, visitChannel, [{ apply_no: visit.apply_no }])
  await tellHost(work, visit, 'left')
}


const minuteText = (at: Date) => new Date(at.getTime() + 8 * 60 * minute_ms).toISOString().slice(0, 16).replace('T', ' ')

/** Tells the host, and who stands in for him. */
export async function tellHost(work: Work, visit: Visit, what: 'submitted' | 'arrived' | 'overdue' | 'left', known?: Receiver): Promise<void> {
  const receiver = known ?? (await requireReceiver(work, visit.receiver_user_id).catch(() => null))
  if (!receiver) return
  const stands_in = receiver.delegate_user_id !== null && receiver.delegate_until !== null && receiver.delegate_until >= schoolDay(work.now) ? [{ user_id: receiver.delegate_user_id }] : []
  const at = what === 'overdue' ? visit.end_at : what === 'submitted' ? visit.begin_at : work.now
  await send(work, {
    template: visitTemplates[what], source_ref: `visit/${visit.apply_id}/${what}/${visit.overdue_times}`, to: [{ user_id: receiver.user_id }, ...stands_in], values: { name: visit.visitor_name, at: minuteText(at), no: visit.apply_no },
    link: '/VisitorPass', level: what === 'overdue' ? 2 : 1,
  })
}

async function tellVisitor(work: Work, visit: Visit, what: 'approved' | 'refused'): Promise<void> {
  const mobile = unseal(work.app, work.school_id, 'mobile', visit.mobile_enc)
  await send(work, { template: visitTemplates[what], source_ref: `visit/${visit.apply_id}/${what}`, to: [{ mobile, name: visit.visitor_name }], values: { name: visit.visitor_name, at: minuteText(visit.begin_at), no: visit.apply_no }, level: 1 })
}

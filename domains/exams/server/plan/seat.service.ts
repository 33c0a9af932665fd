import { examErrors } from '@campus/exams/contract'
import type { planApi, RoomRow, SeatMap } from '@campus/exams/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { insertMany } from '@kit/server/db'
import { sql } from 'kysely'
import { renewRights } from '../control/rights.ts'
import type { Db, ExamsCtx } from '../db.ts'
import { lockExam, lockOpenPlan, readClasses, readSessions, requireExam, states } from '../exam/exam.queries.ts'
import { schoolMinute } from '../exam/minute.ts'
import { dropSeats, touch } from '../exam/plan.service.ts'
import { besides, cellsOf } from '../seat/room.ts'
import { neighboursOf, seat } from '../seat/seat.ts'
import type { Candidate, Plan, Refused } from '../seat/seat.ts'
import { namesOf, readRooms, readSeated, readSitting } from './plan.queries.ts'
import type { StoredSeat } from './plan.queries.ts'

/**
 * Seats every session: sessions with the same candidates get the same seats, so that a pupil keeps his place. Locked pupils keep theirs.
 * @throws Refusal 404, 409 published, clashPlace, 422 notReady, noRooms, capacity, neighbour
 */
export async function runSeats(ctx: ExamsCtx, { exam_id, mode, seed }: Input<typeof planApi.runSeats>): Promise<Reply<typeof planApi.runSeats>> {
  const { db, school_id, me, now } = ctx
  const exam = await lockOpenPlan(db, school_id, now, exam_id)
  const sessions = await readSessions(db, school_id, exam_id)
  if (sessions.length === 0 || exam.candidates === 0) throw fail(examErrors.notReady)
  const rooms = (await readRooms(db, school_id, exam_id)).filter(one => !one.is_spare)
  if (rooms.length === 0) throw fail(examErrors.noRooms)
  await refuseTaken(db, school_id, exam_id)
  const pins = (await readSeated(db, school_id, exam_id)).filter(one => one.pinned)
  const classes = await readClasses(db, school_id, exam.grades)
  await dropSeats(db, school_id, exam_id)
  const made = new Map<string, Plan>()
  let [seated, violations, plan_hash] = [0, 0, '']
  for (const { session_id, begin_at, end_at } of sessions) {
    const candidates = await readSitting(db, school_id, exam_id, session_id)
    if (candidates.length === 0) continue
    const key = candidates.map(one => one.user_id).join()
    const plan = made.get(key) ?? seatOrRefuse(candidates, rooms, { mode, seed, all: exam.candidates }, classes)
    made.set(key, plan)
    const held = pins.filter(one => one.session_id === session_id)
    const seats = keepPinned(plan, held)
    await insertMany(db, 'exam_seat', seats.map(one => ({ school_id, exam_id, session_id, begin_at, end_at, pinned: held.some(pin => pin.user_id === one.user_id), ...one })))
    const used = new Set(seats.map(one => one.room_id))
    await insertMany(db, 'exam_room_session', rooms.filter(one => used.has(one.room_id)).map(({ room_id, place_id }) => ({ school_id, exam_id, session_id, room_id, place_id, begin_at, end_at })))
    const depts = new Map(candidates.map(one => [one.user_id, one.dept_id]))
    violations += neighboursOf(seats, rooms, id => depts.get(id)).length
    seated += seats.length
    plan_hash = plan.plan_hash
  }
  await db.updateTable('exam').set({ seat_seed: seed }).where('school_id', '=', school_id).where('exam_id', '=', exam_id).execute()
  await db.insertInto('exam_plan_run').values({ school_id, exam_id, kind: 'seat', seed, plan_hash, violations, at: now, by_user_id: me.user_id }).execute()
  await touch(db, school_id, exam_id, now)
  ctx.note({ target_kind: 'exams.exam', target_id: exam_id, target_name: `${exam.exam_name} 座位`, after: { seed, seated, violations, plan_hash } })
  return { seated, violations, plan_hash }
}

type How = { mode: 'random' | 'number'; seed: number; all: number }

/** The fewest rooms that keep the share of the whole exam and are enough; for a few candidates not all rooms are opened. */
function seatOrRefuse(candidates: readonly Candidate[], rooms: readonly RoomRow[], { mode, seed, all }: How, classes: readonly { dept_id: string; dept_name: string }[]): Plan {
  let last: Refused | undefined
  for (let count = Math.min(rooms.length, Math.ceil((rooms.length * candidates.length) / Math.max(all, candidates.length))); count <= rooms.length; count++) {
    const plan = seat({ candidates, rooms: rooms.slice(0, count), mode, seed })
    if ('seats' in plan) return plan
    last = plan
  }
  if (last?.kind === 'neighbour') {
    const { dept_id, count, most } = last
    throw fail(examErrors.neighbour, { params: { class: classes.find(one => one.dept_id === dept_id)?.dept_name ?? '', n: count, m: most } })
  }
  throw fail(examErrors.capacity, { params: { n: candidates.length, m: rooms.reduce((sum, one) => sum + one.seats, 0) } })
}

/** Locked pupils change places with those who were dealt their seats. */
function keepPinned(plan: Plan, pins: readonly StoredSeat[]): Plan['seats'] {
  const seats = plan.seats.map(one => ({ ...one }))
  for (const pin of pins) {
    const own = seats.find(one => one.user_id === pin.user_id)
    if (!own) continue
    const there = seats.find(one => one.room_id === pin.room_id && one.cell === pin.cell)
    if (there) Object.assign(there, { room_id: own.room_id, seat: own.seat, cell: own.cell })
    Object.assign(own, { room_id: pin.room_id, seat: pin.seat, cell: pin.cell })
  }
  return seats
}

/** @throws Refusal 409 clashPlace when another exam sits in one of the rooms at the time */
async function refuseTaken(db: Db, school_id: number, exam_id: string): Promise<void> {
  const { rows } = await sql<{ place: string; begin_at: Date; exam: string }>`
    select p.place_name as place, s.begin_at, e.exam_name as exam
    from exam_room r
    join exam_session s on s.school_id = ${school_id} and s.exam_id = ${exam_id}
    join exam_room_session b on b.school_id = ${school_id} and b.place_id = r.place_id and b.exam_id <> ${exam_id} and b.begin_at < s.end_at and b.end_at > s.begin_at
    join exam e on e.school_id = ${school_id} and e.exam_id = b.exam_id
    join place_live_v p on p.school_id = ${school_id} and p.place_id = r.place_id
    where r.school_id = ${school_id} and r.exam_id = ${exam_id} and not r.is_spare order by s.begin_at, r.number limit 1`.execute(db)
  const [clash] = rows
  if (clash) throw fail(examErrors.clashPlace, { params: { place: clash.place, time: schoolMinute(clash.begin_at), exam: clash.exam } })
}

/** The rooms and seats of a session, with every pair of classmates side by side. @throws Refusal 404 */
export async function readSeatMap({ db, school_id, now }: ExamsCtx, { exam_id, session_id }: Input<typeof planApi.seats>): Promise<SeatMap> {
  await requireExam(db, school_id, now, exam_id)
  await requireSession(db, school_id, exam_id, session_id)
  const rooms = await readRooms(db, school_id, exam_id)
  const { rows } = await sql<SeatMap['seats'][number]>`
    select t.user_id::text as user_id, p.display_name as user_name, c.exam_no, c.dept_id::text as dept_id, coalesce(d.dept_name, '') as dept_name, t.room_id::text as room_id, t.seat::int as seat,
      t.cell::int as cell, t.pinned
    from exam_seat t
    join exam_candidate c on c.school_id = ${school_id} and c.exam_id = ${exam_id} and c.user_id = t.user_id
    join person_label p on p.school_id = ${school_id} and p.user_id = t.user_id
    left join dept_now d on d.school_id = ${school_id} and d.id = c.dept_id
    where t.school_id = ${school_id} and t.session_id = ${session_id} order by t.room_id, t.seat`.execute(db)
  const of = new Map(rows.map(one => [one.user_id, one]))
  const pairs = neighboursOf(rows, rooms, id => of.get(id)?.dept_id)
  const nameOf = (id: string) => of.get(id)?.user_name ?? ''
  const sitting = await readSitting(db, school_id, exam_id, session_id)
  const { seat_seed: seed } = await db.selectFrom('exam').select('seat_seed').where('school_id', '=', school_id).where('exam_id', '=', exam_id).executeTakeFirstOrThrow()
  return {
    rooms, seats: rows, unseated: sitting.filter(one => !of.has(one.user_id)).length, seed,
    violations: pairs.map(([a, b]) => ({ room_id: a.room_id, user_ids: [a.user_id, b.user_id], text: `${rooms.find(one => one.room_id === a.room_id)?.number ?? ''}考场 ${nameOf(a.user_id)}（${a.seat}号）与${nameOf(b.user_id)}（${b.seat}号）同班相邻` })),
  }
}

/** @throws Refusal 404 */
async function requireSession(db: Db, school_id: number, exam_id: string, session_id: string): Promise<{ begin_at: Date; end_at: Date }> {
  const row = await db.selectFrom('exam_session').select(['begin_at', 'end_at']).where('school_id', '=', school_id).where('exam_id', '=', exam_id).where('session_id', '=', session_id).executeTakeFirst()
  if (!row) throw fail(commonErrors.notFound)
  return row
}

/**
 * Puts a candidate on a seat; who sits there changes places with him. `other_id` is who was seen there, so that of two planners one is refused (55-A22).
 * @throws Refusal 404, 409 seatTaken, closed, 422 seatUnknown, seatPinned, seatIllegal
 */
export async function moveSeat(ctx: ExamsCtx, { exam_id, session_id, user_id, room_id, seat: number, other_id }: Input<typeof planApi.move>): Promise<Reply<typeof planApi.move>> {
  const { db, school_id, now } = ctx
  const exam = await lockExam(db, school_id, now, exam_id)
  if (exam.state >= states.entering) throw fail(examErrors.closed)
  const times = await requireSession(db, school_id, exam_id, session_id)
  const rooms = await readRooms(db, school_id, exam_id)
  const room = rooms.find(one => one.room_id === room_id)
  const seats = await readSeated(db, school_id, exam_id, session_id)
  const own = seats.find(one => one.user_id === user_id)
  if (!room || !own || (other_id !== null && !seats.some(one => one.user_id === other_id))) throw fail(commonErrors.notFound)
  const cell = cellsOf(room)[number - 1]
  if (cell === undefined) throw fail(examErrors.seatUnknown)
  const there = seats.find(one => one.room_id === room_id && one.cell === cell)
  if ((there?.user_id ?? null) !== other_id) throw fail(examErrors.seatTaken)
  const names = await namesOf(db, school_id, [user_id, ...(there ? [there.user_id] : [])])
  const locked = [own, there].find(one => one?.pinned)
  if (locked) throw fail(examErrors.seatPinned, { params: { name: names.get(locked.user_id) ?? '' } })
  const next = seats.map(one => (one === own ? { ...one, room_id, seat: number, cell } : one === there ? { ...one, room_id: own.room_id, seat: own.seat, cell: own.cell } : one))
  await refuseNeighbours(db, { school_id, exam_id }, next, rooms, [user_id, ...(there ? [there.user_id] : [])])
  const changed = next.filter(one => one.user_id === user_id || one.user_id === there?.user_id)
  // Both leave their seats before they take the new ones: a seat is taken once at any moment.
  await db.deleteFrom('exam_seat').where('school_id', '=', school_id).where('session_id', '=', session_id).where('user_id', 'in', changed.map(one => one.user_id)).execute()
  await insertMany(db, 'exam_seat', changed.map(one => ({ ...one, school_id, exam_id, ...times })))
  if (exam.state >= states.published) await renewRights(ctx, exam_id, true)
  ctx.note({ target_kind: 'exams.exam', target_id: exam_id, target_name: `${exam.exam_name} 座位 ${names.get(user_id) ?? ''}`, before: { number: own.seat }, after: { room: room.number, number } })
  return { swapped: there ? (names.get(there.user_id) ?? '') : null }
}

async function refuseNeighbours(db: Db, { school_id, exam_id }: { school_id: number; exam_id: string }, seats: readonly StoredSeat[], rooms: readonly RoomRow[], ids: readonly string[]): Promise<void> {
  const depts = new Map((await db.selectFrom('exam_candidate').select(['user_id', 'dept_id']).where('school_id', '=', school_id).where('exam_id', '=', exam_id).execute()).map(row => [row.user_id, row.dept_id]))
  for (const one of seats.filter(each => ids.includes(each.user_id))) {
    const room = rooms.find(each => each.room_id === one.room_id)
    const near = room ? besides(one.cell, room) : []
    const mate = seats.find(each => each.room_id === one.room_id && near.includes(each.cell) && depts.get(each.user_id) === depts.get(one.user_id))
    if (mate) throw fail(examErrors.seatIllegal, { params: { name: (await namesOf(db, school_id, [mate.user_id])).get(mate.user_id) ?? '' } })
  }
}

/** Locks a seat against the next run, or opens it. @throws Refusal 404, 409 closed */
export async function pinSeat(ctx: ExamsCtx, { exam_id, session_id, user_id, pinned }: Input<typeof planApi.pin>): Promise<Record<string, never>> {
  const { db, school_id, now } = ctx
  const exam = await lockExam(db, school_id, now, exam_id)
  if (exam.state >= states.entering) throw fail(examErrors.closed)
  const { numUpdatedRows } = await db.updateTable('exam_seat').set({ pinned }).where('school_id', '=', school_id).where('exam_id', '=', exam_id).where('session_id', '=', session_id).where('user_id', '=', user_id).executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw fail(commonErrors.notFound)
  ctx.note({ target_kind: 'exams.exam', target_id: exam_id, target_name: `${exam.exam_name} 座位${pinned ? '锁定' : '解锁'}` })
  return {}
}

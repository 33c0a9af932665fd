import { examErrors } from '@campus/exams/contract'
import type { planApi } from '@campus/exams/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { insertMany } from '@kit/server/db'
import { sql } from 'kysely'
import type { ExamsCtx } from '../db.ts'
import { lockExam, requireExam, states } from '../exam/exam.queries.ts'
import { touch } from '../exam/plan.service.ts'
import { cellsOf } from '../seat/room.ts'
import { readRooms } from './plan.queries.ts'
import { resettle } from './resettle.ts'

/** PLACE_KIND: 普通教室, 专用教室, 实验室, 体育场馆, 报告厅, 机房. */
const room_kinds = [4, 5, 6, 15, 17, 19]

/** Rooms of an exam and how many are to be seated. @throws Refusal 404 */
export async function listRooms({ db, school_id, now }: ExamsCtx, exam_id: string): Promise<Reply<typeof planApi.rooms>> {
  const { candidates } = await requireExam(db, school_id, now, exam_id)
  return { rooms: await readRooms(db, school_id, exam_id), candidates }
}

/** Rooms of the school: what another exam takes in these sessions, and how many lessons of other grades would have to move (chapter 55 §4). @throws Refusal 404 */
export async function listPlaces({ db, school_id, now }: ExamsCtx, exam_id: string): Promise<Reply<typeof planApi.places>> {
  const exam = await requireExam(db, school_id, now, exam_id)
  const { rows } = await sql<Reply<typeof planApi.places>['list'][number]>`
    select p.place_id::text as place_id, p.place_name, coalesce(u.place_name, f.place_name, '') as building, p.capacity,
      (select count(*)::int from exam_session s
        join lesson_day_v l on l.school_id = ${school_id} and l.place_id = p.place_id and l.begin_at < s.end_at and l.end_at > s.begin_at and l.state not in (4, 5)
          and l.date between ${exam.begin_date}::date and ${exam.end_date}::date
        join dept_now d on d.school_id = ${school_id} and d.id = l.dept_id and not (d.grade = any(${exam.grades}::text[]))
        where s.school_id = ${school_id} and s.exam_id = ${exam_id}) as lessons,
      (select min(e.exam_name) from exam_session s
        join exam_room_session b on b.school_id = ${school_id} and b.place_id = p.place_id and b.exam_id <> ${exam_id} and b.begin_at < s.end_at and b.end_at > s.begin_at
        join exam e on e.school_id = ${school_id} and e.exam_id = b.exam_id
        where s.school_id = ${school_id} and s.exam_id = ${exam_id}) as taken_by
    from place_live_v p
    left join place_live_v f on f.school_id = ${school_id} and f.place_id = p.superior_id
    left join place_live_v u on u.school_id = ${school_id} and u.place_id = f.superior_id
    where p.school_id = ${school_id} and p.is_leaf and not p.private_zone and p.place_kind = any(${room_kinds}::smallint[]) order by p.node_path limit 500`.execute(db)
  return { list: rows }
}

/**
 * The rooms of an exam in their order, which gives their numbers. After the plan is made a room that goes moves its own pupils only (55-A20).
 * @throws Refusal 404, 409 closed, 422 roomUsed, roomTwice
 */
export async function saveRooms(ctx: ExamsCtx, { exam_id, rooms }: Input<typeof planApi.saveRooms>): Promise<Reply<typeof planApi.saveRooms>> {
  const { db, school_id, now } = ctx
  const exam = await lockExam(db, school_id, now, exam_id)
  if (exam.state >= states.sitting) throw fail(examErrors.closed)
  const before = await readRooms(db, school_id, exam_id)
  const known = new Set(before.map(one => one.room_id))
  const places = new Map((await db.selectFrom('place_live_v').select(['place_id', 'place_name', 'capacity']).where('school_id', '=', school_id).where('place_id', 'in', ['0', ...rooms.map(one => one.place_id)]).execute()).map(row => [row.place_id, row]))
  if (rooms.some(one => !places.has(one.place_id) || (one.room_id !== null && !known.has(one.room_id)))) throw fail(commonErrors.notFound)
  if (new Set(rooms.map(one => one.place_id)).size < rooms.length) throw fail(examErrors.roomTwice)
  for (const one of rooms) {
    const { place_name = '', capacity = null } = places.get(one.place_id) ?? {}
    if (capacity !== null && cellsOf({ ...one, room_id: '', number: 0 }).length > capacity) throw fail(examErrors.roomUsed, { params: { name: place_name, n: capacity } })
  }
  const staying = new Set(rooms.flatMap(one => one.room_id ?? []))
  const gone = before.filter(one => !staying.has(one.room_id)).map(one => one.room_id)
  if (gone.length > 0) {
    for (const table of ['exam_invigilator', 'exam_room_session', 'exam_room'] as const) await db.deleteFrom(table).where('school_id', '=', school_id).where('room_id', 'in', gone).execute()
  }
  for (const [at, { room_id, ...facts }] of rooms.entries()) {
    if (room_id !== null) await db.updateTable('exam_room').set({ ...facts, number: at + 1 }).where('school_id', '=', school_id).where('room_id', '=', room_id).execute()
  }
  await insertMany(db, 'exam_room', rooms.flatMap(({ room_id, ...facts }, at) => (room_id === null ? [{ ...facts, number: at + 1, school_id, exam_id }] : [])))
  await resettle(db, school_id, exam_id)
  await touch(db, school_id, exam_id, now)
  ctx.note({ target_kind: 'exams.exam', target_id: exam_id, target_name: `${exam.exam_name} 考场`, after: { rooms: rooms.length } })
  return { rooms: await readRooms(db, school_id, exam_id) }
}

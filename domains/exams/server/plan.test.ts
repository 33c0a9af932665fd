import { dataOf } from '@apps/server/testing'
import { examApi, planApi } from '@campus/exams/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { enrolStudents } from '@campus/people/server'
import { examSchool, plannedExam, refusal, school_id } from './testing/exam-school.ts'
import type { ExamSchool } from './testing/exam-school.ts'

let school: ExamSchool
let exam_id = ''
let session_id = ''
const call: typeof school.app.call = (...args) => school.app.call(...args)
const rows = <T>(query: ReturnType<typeof sql<T>>) => school.app.running.database.tenant<unknown, T[]>(school_id, async db => (await query.execute(db)).rows)
const room = (place_id: string, more: object = {}) => ({ room_id: null, place_id, col_count: 4, row_count: 3, path: 'S' as const, blocked: [], is_spare: false, ...more })
const mapOf = async () => dataOf(planApi.seats, await call(planApi.seats, { exam_id, session_id }, school.as))

beforeAll(async () => {
  school = await examSchool(7)
  const made = await plannedExam(school, '11月月考')
  exam_id = made.exam_id
  session_id = made.sessions[0]?.session_id ?? ''
})
afterAll(() => school.app.close())

test('candidates are the roll with numbers; rooms fit their places; too few seats and too large a class are refused by figures', async () => {
  expect(refusal(await call(planApi.runSeats, { exam_id, seed: 1 }, school.as)).slice(0, 2)).toEqual([422, 'exam.notReady'])
  expect(dataOf(planApi.refresh, await call(planApi.refresh, { exam_id }, school.as))).toMatchObject({ added: 14, removed: 0 })
  dataOf(planApi.refresh, await call(planApi.refresh, { exam_id, preview: false }, school.as))
  dataOf(planApi.renumber, await call(planApi.renumber, { exam_id, scheme: 'class' }, school.as))
  const { list, total } = dataOf(planApi.candidates, await call(planApi.candidates, { exam_id }, school.as))
  expect([total, list[0]?.exam_no, new Set(list.map(one => one.exam_no)).size]).toEqual([14, '310101', 14])
  const [a = '', b = ''] = school.places
  expect(refusal(await call(planApi.saveRooms, { exam_id, rooms: [room(a, { col_count: 7, row_count: 6 })] }, school.as))).toEqual([422, 'exam.roomUsed', '考场“A101”的座位数超过场所容量40'])
  dataOf(planApi.saveRooms, await call(planApi.saveRooms, { exam_id, rooms: [room(a)] }, school.as))
  expect(refusal(await call(planApi.runSeats, { exam_id, seed: 1 }, school.as))).toEqual([422, 'exam.capacity', '座位不足：需要14，可用12'])
  const { rooms } = dataOf(planApi.rooms, await call(planApi.rooms, { exam_id }, school.as))
  const first = rooms.map(({ number: _number, seats: _seats, place_name: _name, capacity: _capacity, ...one }) => one)
  dataOf(planApi.saveRooms, await call(planApi.saveRooms, { exam_id, rooms: [...first, room(b)] }, school.as))
})

test('55-A19 55-A22 seats of a seed are the same again; of two planners on one seat one is refused, a seat beside a classmate too', async () => {
  const run = async () => dataOf(planApi.runSeats, await call(planApi.runSeats, { exam_id, seed: 7 }, school.as))
  const plan = await run()
  expect([plan.seated, plan.violations, (await run()).plan_hash]).toEqual([28, 0, plan.plan_hash])
  const map = await mapOf()
  const [one, two] = map.seats
  const free = Array.from({ length: 12 }, (_, at) => at + 1).filter(seat => !map.seats.some(each => each.room_id === one?.room_id && each.seat === seat))
  const target = (seat: number, user_id = one?.user_id ?? '') => call(planApi.move, { exam_id, session_id, user_id, room_id: one?.room_id ?? '', seat, other_id: null }, school.as)
  const answers = await Promise.all(free.map(seat => target(seat)))
  expect(answers.every(answer => [200, 422].includes(answer.status))).toBe(true)
  await run()
  const taken = await call(planApi.move, { exam_id, session_id, user_id: two?.user_id ?? '', room_id: one?.room_id ?? '', seat: one?.seat ?? 1, other_id: null }, school.as)
  expect(refusal(taken)).toEqual([409, 'exam.seatTaken', '该座位刚被他人安排，请刷新后重试'])
  await call(planApi.pin, { exam_id, session_id, user_id: one?.user_id ?? '', pinned: true }, school.as)
  dataOf(planApi.runSeats, await call(planApi.runSeats, { exam_id, seed: 8 }, school.as))
  expect((await mapOf()).seats.find(each => each.user_id === one?.user_id)).toMatchObject({ room_id: one?.room_id, seat: one?.seat, pinned: true })
})

test('55-A22 a room at one time belongs to one exam; a minute after the other ends it is free', async () => {
  const other = await plannedExam(school, '另一场')
  await call(planApi.refresh, { exam_id: other.exam_id, preview: false }, school.as)
  const [a = '', b = '', c = ''] = school.places
  dataOf(planApi.saveRooms, await call(planApi.saveRooms, { exam_id: other.exam_id, rooms: [room(a), room(b)] }, school.as))
  expect(refusal(await call(planApi.runSeats, { exam_id: other.exam_id, seed: 1 }, school.as))).toEqual([409, 'exam.clashPlace', 'A101在11月10日 08:30已被“11月月考”占用'])
  const places = dataOf(planApi.places, await call(planApi.places, { exam_id: other.exam_id }, school.as)).list
  expect(places.map(one => [one.place_name, one.taken_by])).toEqual([['A101', '11月月考'], ['A102', '11月月考'], ['A103', null]])
  const late = await plannedExam(school, '12月月考', '2026-12-10', '2026-12-11')
  await call(planApi.refresh, { exam_id: late.exam_id, preview: false }, school.as)
  dataOf(planApi.saveRooms, await call(planApi.saveRooms, { exam_id: late.exam_id, rooms: [room(a), room(c)] }, school.as))
  expect((await call(planApi.runSeats, { exam_id: late.exam_id, seed: 1 }, school.as)).status).toBe(200)
  dataOf(examApi.cancel, await call(examApi.cancel, { exam_id: other.exam_id, reason: '取消' }, school.as))
})

test('55-A21 invigilators are drawn, one is given by hand, nobody watches two rooms; the plan is published and others hear of it', async () => {
  const { unfilled, posts } = dataOf(planApi.runDuties, await call(planApi.runDuties, { exam_id, seed: 3, per_room: 2 }, school.as))
  expect([posts, unfilled]).toEqual([8, 0])
  const duties = dataOf(planApi.duties, await call(planApi.duties, { exam_id }, school.as))
  const [first, second] = duties.posts.filter(one => one.session_id === session_id && one.role === 1)
  const clash = await call(planApi.assign, { exam_id, session_id, room_id: first?.room_id ?? '', role: 1, user_id: second?.user_id ?? '' }, school.as)
  expect(refusal(clash).slice(0, 2)).toEqual([409, 'exam.clashTeacher'])
  const { receipts, row } = dataOf(planApi.publish, await call(planApi.publish, { exam_id }, school.as))
  expect([row.state, receipts]).toEqual([2, ['座位已固定 14人', '考场 2间', '通知考生 14人', '通知监考教师 4人']])
  expect(refusal(await call(planApi.runSeats, { exam_id, seed: 9 }, school.as))).toEqual([409, 'exam.published', '安排已发布，只能调整单个考生'])
  const [{ n } = { n: 0 }] = await rows(sql<{ n: number }>`select count(*)::int as n from exam_expect_v where school_id = ${school_id} and exam_id = ${exam_id}`)
  expect(n).toBe(28)
})

test('55-A20 after publication who comes takes a free seat and who goes leaves a hole: nobody else moves; then the plan is called back', async () => {
  const before = new Map((await mapOf()).seats.map(one => [one.user_id, `${one.room_id} ${one.seat}`]))
  const gone = school.pupils.get('c1')?.[0] ?? ''
  const { secrets } = school.app.running.app
  await school.app.running.database.tenant(school_id, (db: Parameters<typeof enrolStudents>[0]) =>
    enrolStudents(db, secrets, school_id, [{ user_name: '新同学', sex: '1', student_no: 'c199', enrol_month: '202611', dept_id: school.depts.get('c2') ?? '', from: '2026-11-01' }]))
  dataOf(planApi.candidate, await call(planApi.candidate, { exam_id, user_id: gone, front_row: false, extra_minutes: 0, state: 2 }, school.as))
  expect(dataOf(planApi.refresh, await call(planApi.refresh, { exam_id, preview: false }, school.as))).toMatchObject({ added: 1, seated: 2, unseated: 0 })
  const after = (await mapOf()).seats
  expect(after.filter(one => before.get(one.user_id) !== `${one.room_id} ${one.seat}`).map(one => one.user_name)).toEqual(['新同学'])
  expect([after.length, after.some(one => one.user_id === gone), (await mapOf()).violations]).toEqual([14, false, []])
  expect(dataOf(planApi.recall, await call(planApi.recall, { exam_id, reason: '场地检修' }, school.as)).row.state).toBe(1)
})

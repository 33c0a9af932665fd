import { dataOf, openLive } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { applyApi } from '@campus/leave/contract'
import { createLeaves, open } from '@campus/leave/server'
import { changeApi, lessonApi } from '@campus/teaching/contract'
import type { DayLesson } from '@campus/teaching/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { school_id, signIn, startTimetabled } from './testing/timetabled.ts'
import type { Timetabled } from './testing/timetabled.ts'

const day_ms = 86_400_000
const monday = '2026-09-07'
let app: TestApp
let me: TestUser
let teachers: string[]
let classes: string[]
let tenant: Timetabled['tenant']
let timetabled: Timetabled

const as = () => ({ token: me.token })
const refusal = ({ status, body }: Answer) => [status, body.error_id, body.msg]

beforeAll(async () => {
  timetabled = await startTimetabled()
  ;({ app, me, teachers, classes, tenant } = timetabled)
})
afterAll(() => app.close())

const day = async (teacher_id: string, date = monday) => dataOf(lessonApi.list,
  await app.call(lessonApi.list, { from: date, to: date, teacher_id }, as())).list
const needs = async () => dataOf(changeApi.needs, await app.call(changeApi.needs, { from: monday, to: monday, state: 'all' }, as())).list

/** A leave of a teacher over a day, in force at once. */
async function onLeave(user_id: string, date = monday): Promise<string> {
  return tenant(async db => {
    const place = { app: app.running.app, db, school_id, now: app.clock.now() }
    const design = { leave_types: ['02'], fallback_user_ids: [user_id], steps: [] }
    const reasons = [{ reason_code: '1', reason_name: '就医', person_kinds: [2] }]
    if (date === monday) await createLeaves(place, { reasons, forms: [{ form_name: '教职工请假', person_kind: 2, design }], leaves: [],
      from: place.now })
    const span = { begin: new Date(`${date}T00:00:00+08:00`), end: new Date(`${date}T23:59:00+08:00`) }
    return open(place, { user_id, leave_type: '02', reason_code: '1', reason: '看病', ...span, by: null, apply_as: 5 })
  })
}

test('50-A15 a leave opens a need for each lesson; one button covers them with free teachers only; the leave taken back undoes all of it',
  async () => {
  const [zhang = '', , wang = ''] = teachers
  const before = await day(zhang)
  expect(before.map(one => [one.section, one.state])).toEqual([[1, 1], [2, 1]])
  const leave_id = await onLeave(zhang)
  await expect.poll(async () => (await needs()).length, { timeout: 20_000 }).toBe(2)
  expect((await needs())
    .map(one => [one.lesson.class_name, one.teacher.user_name, one.state])).toEqual([['三年级1班', '张伟', 0], ['三年级2班', '张伟', 0]])
  const { list } = dataOf(changeApi.proposals,
    await app.call(changeApi.proposals, { date: monday, lesson_day_id: before[0]?.lesson_day_id ?? '' }, as()))
  expect(list).toEqual([{ user_id: wang, user_name: '王芳', score: 90, reasons: ['同学科同年级'] }])
  expect(dataOf(changeApi.autoCover, await app.call(changeApi.autoCover, { date: monday }, as()))).toMatchObject({ arranged: 2, left: [] })
  expect((await day(wang)).map(one => [one.lesson_day_id, one.state])).toEqual(before.map(one => [one.lesson_day_id, 2]))
  expect((await needs()).map(one => [one.state, one.cover_name])).toEqual([[1, '王芳'], [1, '王芳']])
  expect(dataOf(changeApi.ledger, await app.call(changeApi.ledger, {}, as())).list
    .map(one => [one.user_name, one.given, one.received])).toEqual([['王芳', 2, 0], ['张伟', 0, 2]])
  dataOf(applyApi.cancel, await app.call(applyApi.cancel, { leave_id }, as()))
  await expect.poll(async () => (await needs()).map(one => one.state), { timeout: 20_000 }).toEqual([4, 4])
  expect([(await day(zhang)).map(one => one.state), (await day(wang)).length]).toEqual([[1, 1], 0])
  expect(dataOf(changeApi.ledger, await app.call(changeApi.ledger, {}, as())).total).toBe(0)
  expect(dataOf(changeApi.list, await app.call(changeApi.list, {}, as())).list
    .map(one => [one.state, one.may_undo])).toEqual([[2, false], [2, false]])
})

test('50-A17 of many orders for one lesson one wins; who is busy cannot cover; what has begun stays', async () => {
  const [zhang = '', li = '', wang = ''] = teachers
  const [first] = await day(zhang)
  const cover = (teacher_id: string | null, kind: 1 | 4 | 7 = 1) => app.call(changeApi.cover,
    { date: monday, lesson_day_id: first?.lesson_day_id ?? '', kind, teacher_id, reason: '公出' }, as())
  expect(refusal(await cover(li))).toEqual([422, 'change.clash', '李娜在该时段已有课或请假，请选择其他教师'])
  expect(refusal(await cover(zhang)).slice(0, 2)).toEqual([422, 'change.sameTeacher'])
  const answers = await Promise.all(Array.from({ length: 12 }, () => cover(wang)))
  expect(answers.map(answer => answer.status).toSorted()).toEqual([200, ...Array.from({ length: 11 }, () => 409)])
  const [order] = dataOf(changeApi.list, await app.call(changeApi.list, { state: '1' }, as())).list
  const live = await openLive(app.url, me.token, ['lessons'])
  dataOf(changeApi.undo, await app.call(changeApi.undo, { id: order?.id ?? '' }, as()))
  expect(refusal(await app.call(changeApi.undo, { id: order?.id ?? '' }, as())).slice(0, 2)).toEqual([409, 'change.undone'])
  dataOf(changeApi.cover, await cover(null, 4))
  expect((await day(zhang)).map(one => one.state)).toEqual([5, 1])
  await expect.poll(() => live.rows('lessons')).toEqual([{ dates: [monday] }, { dates: [monday] }])
  await live.close()
})

test('50-A16 a swap holds for its dates alone; two lessons that would put a teacher into two rooms are refused; what began is not undone',
  async () => {
  const lessons = async (date: string, at: number) => dataOf(lessonApi.list,
    await app.call(lessonApi.list, { from: date, to: date, class_id: classes[at] ?? '' }, as())).list
  const swap = (one: DayLesson | undefined, other: DayLesson | undefined) => app.call(changeApi.swap, {
    date: one?.date ?? monday, lesson_day_id: one?.lesson_day_id ?? '0', other_date: other?.date ?? monday,
      other_id: other?.lesson_day_id ?? '0', reason: '教研',
  }, as())
  const [first, second] = await lessons('2026-09-14', 0)
  expect(refusal(await swap(first, second)).slice(0, 2)).toEqual([422, 'change.clash'])
  const [[maths], [art]] = [await lessons('2026-09-14', 1), await lessons('2026-09-15', 1)]
  expect(refusal(await swap(first, art)).slice(0, 2)).toEqual([422, 'change.swapClass'])
  const { order_id } = dataOf(changeApi.swap, await swap(maths, art))
  const shown = async (date: string) => (await lessons(date, 1))
    .map(lesson => [lesson.course_name, lesson.teachers[0]?.user_name, lesson.state])
  expect([await shown('2026-09-14'), await shown('2026-09-15')]).toEqual([[['MS', '王芳', 3], ['YW', '张伟', 1]], [['SX', '李娜', 3]]])
  expect([await shown('2026-09-21'), await shown('2026-09-22')]).toEqual([[['SX', '李娜', 1], ['YW', '张伟', 1]], [['MS', '王芳', 1]]])
  app.clock.advance(13 * day_ms)
  me = await app.as({ school_id, codes: 'all', places: 'all' })
  expect(refusal(await app.call(changeApi.undo, { id: order_id }, as()))).toEqual([422, 'change.begun', '课程已开始，不能调整'])
})

test('50-A15 a lesson moves to a free section for once; a chain covers who covers; 一键安排 is taken back whole', async () => {
  const [zhang = '', li = '', wang = ''] = teachers
  const shown = async (teacher_id: string, date: string) => (await day(teacher_id, date)).map(one => [one.section, one.class_name,
    one.course_name, one.state])
  const [first] = await day(zhang, '2026-09-21')
  const move = (to_date: string, to_section: number) => app.call(changeApi.move,
    { date: '2026-09-21', lesson_day_id: first?.lesson_day_id ?? '', to_date, to_section, reason: '教研' }, as())
  expect(refusal(await move('2026-09-21', 2)).slice(0, 2)).toEqual([422, 'change.classBusy'])
  expect(refusal(await move('2026-09-26', 1)).slice(0, 2)).toEqual([422, 'change.noSection'])
  const { order_id } = dataOf(changeApi.move, await move('2026-09-22', 1))
  expect([await shown(zhang, '2026-09-21'), await shown(zhang, '2026-09-22')]).toEqual([
    [[1, '三年级1班', 'YW', 4], [2, '三年级2班', 'YW', 1]], [[1, '三年级1班', 'YW', 3]]])
  dataOf(changeApi.undo, await app.call(changeApi.undo, { id: order_id }, as()))
  expect([await shown(zhang, '2026-09-21'), await shown(zhang, '2026-09-22')]).toEqual([[[1, '三年级1班', 'YW', 1], [2, '三年级2班', 'YW', 1]], []])

  const later = '2026-09-28'
  const [lesson] = await day(zhang, later)
  const chain = (teacher_ids: string[]) => app.call(changeApi.chain, { date: later, lesson_day_id: lesson?.lesson_day_id ?? '', teacher_ids,
    reason: '公出' }, as())
  expect(refusal(await chain([wang, li])).slice(0, 2)).toEqual([422, 'change.noOwnLesson'])
  const chained = dataOf(changeApi.chain, await chain([li, wang])).order_id
  expect([await shown(li, later), await shown(wang, later)]).toEqual([
    [[1, '三年级1班', 'YW', 2], [2, '三年级1班', 'SX', 1]], [[1, '三年级2班', 'SX', 2]]])
  dataOf(changeApi.undo, await app.call(changeApi.undo, { id: chained }, as()))
  expect(await shown(wang, later)).toEqual([])

  await onLeave(zhang, later)
  const left = async () => dataOf(changeApi.needs, await app.call(changeApi.needs, { from: later, to: later, state: 'open' }, as())).open
  await expect.poll(left, { timeout: 20_000 }).toBe(2)
  const { arranged, command_id } = dataOf(changeApi.autoCover, await app.call(changeApi.autoCover, { date: later }, as()))
  expect([arranged, (await shown(wang, later)).length, await left()]).toEqual([2, 2, 0])
  const undo = () => app.call(changeApi.undoAuto, { id: command_id ?? '' }, as())
  expect(dataOf(changeApi.undoAuto, await undo())).toEqual({ undone: 2, begun: 0 })
  expect([await shown(wang, later), await left()]).toEqual([[], 2])
  expect(refusal(await undo()).slice(0, 2)).toEqual([409, 'change.undone'])
})

test('a teacher is asked before he covers: the lesson waits as it is, he declines or agrees, nobody else may answer for him', async () => {
  const [zhang = '', , wang = ''] = teachers
  const date = '2026-10-12'
  const own = { token: await signIn(timetabled, wang) }
  const mine = async (token = own.token) => dataOf(changeApi.mine, await app.call(changeApi.mine, {}, { token })).list
  const answer = (id: string, agreed: boolean, token = own.token) => app.call(changeApi.answer, { id, agreed }, { token })
  const [lesson] = await day(zhang, date)
  const ask = async () => dataOf(changeApi.cover, await app.call(changeApi.cover, { date, lesson_day_id: lesson?.lesson_day_id ?? '',
    teacher_id: wang, reason: '公出', ask: true }, as())).order_id
  const order = async (id: string) => dataOf(changeApi.list, await app.call(changeApi.list, {}, as())).list.find(one => one.id === id)
  const first = await ask()
  expect((await mine()).map(one => [one.id, one.from_name, one.lesson.lesson_day_id])).toEqual([[first, '张伟', lesson?.lesson_day_id]])
  expect([await mine(me.token), (await answer(first, true, me.token)).status]).toEqual([[], 404])
  expect([(await day(zhang, date))[0]?.state, await day(wang, date), await order(first)]).toMatchObject([1, [], { state: 3,
    may_undo: true }])
  dataOf(changeApi.answer, await answer(first, false))
  expect(refusal(await answer(first, true)).slice(0, 2)).toEqual([409, 'change.settled'])
  const second = await ask()
  dataOf(changeApi.answer, await answer(second, true))
  expect([(await day(wang, date)).map(one => one.state), (await order(first))?.state, await order(second)]).toMatchObject([[2], 4,
    { state: 1 }])
  dataOf(changeApi.undo, await app.call(changeApi.undo, { id: second }, as()))
  expect([(await day(zhang, date)).map(one => one.state), await day(wang, date)]).toEqual([[1, 1], []])
  const third = await ask()
  dataOf(changeApi.undo, await app.call(changeApi.undo, { id: third }, as()))
  expect(await mine()).toEqual([])
})

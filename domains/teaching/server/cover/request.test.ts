import { dataOf } from '@apps/server/testing'
import type { Answer } from '@apps/server/testing'
import { approvalApi } from '@campus/approval/contract'
import { changeApi, lessonApi } from '@campus/teaching/contract'
import type { DayLesson } from '@campus/teaching/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signIn, startTimetabled } from '../testing/timetabled.ts'
import type { Timetabled } from '../testing/timetabled.ts'

const [monday, tuesday] = ['2026-09-07', '2026-09-08'] as const
const [week_ms, reason] = [7 * 86_400_000, '去区里教研'] as const
let school: Timetabled
let office: { token: string }
let own: Record<'zhang' | 'li' | 'wang', { token: string }>

beforeAll(async () => {
  school = await startTimetabled()
  office = { token: school.me.token }
  const [zhang = '', li = '', wang = ''] = school.teachers
  own = { zhang: { token: await signIn(school, zhang) }, li: { token: await signIn(school, li) }, wang: { token: await signIn(school,
    wang) } }
})
afterAll(() => school.app.close())

const refusal = ({ status, body }: Answer) => [status, body.error_id]
const taught = async (teacher_id: string, date: string) => dataOf(lessonApi.list,
  await school.app.call(lessonApi.list, { from: date, to: date, teacher_id }, office)).list
const shown = async (date: string) => dataOf(lessonApi.list, await school.app.call(lessonApi.list, { from: date, to: date,
  class_id: school.classes[1] ?? '' }, office)).list.map(one => [one.section, one.course_name, one.teachers[0]?.user_name, one.state])
const askSwap = (mine: DayLesson | undefined, other: DayLesson | undefined, as: { token: string }) => school.app.call(changeApi.add,
  { kind: 2,
  date: mine?.date ?? monday, lesson_day_id: mine?.lesson_day_id ?? '0', other_date: other?.date ?? monday,
    other_id: other?.lesson_day_id ?? '0',
  reason }, as)
const askMove = (mine: DayLesson | undefined, other_date: string, to_section: number, as: { token: string }) =>
  school.app.call(changeApi.add,
  { kind: 3, date: mine?.date ?? monday, lesson_day_id: mine?.lesson_day_id ?? '0', other_date, to_section, reason }, as)
const requests = async (as: { token: string }) => dataOf(changeApi.requests, await school.app.call(changeApi.requests, {}, as)).list
const waiting = async (as: { token: string }) => dataOf(approvalApi.list, await school.app.call(approvalApi.list,
  { source: 'lesson_change' }, as)).list
const decide = (item_id: string, action: string, version: number, as: { token: string }) => school.app.call(approvalApi.act,
  { source: 'lesson_change', item_id, action, version, opinion: '课时不足' }, as)

test('申请调课: a swap waits for the other teacher, then for the office, in the one list of what waits; then the lessons change',
  async () => {
  const [, li = '', wang = ''] = school.teachers
  const [art] = await taught(wang, tuesday)
  const [, maths] = (await taught(li, monday)).toSorted((a, b) => a.class_name.localeCompare(b.class_name))
  const { list } = dataOf(changeApi.partners, await school.app.call(changeApi.partners, { date: tuesday,
    lesson_day_id: art?.lesson_day_id ?? '0',
    other_date: monday }, own.wang))
  expect(list.map(one => [one.section, one.course_name])).toEqual([[1, 'SX'], [2, 'YW']])
  expect(refusal(await askSwap(maths, art, own.wang))).toEqual([403, 'change.notYours'])
  const { order_id, state } = dataOf(changeApi.add, await askSwap(art, maths, own.wang))
  expect([state, (await requests(own.wang)).map(one => [one.id, one.waits_for])]).toEqual([3, [[order_id, '李娜']]])
  expect(refusal(await askSwap(art, maths, own.wang))).toEqual([409, 'change.sameDayTwice'])
  expect([await waiting(office), await waiting(own.zhang), refusal(await decide(order_id, 'pass', 3, own.zhang))]).toEqual([[], [],
    [404, 'common.notFound']])
  expect((await waiting(own.li)).map(one => [one.item_id, one.version])).toEqual([[order_id, 3]])
  expect((await decide(order_id, 'pass', 3, own.li)).status).toBe(200)
  expect([await shown(monday), await shown(tuesday)]).toEqual([[[1, 'SX', '李娜', 1], [2, 'YW', '张伟', 1]], [[1, 'MS', '王芳', 1]]])
  expect(refusal(await school.app.call(changeApi.approve, { id: order_id }, own.li))[0]).toBe(403)
  expect((await waiting(office)).map(one => [one.item_id, one.title.split(' ')[0], one.version])).toEqual([[order_id, '王芳', 5]])
  expect((await decide(order_id, 'pass', 5, office)).status).toBe(200)
  expect([await shown(monday), await shown(tuesday)]).toEqual([[[1, 'MS', '王芳', 3], [2, 'YW', '张伟', 1]], [[1, 'SX', '李娜', 3]]])
  expect(refusal(await school.app.call(changeApi.approve, { id: order_id }, office))).toEqual([409, 'change.settled'])
  dataOf(changeApi.undo, await school.app.call(changeApi.undo, { id: order_id }, office))
  expect(await shown(tuesday)).toEqual([[1, 'MS', '王芳', 1]])
})

test('a move is refused with words, withdrawn by who asked, or over when its lesson begins; until then the lesson stays', async () => {
  const [, , wang = ''] = school.teachers
  const [art] = await taught(wang, '2026-09-15')
  expect(refusal(await askMove(art, '2026-09-19', 1, own.wang))).toEqual([422, 'change.noSection'])
  const first = dataOf(changeApi.add, await askMove(art, '2026-09-16', 2, own.wang))
  expect(refusal(await school.app.call(changeApi.withdraw, { id: first.order_id }, own.li))).toEqual([404, 'common.notFound'])
  dataOf(changeApi.refuse, await school.app.call(changeApi.refuse, { id: first.order_id, text: '课时不足' }, office))
  const second = dataOf(changeApi.add, await askMove(art, '2026-09-16', 2, own.wang))
  dataOf(changeApi.withdraw, await school.app.call(changeApi.withdraw, { id: second.order_id }, own.wang))
  const third = dataOf(changeApi.add, await askMove(art, '2026-09-16', 2, own.wang))
  expect((await requests(own.wang)).slice(0, 3).map(one => [one.id, one.state, one.answer])).toEqual([[third.order_id, 5, ''],
    [second.order_id, 2, ''], [first.order_id, 6, '课时不足']])
  dataOf(changeApi.approve, await school.app.call(changeApi.approve, { id: third.order_id }, office))
  expect([await shown('2026-09-15'), await shown('2026-09-16')]).toEqual([[[1, 'MS', '王芳', 4]], [[2, 'MS', '王芳', 3]]])
  const [later] = await taught(wang, '2026-09-22')
  const fourth = dataOf(changeApi.add, await askMove(later, '2026-09-23', 2, own.wang))
  school.app.clock.advance(3 * week_ms)
  school.me = await school.app.as({ school_id: school.me.school_id, codes: 'all', places: 'all' })
  office = { token: school.me.token }
  expect(refusal(await school.app.call(changeApi.approve, { id: fourth.order_id }, office))).toEqual([422, 'change.begun'])
  const over = dataOf(changeApi.list, await school.app.call(changeApi.list, { state: '7' }, office)).list
  expect([over.map(one => [one.id, one.state]), await waiting(office)]).toEqual([[[fourth.order_id, 7]], []])
})

test('a chain may ask each of its teachers: it comes into force when the last one agrees, and not when one declines', async () => {
  const [zhang = '', li = '', wang = ''] = school.teachers
  const date = '2026-09-28'
  const tokens = { li: { token: await signIn(school, li) }, wang: { token: await signIn(school, wang) } }
  const [lesson] = await taught(zhang, date)
  const chain = async () => dataOf(changeApi.chain, await school.app.call(changeApi.chain, { date,
    lesson_day_id: lesson?.lesson_day_id ?? '',
    teacher_ids: [li, wang], reason, ask: true }, office)).order_id
  const answer = (id: string, agreed: boolean, as: { token: string }) => school.app.call(changeApi.answer, { id, agreed }, as)
  const first = await chain()
  expect((await answer(first, true, tokens.li)).status).toBe(200)
  expect((await answer(first, false, tokens.wang)).status).toBe(200)
  expect((await taught(li, date)).map(one => one.state)).toEqual([1, 1])
  const second = await chain()
  expect((await answer(second, true, tokens.wang)).status).toBe(200)
  expect(refusal(await answer(second, true, tokens.wang))).toEqual([409, 'change.settled'])
  expect((await taught(wang, date))).toEqual([])
  expect((await answer(second, true, tokens.li)).status).toBe(200)
  expect([(await taught(li, date)).map(one => one.state), (await taught(wang, date)).map(one => one.state)]).toEqual([[2, 1], [2]])
})

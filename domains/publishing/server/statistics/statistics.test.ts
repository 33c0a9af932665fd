import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { checkinApi, homeworkApi, informApi, noticeApi, readerApi, surveyApi } from '@campus/publishing/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeClasses, sessionOf } from '../testing/school.ts'

const { a: school_id } = test_schools
const day_ms = 86_400_000
let app: TestApp
let me: TestUser
let school: Awaited<ReturnType<typeof makeClasses>>
let days: { from: string; to: string }
let due_day: string

beforeAll(async () => {
  app = await startTestApp()
  me = await app.as({ school_id, codes: 'all' })
  school = await makeClasses(app, school_id)
  const day = (shift: number) => new Date(app.clock.now().getTime() + 8 * 3_600_000 + shift * day_ms).toISOString().slice(0, 10)
  days = { from: day(-1), to: day(1) }
  due_day = day(1)
  const first = [{ target_type: 1 as const, target_id: school.first.dept_id }]
  const both = [...first, { target_type: 1 as const, target_id: school.second.dept_id }]
  const due_at = new Date(app.clock.now().getTime() + day_ms).toISOString()
  await sent({ kind: '1', title: '运动会', audience: both })
  const homework = await sent({
    kind: '3',
    title: '口算',
    audience: first,
    subject: '13',
    est_minutes: 50,
    due_at,
    reply_kind: 4,
    receivers: 2,
  })
  await sent({ kind: '3', title: '阅读', audience: first, subject: '14', est_minutes: 25, due_at }, '期末复习')
  const mother = await sessionOf(app, me, school.mothers[0] ?? '')
  await app.call(readerApi.open, { id: homework }, as(mother))
  await app.call(readerApi.submit, { id: homework, subject_user_id: school.first.pupils[0] ?? '', text: '完成' }, as(mother))
})
afterAll(() => app.close())

const as = (token = me.token) => ({ token })
type Line = { target_type: 1; target_id: string }

async function sent(
  more: { kind: '1' | '3' | '4' | '5'; title: string; audience: Line[] } & Record<string, unknown>,
  override_reason: string | null = null,
): Promise<string> {
  const asked = { scene: 1, content_html: '<p>请查收</p>', ...more }
  const { id } = dataOf(noticeApi.add, await app.call(noticeApi.add, asked, as()))
  const receivers = more['receivers'] === 2 ? { receivers: 2 } : {}
  const preview = await app.call(noticeApi.preview, { scene: 1, kind: more.kind, audience: more.audience, ...receivers }, as())
  const { audience_hash } = dataOf(noticeApi.preview, preview)
  dataOf(noticeApi.publish, await app.call(noticeApi.publish, { id, audience_hash, override_reason }, as()))
  return id
}

test('notices are counted in units by kind, week, author and class; a class teacher counts his own class alone', async () => {
  const read = async (by: 'kind' | 'week' | 'author' | 'dept', token = me.token) =>
    dataOf(informApi.notice, await app.call(informApi.notice, { ...days, by }, as(token)))
  const kinds = await read('kind')
  expect(kinds.list.map(row => [row.group_name, row.posts, row.expected, row.read])).toEqual([
    ['学校通知', 1, 12, 0],
    ['作业', 2, 9, 1],
  ])
  expect(kinds.totals).toMatchObject({ posts: 3, expected: 21, read: 1, unreachable: 1 })
  expect((await read('dept')).list.map(row => [row.group_name, row.expected])).toEqual([
    ['13年级1班', 15],
    ['13年级2班', 6],
  ])
  expect([(await read('week')).list.length, (await read('author')).list.length]).toEqual([1, 1])
  const teacher = await app.as({ school_id, codes: ['publishing.inform.view'], scope: 'custom', scope_ids: [school.second.dept_id] })
  expect((await read('dept', teacher.token)).list.map(row => row.group_name)).toEqual(['13年级2班'])
  expect((await app.call(informApi.notice, { from: '2026-01-01', to: '2027-06-01' }, as())).status).toBe(422)
})

test('homework: minutes of a class and day against its limit, who handed in, and what went over with its reason', async () => {
  const load = dataOf(
    homeworkApi.load,
    await app.call(homeworkApi.load, { begin_date: days.from, end_date: days.to, dept_id: school.first.dept_id }, as()),
  )
  expect(load.classes).toEqual([
    { dept_id: school.first.dept_id, dept_name: '13年级1班', limit: 60, minutes: load.days.map(day => (day === due_day ? 75 : 0)) },
  ])
  const { list } = dataOf(homeworkApi.report, await app.call(homeworkApi.report, days, as()))
  expect(list.map(row => [row.subject, row.dept_name, row.posts, row.expected, row.submitted, row.rate])).toEqual([
    ['14', '13年级1班', 1, 6, 0, 0],
    ['13', '13年级1班', 1, 3, 1, 33.3],
  ])
  const over = dataOf(homeworkApi.list, await app.call(homeworkApi.list, { over: '1' }, as()))
  expect(over.list.map(row => [row.title, row.day_minutes, row.over_by, row.override_reason])).toEqual([['阅读', 75, 15, '期末复习']])
})

test('check-ins and surveys: lists of the one kind, who answered by post and class; a class teacher counts his own class alone', async () => {
  const line = (dept_id: string) => ({ target_type: 1 as const, target_id: dept_id })
  const both = [line(school.first.dept_id), line(school.second.dept_id)]
  const checkin = await sent({ kind: '4', title: '阅读打卡', audience: both, reply_kind: 4, receivers: 2 })
  await sent({ kind: '5', title: '午餐意见', audience: [line(school.second.dept_id)], reply_kind: 4, receivers: 2 })
  const mother = await sessionOf(app, me, school.mothers[0] ?? '')
  await app.call(readerApi.open, { id: checkin }, as(mother))
  await app.call(readerApi.submit, { id: checkin, subject_user_id: school.first.pupils[0] ?? '', text: '读了20页' }, as(mother))

  const listed = dataOf(checkinApi.list, await app.call(checkinApi.list, {}, as()))
  expect(listed.list.map(row => [row.title, row.kind, row.submitted])).toEqual([['阅读打卡', '4', 1]])
  expect(dataOf(surveyApi.list, await app.call(surveyApi.list, {}, as())).list.map(row => row.title)).toEqual(['午餐意见'])
  const report = dataOf(checkinApi.report, await app.call(checkinApi.report, { ...days, sort: 'dept_name' }, as()))
  expect(report.list.map(row => [row.title, row.dept_name, row.submitted])).toEqual([
    ['阅读打卡', '13年级1班', 1],
    ['阅读打卡', '13年级2班', 0],
  ])
  const answers = dataOf(surveyApi.report, await app.call(surveyApi.report, days, as()))
  expect(answers.list.map(row => [row.title, row.dept_name, row.submitted])).toEqual([['午餐意见', '13年级2班', 0]])
  const teacher = await app.as({ school_id, codes: ['publishing.homework.view'], scope: 'custom', scope_ids: [school.second.dept_id] })
  const own = dataOf(checkinApi.report, await app.call(checkinApi.report, days, as(teacher.token)))
  expect(own.list.map(row => row.dept_name)).toEqual(['13年级2班'])
})

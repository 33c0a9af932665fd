import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { noticeApi, readerApi } from '@campus/publishing/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeClasses, sessionOf } from '../testing/school.ts'

const { a: school_id } = test_schools
const rule = { from: '2026-11-16', to: '2026-11-27', weekdays: [1, 2, 3, 4, 5], daily_until: '20:00' }
let app: TestApp
let me: TestUser
let school: Awaited<ReturnType<typeof makeClasses>>
let pupil: string
let id: string

beforeAll(async () => {
  app = await startTestApp()
  app.clock.setTo('2026-11-20T10:00:00+08:00')
  me = await app.as({ school_id, codes: 'all' })
  school = await makeClasses(app, school_id)
  pupil = school.first.pupils[0] ?? ''
})
afterAll(() => app.close())

const as = (token = me.token) => ({ token })
const audience = () => [{ target_type: 1 as const, target_id: school.first.dept_id }]
const add = (more: object) =>
  app.call(
    noticeApi.add,
    { scene: 1, kind: '4', title: '每日阅读', content_html: '<p>读20分钟</p>', audience: audience(), reply_kind: 4, repeat_rule: rule, ...more },
    as(),
  )
const mother = (at: number) => sessionOf(app, me, school.mothers[at] ?? '')
const submit = async (at: number) =>
  app.call(readerApi.submit, { id, subject_user_id: school.first.pupils[at] ?? '', text: '读了两章' }, as(await mother(at)))
const opened = async (at: number) => dataOf(readerApi.open, await app.call(readerApi.open, { id }, as(await mother(at)))).subjects[0]
const waiting = async (at: number) =>
  dataOf(readerApi.inbox, await app.call(readerApi.inbox, {}, as(await mother(at)))).list.find(one => one.id === id)?.waiting

test('days belong to a check-in that is answered in words or by a form', async () => {
  expect((await add({ kind: '1' })).body.msg).toBe('只有打卡可以设置打卡日期')
  expect((await add({ reply_kind: 1 })).body.msg).toBe('按日期打卡请把回执选为“填写表单”或“文字回复”')
  expect((await add({ repeat_rule: { ...rule, to: '2026-11-01' } })).status).toBe(400)
})

test('连续打卡: it is asked each day that is due, given once a day, and counted without gaps; the class teacher sees the streaks of his class', async () => {
  id = dataOf(noticeApi.add, await add({})).id
  const asked = { scene: 1, kind: '4', audience: audience() }
  const { audience_hash } = dataOf(noticeApi.preview, await app.call(noticeApi.preview, asked, as()))
  dataOf(noticeApi.publish, await app.call(noticeApi.publish, { id, audience_hash }, as()))
  const given = sql.join(['2026-11-16', '2026-11-18', '2026-11-19'].map(day => sql`(${school_id}::int, ${id}::bigint, ${pupil}::bigint, ${pupil}::bigint, 1, '{}'::jsonb, '读了', false, 1, ${day}::date, ${new Date(`${day}T19:00:00+08:00`)}::timestamptz)`))
  await app.running.database.tenant(school_id, db =>
    sql`insert into publishing_submission (school_id, post_id, user_id, subject_user_id, rev, answers, content, late, state, day, at) values ${given}`.execute(db),
  )
  expect(await waiting(0)).toBe(1)
  expect(await opened(0)).toMatchObject({ can_submit: true, check_in: { due: 5, done: 3, streak: 2, longest: 2, is_due: true } })
  expect((await submit(0)).status).toBe(200)
  expect((await submit(0)).status).toBe(409)
  expect(await waiting(0)).toBe(0)
  expect(await opened(0)).toMatchObject({ can_submit: false, check_in: { done: 4, streak: 3 } })

  const scope = { scope: 'custom' as const, scope_ids: [school.first.dept_id] }
  const teacher = await app.as({ school_id, codes: ['publishing.notice.view'], ...scope })
  const streaks = dataOf(noticeApi.streaks, await app.call(noticeApi.streaks, { notice_id: id }, as(teacher.token)))
  expect(streaks.total).toBe(3)
  expect(streaks.list.find(row => row.subject_user_id === pupil)).toMatchObject({ due: 5, done: 4, streak: 3, longest: 3, last_day: '2026-11-20' })
  expect(streaks.list.filter(row => row.subject_user_id !== pupil).map(row => [row.due, row.done, row.streak])).toEqual([[5, 0, 0], [5, 0, 0]])
})

test('after its hour it takes nothing more that day, and on a free day it asks nothing', async () => {
  app.clock.setTo('2026-11-20T20:30:00+08:00')
  expect((await submit(1)).body.error_id).toBe('publishing.submitClosed')
  app.clock.setTo('2026-11-21T10:00:00+08:00')
  expect(await waiting(2)).toBe(0)
  expect((await submit(2)).body.msg).toBe('今天不需要打卡')
})

import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { noticeApi, readerApi } from '@campus/publishing/contract'
import { moveTo } from '../testing/clock.ts'
import { makeClasses, sessionOf } from '../testing/school.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const { a: school_id } = test_schools
let app: TestApp
let me: TestUser
let teacher: TestUser
let school: Awaited<ReturnType<typeof makeClasses>>

beforeAll(async () => {
  app = await startTestApp()
  me = await app.as({ school_id, codes: 'all' })
  school = await makeClasses(app, school_id)
  teacher = await app.as({ school_id, codes: ['publishing.notice.view', 'publishing.notice.edit', 'publishing.notice.publish', 'publishing.notice.remind'], scope: 'custom', scope_ids: [school.first.dept_id] })
})
afterAll(() => app.close())

const as = (token = me.token) => ({ token })
const refusal = ({ status, body }: Answer) => [status, body.error_id]
const dept = (target_id: string) => ({ target_type: 1 as const, target_id })
const both = () => [dept(school.first.dept_id), dept(school.second.dept_id)]

async function draft(more: object = {}, token = me.token): Promise<string> {
  const asked = { scene: 1, kind: '1' as const, title: '秋季运动会通知', content_html: '<p>11月25日举行<script>alert(1)</script></p>', audience: both(), ...more }
  return dataOf(noticeApi.add, await app.call(noticeApi.add, asked, as(token))).id
}
const hashOf = async (audience = both(), more: object = {}) => dataOf(noticeApi.preview, await app.call(noticeApi.preview, { scene: 1, kind: '1', audience, ...more }, as())).audience_hash
const publish = async (id: string, audience_hash: string | null, more: object = {}) => app.call(noticeApi.publish, { id, audience_hash, ...more }, as())
async function sent(more: object = {}, audience = both()): Promise<string> {
  const id = await draft({ audience, ...more })
  dataOf(noticeApi.publish, await publish(id, await hashOf(audience)))
  return id
}
const report = async (notice_id: string, token = me.token) => dataOf(noticeApi.report, await app.call(noticeApi.report, { notice_id }, as(token)))
const open = (id: string, token: string) => app.call(readerApi.open, { id }, as(token))

describe('who a post goes to', () => {
  test('60-A4 units are families: six pupils with six families, one of them without a known parent', async () => {
    const preview = dataOf(noticeApi.preview, await app.call(noticeApi.preview, { scene: 1, kind: '1', audience: both() }, as()))
    expect(preview).toMatchObject({ total: 12, students: 6, guardians: 6, unbound: 1, problem: null })
    expect(preview.by_dept.map(one => one.units)).toEqual([6, 6])
    const without = await app.call(noticeApi.preview, { scene: 1, kind: '1', receivers: 2, audience: [...both(), { mode: 2, target_type: 5, target_id: school.first.pupils[0] ?? '' }] }, as())
    expect(dataOf(noticeApi.preview, without)).toMatchObject({ total: 5, students: 0 })
  })

  test('60-A1 published: the number is whole at once; 60-A4 one guardian reads, the family has read', async () => {
    const id = await sent()
    const [row] = dataOf(noticeApi.list, await app.call(noticeApi.list, {}, as())).list
    expect(row).toMatchObject({ id, state: '2', expected: 12, read: 0, unreachable: 1 })
    const mother = await sessionOf(app, me, school.mothers[0] ?? '')
    const opened = dataOf(readerApi.open, await open(id, mother))
    expect(opened.content_html).toBe('<p>11月25日举行</p>')
    expect(opened.subjects.map(one => one.subject_user_id)).toEqual([school.first.pupils[0]])
    expect(await report(id)).toMatchObject({ expected: 12, read: 1, by_dept: [{ read: 1 }, { read: 0 }] })
    await open(id, mother)
    expect((await report(id)).read).toBe(1)
  })

  test('60-A4 a guardian of two opens once and both have read; each guardian counts where each must', async () => {
    const audience = [dept(school.first.dept_id)]
    const hash = await hashOf(audience, { receivers: 2 })
    const [any, each] = [await draft({ receivers: 2, audience }), await draft({ parent_rule: 2, receivers: 2, audience })]
    for (const id of [any, each]) dataOf(noticeApi.publish, await publish(id, hash))
    const father = await sessionOf(app, me, school.father)
    for (const id of [any, each]) await open(id, father)
    expect([(await report(any)).read, (await report(each)).read]).toEqual([2, 0])
    await open(each, await sessionOf(app, me, school.mothers[0] ?? ''))
    expect((await report(each)).read).toBe(1)
  })

  test('60-A7 the set changed since the preview: the pupil who came is named; without a preview nothing goes out', async () => {
    const id = await draft()
    const before = await hashOf()
    expect(refusal(await publish(id, null))).toEqual([409, 'publishing.audienceChanged'])
    expect(refusal(await publish(id, before.replace(/.$/, sign => (sign === '0' ? '1' : '0'))))).toEqual([409, 'publishing.audienceChanged'])
    expect((await publish(id, before)).status).toBe(200)
  })

  test('60-A6 a class teacher sends to his own class alone, and sees his slice of a school-wide post', async () => {
    const foreign = await draft({ audience: both() }, teacher.token)
    const preview = dataOf(noticeApi.preview, await app.call(noticeApi.preview, { scene: 1, kind: '1', audience: both() }, as(teacher.token)))
    expect(preview.problem).toContain('2班')
    expect(refusal(await app.call(noticeApi.publish, { id: foreign, audience_hash: preview.audience_hash }, as(teacher.token)))).toEqual([422, 'publishing.audienceOutOfScope'])
    const id = await sent()
    expect((await report(id, teacher.token)).by_dept.map(one => one.dept_id)).toEqual([school.first.dept_id])
    const unread = async (dept_id: string) => dataOf(noticeApi.unread, await app.call(noticeApi.unread, { notice_id: id, dept_id }, as(teacher.token))).list.length
    expect([await unread(school.first.dept_id), await unread(school.second.dept_id)]).toEqual([8, 0])
    const alert = await app.call(noticeApi.alert, { notice_id: id, scope: 1, user_ids: [school.mothers[4] ?? ''] }, as(teacher.token))
    expect(refusal(alert)).toEqual([422, 'publishing.nobodyToRemind'])
  })
})

test('60-A5 a reminder goes to those who have not read; a second one within 30 minutes is refused with the minutes', async () => {
  const id = await sent()
  await open(id, await sessionOf(app, me, school.mothers[0] ?? ''))
  const told = dataOf(noticeApi.alert, await app.call(noticeApi.alert, { notice_id: id, scope: 1 }, as()))
  expect([told.selected + told.skipped_read + told.unreachable, told.skipped_read, told.unreachable]).toEqual([14, 1, 1])
  const again = await app.call(noticeApi.alert, { notice_id: id, scope: 1 }, as())
  expect([again.status, again.body.msg]).toEqual([429, '提醒过于频繁，请30分钟后再试'])
})

test('60-A9 a recalled post gives no text, its receipts stay; sent anew with reset everybody is unread', async () => {
  const id = await sent()
  const mother = await sessionOf(app, me, school.mothers[1] ?? '')
  await open(id, mother)
  dataOf(noticeApi.recall, await app.call(noticeApi.recall, { id, reason: '时间有误' }, as()))
  expect([(await open(id, mother)).status, (await open(id, mother)).body.msg]).toEqual([410, '该通知已撤回'])
  const line = dataOf(readerApi.inbox, await app.call(readerApi.inbox, {}, as(mother))).list.find(one => one.id === id)
  expect(line).toMatchObject({ is_recalled: true, title: '通知已撤回', summary: '' })
  expect((await report(id)).read).toBe(1)
  expect(refusal(await app.call(noticeApi.recall, { id, reason: '再次' }, as()))).toEqual([409, 'publishing.alreadyRecalled'])
  dataOf(noticeApi.republish, await app.call(noticeApi.republish, { id, audience_hash: await hashOf(), reset_read: true }, as()))
  expect((await report(id)).read).toBe(0)
})

test('60-A13 two homeworks of 40 minutes for one class and day: one is set, the other is over the limit of 60', async () => {
  const due_at = new Date(app.clock.now().getTime() + 86_400_000).toISOString()
  const audience = [dept(school.first.dept_id)]
  const ids = [await draft({ kind: '3', subject: '14', est_minutes: 40, due_at, audience }), await draft({ kind: '3', subject: '13', est_minutes: 40, due_at, audience })]
  const hash = await hashOf(audience)
  const answers = await Promise.all(ids.map(id => publish(id, hash)))
  expect(answers.map(answer => answer.status).toSorted()).toEqual([200, 422])
  expect(answers.find(answer => answer.status === 422)?.body.msg).toBe('13年级1班当日作业总时长将达到80分钟，超过60分钟上限')
})

test('60-A11 60-A12 one submission a child, the later guardian reads who was first; an anonymous survey keeps no name', async () => {
  const form = [{ key: 'f1', type: 'single' as const, label: '校服尺码', required: true, options: ['S', 'M'] }]
  const id = await sent({ kind: '5', reply_kind: 3, form })
  const [mother, father] = [await sessionOf(app, me, school.mothers[0] ?? ''), await sessionOf(app, me, school.father)]
  const submit = (post: string, token: string, answers: Record<string, string>) => app.call(readerApi.submit, { id: post, subject_user_id: school.first.pupils[0] ?? '', answers }, as(token))
  expect((await submit(id, mother, { f1: 'XL' })).body).toMatchObject({ code: 422, msg: '输入内容有误，请重新输入！' })
  const answers = await Promise.all([mother, father, mother, father].map(token => submit(id, token, { f1: 'M' })))
  expect(answers.map(answer => answer.status).toSorted()).toEqual([200, 409, 409, 409])
  expect(answers.find(answer => answer.status === 409)?.body.msg).toMatch(/^[母父]亲13\d?已于2026-.*提交，请勿重复提交$/)
  const nameless = await sent({ kind: '5', reply_kind: 3, anonymous: true, form })
  expect((await submit(nameless, mother, { f1: 'S' })).status).toBe(200)
  expect((await submit(nameless, mother, { f1: 'S' })).status).toBe(409)
  const { rows } = await app.running.database.tenant(school_id, db => sql`select 1 from publishing_submission where school_id = ${school_id} and post_id = ${nameless} and (user_id is not null or subject_user_id is not null)`.execute(db))
  expect(rows).toEqual([])
  const lines = await app.running.database.tenant(school_id, db => sql`select user_id, user_name, ip from operation_log where school_id = ${school_id} and call = 'publishing.reader.submit' and target_id = ${nameless} and ok`.execute(db))
  expect(lines.rows).toEqual([{ user_id: null, user_name: null, ip: '' }])
  expect(await report(nameless)).toMatchObject({ submitted: expect.any(Number), hidden_answers: true, fields: [] })
})

test('已电话告知 is a note of a class teacher on families that have not read: they stay unread, receipts say who told them; others are left alone', async () => {
  const id = await sent()
  await open(id, await sessionOf(app, me, school.mothers[0] ?? ''))
  const [read = '', unread = ''] = school.first.pupils
  const own = await app.as({ school_id, codes: ['publishing.notice.view', 'publishing.notice.remind'], scope: 'custom', scope_ids: [school.first.dept_id] })
  const mark = (subject_ids: string[], phoned = true) => app.call(noticeApi.phoned, { notice_id: id, subject_ids, phoned }, as(own.token))
  expect(refusal(await mark([read]))).toEqual([422, 'publishing.phonedNobody'])
  expect(refusal(await mark([school.second.pupils[0] ?? '']))).toEqual([422, 'publishing.phonedNobody'])
  expect(dataOf(noticeApi.phoned, await mark([read, unread, school.second.pupils[0] ?? '']))).toEqual({ changed: 1 })
  const receipts = async () => dataOf(noticeApi.unread, await app.call(noticeApi.unread, { notice_id: id }, as(own.token))).list
  const noted = (await receipts()).filter(row => row.phoned_at !== null)
  expect(noted.map(row => [row.subject_user_id, row.role])).toEqual([[unread, 2], [unread, 2]])
  expect(await report(id)).toMatchObject({ read: 1, phoned: 1, expected: 12 })
  expect((await mark([unread], false)).status).toBe(200)
  expect((await receipts()).filter(row => row.phoned_at !== null)).toEqual([])
})

test('60-A10 a planned post goes out once when its time has come; one whose window is over goes out to nobody', async () => {
  const at = (minutes: number) => new Date(app.clock.now().getTime() + minutes * 60_000).toISOString()
  const [planned, late] = [await draft(), await draft({ expire_at: at(20) })]
  expect(dataOf(noticeApi.publish, await publish(planned, null, { publish_at: at(10) })).state).toBe('7')
  expect(dataOf(noticeApi.publish, await publish(late, null, { publish_at: at(10) })).state).toBe('7')
  await moveTo(app, 30)
  me = await app.as({ school_id, codes: 'all' })
  const states = dataOf(noticeApi.list, await app.call(noticeApi.list, {}, as())).list.filter(row => row.id === planned || row.id === late).map(row => [row.id, row.state, row.expected])
  expect(states).toEqual(expect.arrayContaining([[planned, '2', 12], [late, '5', null]]))
})

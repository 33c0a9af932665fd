import { dataOf, startTestApp } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { startSession } from '@campus/identity/server'
import { inboxApi } from '@campus/messages/contract'
import { collectAnswerApi, collectReviewApi, collectTaskApi, fieldApi, staffFileApi } from '@campus/people/contract'
import type { Request } from '@kit/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PeopleDb } from '../db.ts'
import type { SmallSchool } from '../people.builders.ts'
import { openSchool } from '../testing/changer.ts'

const school_id = 1001
const codes = ['people.collect.edit', 'people.collect.review', 'people.staff.view', 'people.field.edit']
let app: TestApp
let school: SmallSchool
let clerk: TestUser
let chen: string
let zhou: string

beforeAll(async () => {
  app = await startTestApp()
  school = await openSchool(app, school_id)
  clerk = await app.as({ school_id, codes })
  chen = await teacher(0)
  zhou = await teacher(1)
})
afterAll(() => app.close())

const rows = <R>(query: ReturnType<typeof sql<R>>) => app.running.database.tenant<PeopleDb, R[]>(school_id, async db => (await query.execute(db)).rows)

/** A teacher of the school signs in without any permission. */
async function teacher(at: number): Promise<string> {
  const plain = await app.as({ school_id, codes: [] })
  const user_id = school.teachers[at] ?? ''
  await rows(sql`update role_member set user_id = ${user_id} where school_id = ${school_id} and user_id = ${plain.user_id}`)
  const desk = { app: app.running.app, now: app.clock.now(), own: <DB, T>(id: number, fn: Parameters<typeof app.running.database.tenant<DB, T>>[1]) => app.running.database.tenant<DB, T>(id, fn) }
  return (await startSession(desk, { school_id, user_id, role_no: plain.role_no, device_label: '测试', ip: '127.0.0.1' })).token
}

const draft = (more: Partial<Request<typeof collectTaskApi.add>> = {}): Request<typeof collectTaskApi.add> => ({
  title: '教师信息核对', field_scene: 2, field_codes: ['mobile', 'edu', 'email', 'ext.office_room'], audience: { dept_ids: [school.office] },
  close_at: new Date(app.clock.now().getTime() + 3_600_000).toISOString(), review_mode: 'review', ...more,
})
const mine = async (token: string) => dataOf(collectAnswerApi.mine, await app.call(collectAnswerApi.mine, {}, { token })).list
const staffFile = async (user_id: string) => dataOf(staffFileApi.detail, await app.call(staffFileApi.detail, { user_id }, { token: clerk.token }))

test('20-R29 staff are asked about themselves: each finds it, answers or confirms, the school decides field by field', async () => {
  expect((await app.call(fieldApi.save, { field_scene: 2, list: [{ field_code: 'office_room', label: '办公室', type: 'text' }] }, { token: clerk.token })).status).toBe(200)
  const offered = dataOf(collectTaskApi.fields, await app.call(collectTaskApi.fields, { field_scene: 2 }, { token: clerk.token })).list.map(field => field.field_code)
  expect(offered).toEqual(expect.arrayContaining(['mobile', 'edu', 'ext.office_room']))
  expect(offered).not.toContain('teacher_no')
  const { id } = dataOf(collectTaskApi.add, await app.call(collectTaskApi.add, draft(), { token: clerk.token }))
  expect(dataOf(collectTaskApi.open, await app.call(collectTaskApi.open, { id }, { token: clerk.token }))).toEqual({ asked: 2 })
  const [asked] = await mine(chen)
  expect(asked).toMatchObject({ task_id: id, title: '教师信息核对', user_name: '陈晓华', state: 'unseen' })
  const told = dataOf(inboxApi.list, await app.call(inboxApi.list, {}, { token: chen })).list
  expect(told.map(message => message.title)).toContain('请核对信息：教师信息核对')
  const user_id = school.teachers[0] ?? ''
  const form = dataOf(collectAnswerApi.form, await app.call(collectAnswerApi.form, { task_id: id, user_id }, { token: chen }))
  expect(form.fields.map(({ field_code, value, is_masked }) => [field_code, value, is_masked])).toEqual([['mobile', '169****0001', true], ['edu', null, false], ['email', null, false], ['ext.office_room', null, false]])
  const wrong = await app.call(collectAnswerApi.answer, { task_id: id, user_id, values: { mobile: '123', email: 'x' } }, { token: chen })
  expect([wrong.status, wrong.body.data]).toMatchObject([422, { errors: expect.arrayContaining([{ field: 'mobile', msg: '手机号格式不正确' }, expect.objectContaining({ field: 'email' })]) }])
  const taken = await app.call(collectAnswerApi.answer, { task_id: id, user_id, values: { mobile: '16910000002' } }, { token: chen })
  expect([taken.status, taken.body.msg]).toEqual([409, '手机号已被占用'])
  const said = { email: 'chen@example.com', 'ext.office_room': '东楼 302' }
  expect(dataOf(collectAnswerApi.answer, await app.call(collectAnswerApi.answer, { task_id: id, user_id, values: said }, { token: chen })).state).toBe('answered')
  expect(dataOf(collectAnswerApi.answer, await app.call(collectAnswerApi.answer, { task_id: id, user_id: school.teachers[1] ?? '', values: {} }, { token: zhou })).state).toBe('confirmed_same')
  const [waiting] = dataOf(collectReviewApi.waiting, await app.call(collectReviewApi.waiting, {}, { token: clerk.token })).list
  expect(waiting).toMatchObject({ user_name: '陈晓华', dept_name: '教务处', errors: [], diff: [{ field: 'email' }, { field: 'ext.office_room', after: '东楼 302' }] })
  const decided = await app.call(collectReviewApi.decide, { task_id: id, lines: [{ user_id, field_codes: ['ext.office_room'] }] }, { token: clerk.token })
  expect(dataOf(collectReviewApi.decide, decided)).toEqual({ accepted: 1, refused: 0 })
  const file = await staffFile(user_id)
  expect([file.registry.email, file.custom.map(field => field.value)]).toEqual([null, ['东楼 302']])
  expect(await rows(sql`select source, fields from archive_log_v where school_id = ${school_id} and person_id = ${user_id} and source = 'collect'`)).toEqual([{ source: 'collect', fields: ['ext.office_room'] }])
})

test('20-A35 nobody answers for a colleague; who keeps other departments sees nothing of the task; pupils are no staff', async () => {
  const { id } = dataOf(collectTaskApi.add, await app.call(collectTaskApi.add, draft({ title: '第二次核对' }), { token: clerk.token }))
  expect((await app.call(collectTaskApi.open, { id }, { token: clerk.token })).status).toBe(200)
  expect((await app.call(collectAnswerApi.form, { task_id: id, user_id: school.teachers[1] ?? '' }, { token: chen })).status).toBe(404)
  const head = await app.as({ school_id, codes, scope: 'custom', scope_ids: [school.class_1] })
  expect(dataOf(collectTaskApi.page, await app.call(collectTaskApi.page, {}, { token: head.token })).list.map(task => task.id)).not.toContain(id)
  expect((await app.call(collectTaskApi.add, draft({ audience: { user_ids: [school.pupils[0] ?? ''] } }), { token: clerk.token })).status).toBe(404)
  expect((await app.call(collectTaskApi.add, draft({ audience: { user_ids: [school.teachers[0] ?? ''] } }), { token: head.token })).status).toBe(404)
  const other = await app.call(collectTaskApi.add, draft({ field_scene: 3 }), { token: clerk.token })
  expect([other.status, other.body.msg]).toEqual([422, '不支持的字段场景'])
})

test('an answer without review is written at once, with its source', async () => {
  const named = { title: '直接更新', review_mode: 'auto' as const, audience: { user_ids: [school.teachers[1] ?? ''] }, field_codes: ['email'] }
  const { id } = dataOf(collectTaskApi.add, await app.call(collectTaskApi.add, draft(named), { token: clerk.token }))
  expect(dataOf(collectTaskApi.open, await app.call(collectTaskApi.open, { id }, { token: clerk.token }))).toEqual({ asked: 1 })
  expect((await mine(chen)).map(one => one.task_id)).not.toContain(id)
  const user_id = school.teachers[1] ?? ''
  expect(dataOf(collectAnswerApi.answer, await app.call(collectAnswerApi.answer, { task_id: id, user_id, values: { email: 'zhou@example.com' } }, { token: zhou })).state).toBe('accepted')
  expect((await staffFile(user_id)).registry.email).toBe('zhou@example.com')
})

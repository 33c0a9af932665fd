import { dataOf, startTestApp } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { startSession } from '@campus/identity/server'
import { inboxApi } from '@campus/messages/contract'
import { collectAnswerApi, collectReviewApi, collectTaskApi } from '@campus/people/contract'
import type { Request } from '@kit/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PeopleDb } from '../db.ts'
import type { SmallSchool } from '../people.builders.ts'
import { openSchool, pupilsIn } from '../testing/changer.ts'

const a = 1001
const hour_ms = 3_600_000
const codes = ['people.collect.edit', 'people.collect.review']
let app: TestApp
let school: SmallSchool
let clerk: TestUser
let head: TestUser
let father: string
let stranger: string

beforeAll(async () => {
  app = await startTestApp()
  school = await openSchool(app, a)
  await openSchool(app, 1002)
  clerk = await app.as({ school_id: a, codes })
  head = await app.as({ school_id: a, codes, scope: 'custom', scope_ids: [school.class_1] })
  father = await guardian('王志强')
  stranger = await guardian('单大山')
})
afterAll(() => app.close())

const rows = <R>(query: ReturnType<typeof sql<R>>) => app.running.database.tenant<PeopleDb, R[]>(a, async db => (await query.execute(db)).rows)

/** A guardian signs in with the role of a person without any permission. */
async function guardian(user_name: string): Promise<string> {
  const plain = await app.as({ school_id: a, codes: [] })
  const [person] = await rows(sql<{ user_id: string }>`select user_id::text as user_id from person where school_id = ${a} and user_name = ${user_name}`)
  const user_id = person?.user_id ?? ''
  await rows(sql`update role_member set user_id = ${user_id} where school_id = ${a} and user_id = ${plain.user_id}`)
  const desk = { app: app.running.app, now: app.clock.now(), own: <DB, T>(id: number, fn: Parameters<typeof app.running.database.tenant<DB, T>>[1]) => app.running.database.tenant<DB, T>(id, fn) }
  return (await startSession(desk, { school_id: a, user_id, role_no: plain.role_no, device_label: '测试', ip: '127.0.0.1' })).token
}

const first = () => school.pupils[0] ?? ''
const refusal = ({ status, body }: Answer): unknown[] => [status, body.error_id, body.msg]
const draft = (more: Partial<Request<typeof collectTaskApi.add>> = {}): Request<typeof collectTaskApi.add> => ({
  title: '开学信息核对', field_codes: ['address', 'postcode', 'birthday', 'tel', 'id_no'], audience: { dept_ids: [school.grade] },
  close_at: new Date(app.clock.now().getTime() + hour_ms).toISOString(), review_mode: 'review', ...more,
})
const add = (more = {}, who = clerk) => app.call(collectTaskApi.add, draft(more), { token: who.token })
const open = (id: string, who = clerk) => app.call(collectTaskApi.open, { id }, { token: who.token })
async function opened(more = {}): Promise<string> {
  const { id } = dataOf(collectTaskApi.add, await add(more))
  dataOf(collectTaskApi.open, await open(id))
  return id
}
const answer = (task_id: string, values: Record<string, string | null>, { token = father, user_id = first(), accept_warnings }: { token?: string; user_id?: string; accept_warnings?: string[] } = {}) => app.call(collectAnswerApi.answer, { task_id, user_id, values, ...(accept_warnings ? { accept_warnings } : {}) }, { token })
const waiting = async (who = clerk) => dataOf(collectReviewApi.waiting, await app.call(collectReviewApi.waiting, { page_size: 100 }, { token: who.token })).list
const decide = (task_id: string, field_codes: string[], more: { reason?: string; user_id?: string } = {}, who = clerk) =>
  app.call(collectReviewApi.decide, { task_id, lines: [{ user_id: more.user_id ?? first(), field_codes }], ...(more.reason === undefined ? {} : { reason: more.reason }) }, { token: who.token })
const task = async (id: string, who = clerk) => dataOf(collectTaskApi.page, await app.call(collectTaskApi.page, { page_size: 100 }, { token: who.token })).list.find(one => one.id === id)
const file = () => rows(sql<{ address: string | null; postcode: string | null }>`select address, postcode from person where school_id = ${a} and user_id = ${first()}`)
const journal = () => rows(sql<{ source: string; fields: string[] }>`select source, fields from archive_log_v where school_id = ${a} and person_id = ${first()} order by happened_at, log_id`)

test('20-R29 an answer for review writes nothing; the reviewer takes some fields, which enter the archive as one row of source collect', async () => {
  const id = await opened()
  const before = [await file(), (await journal()).length]
  expect(dataOf(collectAnswerApi.answer, await answer(id, { address: '(虚构)海边路7号', postcode: '266071' })).state).toBe('answered')
  expect([await file(), (await journal()).length]).toEqual(before)
  expect(await task(id)).toMatchObject({ state: 'open', total: 3, answered: 1, waiting: 1 })
  const row = (await waiting()).find(one => one.task_id === id)
  expect(row?.diff.map(change => change.field)).toEqual(['address', 'postcode'])
  expect(row).toMatchObject({ user_name: '王子涵', respondent_name: '王志强', errors: [], dept_name: expect.stringContaining('1班') })
  expect(JSON.stringify(row)).not.toContain('海边路')
  expect(dataOf(collectReviewApi.decide, await decide(id, ['postcode']))).toEqual({ accepted: 1, refused: 0 })
  expect((await file())[0]).toEqual({ address: null, postcode: '266071' })
  expect((await journal()).slice(Number(before[1]))).toEqual([{ source: 'collect', fields: ['postcode'] }])
  expect(refusal(await decide(id, ['address']))[1]).toBe('people.collectHandled')
  expect(await rows(sql`select state, values_enc from collect_answer where school_id = ${a} and task_id = ${id} and user_id = ${first()}`)).toEqual([{ state: 'accepted', values_enc: null }])
})

test('one submission of the form, sent six times at once, makes one task', async () => {
  const before = (await rows(sql`select 1 from collect_task where school_id = ${a}`)).length
  const form = draft()
  const sent = { token: clerk.token, headers: { 'idempotency-key': 'one-submission' } }
  const answers = await Promise.all(Array.from({ length: 6 }, () => app.call(collectTaskApi.add, form, sent)))
  expect(new Set(answers.map(one => dataOf(collectTaskApi.add, one).id)).size).toBe(1)
  expect(await rows(sql`select 1 from collect_task where school_id = ${a}`)).toHaveLength(before + 1)
})

test('20-R29 信息无误 counts as answered, with an empty answer as with one that says what the file says', async () => {
  const id = await opened()
  const form = dataOf(collectAnswerApi.form, await app.call(collectAnswerApi.form, { task_id: id, user_id: first() }, { token: father }))
  expect(form).toMatchObject({ state: 'seen', user_name: '王子涵' })
  expect(form.fields.map(field => [field.field_code, field.value, field.is_masked])).toContainEqual(['birthday', '2020-05-12', false])
  expect(form.fields.find(field => field.field_code === 'id_no')).toMatchObject({ is_masked: true, value: expect.stringContaining('*') })
  expect(dataOf(collectAnswerApi.answer, await answer(id, {})).state).toBe('confirmed_same')
  expect(dataOf(collectAnswerApi.answer, await answer(id, { birthday: '2020-05-12' })).state).toBe('confirmed_same')
  expect(await task(id)).toMatchObject({ total: 3, answered: 1, waiting: 0 })
})

test('an answer without review is written at once; a refused one goes back with its reason and may be given again', async () => {
  const auto = await opened({ review_mode: 'auto' })
  expect(dataOf(collectAnswerApi.answer, await answer(auto, { address: '(虚构)山前路1号' })).state).toBe('accepted')
  expect((await file())[0]?.address).toBe('(虚构)山前路1号')
  const id = await opened()
  await answer(id, { postcode: '266001' })
  expect(refusal(await decide(id, []))).toEqual([422, 'people.collectReason', '请填写退回原因'])
  expect(dataOf(collectReviewApi.decide, await decide(id, [], { reason: '邮编与住址不符' }))).toEqual({ accepted: 0, refused: 1 })
  const mine = dataOf(collectAnswerApi.mine, await app.call(collectAnswerApi.mine, {}, { token: father })).list
  expect(mine.find(one => one.task_id === id && one.user_id === first())).toMatchObject({ state: 'refused', reason: '邮编与住址不符' })
  expect(dataOf(collectAnswerApi.answer, await answer(id, { postcode: '266002' })).state).toBe('answered')
})

test('20-A18 an answer is judged by the rules of the file: wrong values beside their fields, warnings to be confirmed', async () => {
  const id = await opened()
  const wrong = await answer(id, { postcode: '12', birthday: '2099-01-01', tel: '123' })
  expect(wrong.status).toBe(422)
  expect(wrong.body.data).toMatchObject({ errors: expect.arrayContaining([expect.objectContaining({ field: 'postcode' }), expect.objectContaining({ field: 'tel' })]) })
  expect((await answer(id, { birthday: '2099-01-01' })).body.data).toMatchObject({ errors: [{ field: 'birthday', msg: '格式不正确' }] })
  expect(refusal(await answer(id, { birthday: '2020-05-13' }))[1]).toBe('people.confirmNeeded')
  expect(dataOf(collectAnswerApi.answer, await answer(id, { birthday: '2020-05-13' }, { accept_warnings: ['birthday', 'id_no'] })).state).toBe('answered')
  expect(refusal(await answer(id, { email: 'a@example.com' }))[1]).toBe('people.collectField')
})

test('20-A35 a parent answers for own children alone; a class teacher sees and decides the own class alone', async () => {
  const id = await opened()
  const third = school.pupils[2] ?? ''
  const own = dataOf(collectAnswerApi.mine, await app.call(collectAnswerApi.mine, {}, { token: father })).list.filter(one => one.task_id === id)
  expect(own.map(one => one.user_name)).toEqual(['王子涵', '王子轩'])
  expect((await answer(id, {}, { user_id: third })).status).toBe(404)
  expect((await app.call(collectAnswerApi.form, { task_id: id, user_id: third }, { token: father })).status).toBe(404)
  expect((await answer(id, { postcode: '266100' }, { token: stranger, user_id: third })).status).toBe(200)
  expect((await waiting(head)).some(one => one.user_id === third)).toBe(false)
  expect((await decide(id, ['postcode'], { user_id: third }, head)).status).toBe(404)
  expect(await task(id, head)).toMatchObject({ total: 2, answered: 0, is_own: false })
  const stat = dataOf(collectTaskApi.stat, await app.call(collectTaskApi.stat, { id }, { token: head.token })).list
  expect(stat).toMatchObject([{ dept_id: school.class_1, total: 2, answered: 0 }])
  expect((await app.call(collectTaskApi.close, { id }, { token: head.token })).status).toBe(404)
  expect((await add({ audience: { dept_ids: [school.class_2] } }, head)).status).toBe(404)
  expect((await app.call(collectTaskApi.page, {}, { token: father })).status).toBe(403)
})

test('20-R29 the audience is frozen at opening; newcomers join by the button', async () => {
  const id = await opened()
  await pupilsIn(app, a, school.class_2, ['20260299'])
  expect(await task(id)).toMatchObject({ total: 3 })
  const join = () => app.call(collectTaskApi.join, { id }, { token: clerk.token })
  expect([dataOf(collectTaskApi.join, await join()).asked, dataOf(collectTaskApi.join, await join()).asked]).toEqual([1, 0])
  expect(await task(id)).toMatchObject({ total: 4 })
  expect(refusal(await open(id))[1]).toBe('people.collectDraft')
})

test('families are told at opening and reminded once a day until they answer; after the end nobody answers', async () => {
  const id = await opened({ title: '提醒核对' })
  const inbox = async () => dataOf(inboxApi.list, await app.call(inboxApi.list, {}, { token: father })).list.filter(one => one.title.includes('提醒核对')).length
  const remind = async () => dataOf(collectTaskApi.remind, await app.call(collectTaskApi.remind, { id }, { token: clerk.token })).reminded
  expect(await inbox()).toBe(1)
  const unanswered = await remind()
  await remind()
  expect(await inbox()).toBe(2)
  await answer(id, {}, { token: stranger, user_id: school.pupils[2] ?? '' })
  expect(await remind()).toBe(unanswered - 1)
  expect((await app.call(collectTaskApi.close, { id }, { token: clerk.token })).status).toBe(200)
  expect(refusal(await answer(id, {}))).toEqual([409, 'people.collectOver', '该采集已结束，不能再填写或修改'])
  expect(refusal(await add({ field_scene: 3 }))[1]).toBe('people.fieldScene')
  expect(refusal(await add({ field_codes: ['student_no'] }))[1]).toBe('people.collectField')
  expect(refusal(await add({ close_at: app.clock.now().toISOString() }))[1]).toBe('people.collectEnd')
})

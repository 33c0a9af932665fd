import { dataOf, startTestApp } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { blackApi, receiverApi, visitApi, visitorSettingApi, visitPublicApi } from '@campus/access/contract'
import { loginApi } from '@campus/identity/contract'
import { hireStaff } from '@campus/people/server'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeGateSchool, record } from '../testing/gate-school.ts'
import type { GateSchool } from '../testing/gate-school.ts'

let app: TestApp
let me: TestUser
let s: GateSchool
let host: string
let key: string
let office: string
const as = (who: TestUser = me) => ({ token: who.token })
const msgOf = ({ status, body }: Answer) => [status, body.msg]
const tenant = <R>(statement: ReturnType<typeof sql<R>>) => app.running.database.tenant<unknown, R[]>(s.school_id, async db => (await statement.execute(db)).rows)

/** Tomorrow at an hour of the school. */
function at(hour: number, minute = 0, days = 1): string {
  const day = new Date(app.clock.now().getTime() + 8 * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10)
  return `${day}T${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}:00+08:00`
}
const draft = (n: number, more: object = {}) => ({ visitor_name: '王小来', mobile: `138${String(10_000_000 + n)}`, reason_code: '1', receiver_user_id: host, begin_at: at(9), end_at: at(10), ...more })
const book = (n: number, more: object = {}) => app.call(visitApi.create, draft(n, more), as())
const booked = async (n: number, more: object = {}) => dataOf(visitApi.create, await book(n, more)).visit
const stateOf = async (apply_id: string) => dataOf(visitApi.detail, await app.call(visitApi.detail, { apply_id }, as())).visit.state
const grants = (apply_id: string) => tenant(sql<{ place_id: string; direction: number }>`select place_id::text, direction from subject_grant where school_id = ${s.school_id} and source = 'visitor' and source_ref like ${`visit ${apply_id} at %`}`)
const pass = (apply_id: string) => app.call(visitApi.pass, { apply_ids: [apply_id] }, as())

async function proof() {
  const { key: cap_key } = dataOf(loginApi.captcha, await app.call(loginApi.captcha, { type: 'login' }))
  return { cap_key, captcha: '2222' }
}
const apply = async (n: number, more: object = {}) => app.call(visitPublicApi.act, { token: key, act: 'apply', receiver: '李老师', receiver_dept: office, visitor_name: '赵访客', mobile: `139${String(10_000_000 + n)}`, reason_code: '1', begin_at: at(9), end_at: at(10), ...(await proof()), ...more })

beforeAll(async () => {
  app = await startTestApp()
  me = await app.as({ school_id: 1001, codes: 'all', places: 'all' })
  s = await makeGateSchool(app)
  host = await app.running.database.tenant(s.school_id, async (db: Parameters<typeof hireStaff>[0]) => {
    const root = await db.selectFrom('dept_now').select(['id', 'dept_name']).where('school_id', '=', s.school_id).executeTakeFirstOrThrow()
    office = root.dept_name
    const [user_id = ''] = await hireStaff(db, app.running.app.secrets, s.school_id, [{ user_name: '李老师', teacher_no: 'T900', sex: '1', kind: '11', join_month: '202609', depts: [{ dept_id: root.id, is_primary: true }], from: '2026-09-01' }])
    return user_id
  })
  const { row_version, link_key: _none, ...setting } = dataOf(visitorSettingApi.read, await app.call(visitorSettingApi.read, {}, as()))
  dataOf(visitorSettingApi.write, await app.call(visitorSettingApi.write, { ...setting, row_version }, as()))
  key = dataOf(visitorSettingApi.read, await app.call(visitorSettingApi.read, {}, as())).link_key
})
afterAll(() => app.close())

test('35-A22 fifty bookings at once of a receiver who takes ten: exactly ten are taken', async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => book(n)))
  expect(answers.filter(answer => answer.status === 200)).toHaveLength(10)
  expect(answers.filter(answer => answer.status !== 200).map(msgOf)).toEqual(Array.from({ length: 40 }, () => [409, '被访人当日接待已满']))
  dataOf(receiverApi.batch, await app.call(receiverApi.batch, { user_ids: [host], day_max: 99 }, as()))
})

test('35-A22 two who decide at once: one verdict, the other reads the state', async () => {
  const { apply_id } = await booked(100)
  const answers = await Promise.all([pass(apply_id), app.call(visitApi.refuse, { apply_ids: [apply_id], refuse_reason: '不接待' }, as())])
  expect(answers.map(answer => answer.status).toSorted()).toEqual([200, 409])
})

test('35-A21 approved: exactly the doors of the route know him; taken back: none does', async () => {
  const visit = await booked(200, { place_ids: [s.gate] })
  expect(await grants(visit.apply_id)).toEqual([])
  expect(msgOf(await pass(visit.apply_id))[0]).toBe(200)
  expect(await grants(visit.apply_id)).toEqual([{ place_id: s.gate, direction: 3 }])
  expect(msgOf(await book(200))).toEqual([409, '该访客在此时段已有预约'])
  expect(msgOf(await app.call(visitApi.cancel, { apply_id: visit.apply_id, reason: '改期' }, as()))[0]).toBe(200)
  expect(await grants(visit.apply_id)).toEqual([])
  const listed = await booked(201)
  await pass(listed.apply_id)
  expect(dataOf(blackApi.create, await app.call(blackApi.create, { mobile: draft(201).mobile, reason: '闹事' }, as()))).toEqual({ stopped: 1 })
  expect([await stateOf(listed.apply_id), await grants(listed.apply_id)]).toEqual([7, []])
  expect(msgOf(await book(201))).toEqual([422, '该访客在黑名单中：闹事'])
})

test('35-A23 he comes and goes by the gate without anybody pressing a key; who stays too long is found and the host is told', async () => {
  const visit = await booked(300, { begin_at: new Date(app.clock.now().getTime() + 60_000).toISOString(), end_at: new Date(app.clock.now().getTime() + 1_800_000).toISOString() })
  await pass(visit.apply_id)
  const [subject] = await tenant(sql<{ subject_id: string }>`select subject_id::text from visitor_apply where school_id = ${s.school_id} and apply_id = ${visit.apply_id}`)
  const go = (seq: string, direction: 1 | 2, minutes: number) => record(app, [{ seq, device_id: direction === 1 ? s.gate_in : s.gate_out, place_id: s.gate, direction, user_id: subject?.subject_id ?? '', person_kind: 4, at: new Date(app.clock.now().getTime() + minutes * 60_000).toISOString() }])
  await go('visit-in', 1, 0)
  await expect.poll(() => stateOf(visit.apply_id), { timeout: 15_000 }).toBe(4)
  app.clock.advance(3_600_000 + 60_000)
  me = await app.as({ school_id: 1001, codes: 'all', places: 'all' })
  const overdue = () => tenant(sql<{ n: number }>`select count(*)::int as n from visitor_apply where school_id = ${s.school_id} and apply_id = ${visit.apply_id} and overdue_at is not null`)
  await expect.poll(overdue, { timeout: 15_000 }).toEqual([{ n: 1 }])
  const told = await tenant(sql<{ n: number }>`select count(*)::int as n from message where school_id = ${s.school_id} and source_ref like ${`visit/${visit.apply_id}/overdue/%`}`)
  expect(told).toEqual([{ n: 1 }])
  await go('visit-out', 2, 0)
  await expect.poll(() => stateOf(visit.apply_id), { timeout: 15_000 }).toBe(5)
  expect(await grants(visit.apply_id)).toEqual([])
})

test('35-A24 the public page: one answer for every wrong address, no number of the host, a captcha is spent, five a day for a mobile', async () => {
  const wrong = await Promise.all([`${s.school_id}-${'0'.repeat(32)}`, `999-${'a'.repeat(32)}`].map(token => app.call(visitPublicApi.look, { token })))
  expect(wrong.map(msgOf)).toEqual([[404, '预约链接已失效'], [404, '预约链接已失效']])
  expect(dataOf(visitPublicApi.look, await app.call(visitPublicApi.look, { token: key }))).toMatchObject({ kind: 'book', is_open: true })
  expect(msgOf(await apply(1, { visitor_name: '<script>' }))[0]).toBe(400)
  const { visit } = dataOf(visitPublicApi.act, await apply(1))
  expect(visit).toMatchObject({ kind: 'pass', state: 0, host: `李老师（${office}）`, pass_code: null, qr: null })
  const spent = await proof()
  await apply(1, { begin_at: at(11), end_at: at(12), ...spent })
  expect(msgOf(await apply(1, { begin_at: at(13), end_at: at(14), ...spent }))).toEqual([422, '验证码错误或已失效，请重新输入'])
  for (let hour = 13; hour < 16; hour += 1) await apply(1, { begin_at: at(hour), end_at: at(hour, 30) })
  expect(msgOf(await apply(1, { begin_at: at(16), end_at: at(16, 30) }))).toEqual([429, '提交过于频繁，请稍后再试'])
  const own = { token: visit?.token ?? '' }
  const found = dataOf(visitApi.page, await app.call(visitApi.page, { keyword: visit?.apply_no ?? '' }, as())).list[0]
  await pass(found?.apply_id ?? '')
  expect(dataOf(visitPublicApi.look, await app.call(visitPublicApi.look, own))).toMatchObject({ state: 1, pass_code: expect.stringMatching(/^\d{8}$/), qr: expect.stringMatching(/^[0-9a-f]{32}$/) })
  expect(dataOf(visitPublicApi.act, await app.call(visitPublicApi.act, { ...own, act: 'cancel' })).visit).toMatchObject({ state: 3, pass_code: null })
})

test('35-A25 35-A32 five wrong codes lock the gate’s box for the right one too; wrong times are refused with the sentence', async () => {
  const visit = await booked(400)
  await pass(visit.apply_id)
  const { pass_code } = dataOf(visitApi.slip, await app.call(visitApi.slip, { apply_id: visit.apply_id }, as()))
  const scan = (code: string) => app.call(visitApi.scan, { code }, as())
  expect(dataOf(visitApi.scan, await scan(pass_code)).visit.apply_id).toBe(visit.apply_id)
  for (let n = 0; n < 5; n += 1) expect(msgOf(await scan(`0000${n}`))[0]).toBe(404)
  expect(msgOf(await scan(pass_code))).toEqual([429, '通行码错误次数过多，请10分钟后再试'])
  const own = await app.as({ school_id: s.school_id, codes: ['access.visitor.create', 'access.visitor.view'], scope: 'self' })
  expect((await app.call(visitApi.detail, { apply_id: visit.apply_id }, as(own))).status).toBe(404)
  const times = [await book(401, { begin_at: at(10), end_at: at(9) }), await book(401, { begin_at: at(9, 0, 20), end_at: at(10, 0, 20) }), await book(401, { end_at: at(9, 0, 2) }), await book(401, { plate: '京A' })]
  expect(times.map(msgOf)).toEqual([[422, '来访时间须在07:00-18:00之间且不超过8小时'], [422, '只能预约7天内的来访'], [422, '来访开始和结束须在同一天'], [400, expect.any(String)]])
})

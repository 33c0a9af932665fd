import { dataOf, startTestApp } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { deptRuleApi, explainApi, myPickupApi, pickupApi, pickupModeApi, pickupPersonApi, ruleApi } from '@campus/access/contract'
import { linkGuardians } from '@campus/people/server'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeGateSchool, record } from '../testing/gate-school.ts'
import type { GateSchool } from '../testing/gate-school.ts'

const [allowed, needs_guardian, used_up] = [1, 10, 11] as const
const minute_ms = 60_000
let app: TestApp
let me: TestUser
let s: GateSchool
let parent = ''

const as = () => ({ token: me.token })
const at = (minutes = 0) => new Date(app.clock.now().getTime() + minutes * minute_ms).toISOString()
const result = async (user_id: string, place_id = s.gate) =>
  dataOf(explainApi.read, await app.call(explainApi.read, { user_id, place_id, direction: 2 }, as())).result
const refusal = ({ status, body }: Answer) => [status, body.error_id]
const waiting = async () => dataOf(pickupApi.list, await app.call(pickupApi.list, {}, as())).list

beforeAll(async () => {
  app = await startTestApp()
  me = await app.as({ school_id: 1001, codes: 'all', places: 'all' })
  s = await makeGateSchool(app)
  const [first = '', second = ''] = s.pupils
  const link = (student_user_id: string, user_name: string, mobile: string, can_pickup: boolean) => ({
    student_user_id,
    user_name,
    mobile,
    relation: '1',
    is_first: false,
    is_guardian: true,
    can_pickup,
    from: '2026-09-01',
  })
  const made = await app.running.database.tenant(s.school_id, (db: Parameters<typeof linkGuardians>[0]) =>
    linkGuardians(db, app.running.app.secrets, s.school_id, [
      link(first, '家长甲', '13900000001', true),
      link(second, '家长甲', '13900000001', true),
      link(s.pupils[2] ?? '', '家长乙', '13900000002', false),
    ]),
  )
  parent = made[0] ?? ''
  const periods = ([1, 2] as const).map(direction => ({ direction, day_match: 5, week_flags: null, begin_min: 0, end_min: 1440 }))
  const { rule } = dataOf(ruleApi.add, await app.call(ruleApi.add, { scene: 1, rule_name: '全天', periods }, as()))
  const draft = {
    scene: 1,
    dept_ids: [s.class_1],
    rule_id: rule?.rule_id ?? '',
    in_place_ids: [s.gate],
    out_place_ids: [s.gate],
    valid_from: at().slice(0, 10),
  }
  const { plan } = dataOf(deptRuleApi.add, await app.call(deptRuleApi.add, { ...draft, preview: true }, as()))
  dataOf(deptRuleApi.add, await app.call(deptRuleApi.add, { ...draft, plan_hash: plan.plan_hash }, as()))
})
afterAll(() => app.close())

test('35-A29 a child goes out after its guardian’s pass, both children of one guardian, once and for ten minutes; before it, and after, not', async () => {
  const [first = '', second = '', third = ''] = s.pupils
  expect(await result(first)).toBe(allowed)
  dataOf(pickupModeApi.write, await app.call(pickupModeApi.write, { list: [{ grade: '13', mode: 1 }] }, as()))
  expect(await Promise.all([first, second, third].map(one => result(one)))).toEqual([needs_guardian, needs_guardian, needs_guardian])
  await record(app, [{ seq: 'guardian', device_id: s.gate_in, place_id: s.gate, direction: 1, user_id: parent, person_kind: 3, at: at() }])
  await expect
    .poll(async () => (await waiting()).map(row => [row.student_name, row.parent_name, row.state]).toSorted(), { timeout: 5000 })
    .toEqual([
      ['学生0', '家长甲', 1],
      ['学生1', '家长甲', 1],
    ])
  expect(await Promise.all([first, second, third].map(one => result(one)))).toEqual([allowed, allowed, needs_guardian])
  await record(app, [{ seq: 'child', device_id: s.gate_out, place_id: s.gate, direction: 2, user_id: first, at: at() }])
  await expect.poll(async () => (await waiting()).find(row => row.student_name === '学生0')?.state, { timeout: 5000 }).toBe(2)
  expect(await result(first)).toBe(used_up)
  app.clock.advance(11 * minute_ms)
  expect(await result(second)).toBe(needs_guardian)
  await expect.poll(async () => (await waiting()).find(row => row.student_name === '学生1')?.state, { timeout: 15_000 }).toBe(3)
})

test('an adult who may not fetch releases nobody; a person at the gate lets a child go with a reason, once', async () => {
  const [, , third = ''] = s.pupils
  const rows = await app.running.database.tenant<unknown, { user_id: string }[]>(
    s.school_id,
    async db =>
      (
        await sql<{
          user_id: string
        }>`select parent_user_id::text as user_id from guardian_span where school_id = ${s.school_id}
          and student_user_id = ${third}`.execute(
          db,
        )
      ).rows,
  )
  await record(app, [
    { seq: 'stranger', device_id: s.gate_in, place_id: s.gate, direction: 1, user_id: rows[0]?.user_id ?? '', person_kind: 3, at: at() },
  ])
  const draft = { student_id: third, place_id: s.gate, reason: '家长手机没电，已核对身份' }
  expect((await app.call(pickupApi.release, { ...draft, reason: '' }, as())).status).toBe(400)
  dataOf(pickupApi.release, await app.call(pickupApi.release, draft, as()))
  expect(refusal(await app.call(pickupApi.release, draft, as()))).toEqual([409, 'access.pickupOpen'])
  expect([await result(third), (await waiting()).find(row => row.student_name === '学生2')?.state]).toEqual([allowed, 4])
})

test('35-A29 who was written down fetches nobody before a guardian has confirmed him; then his pass releases the child, together with him for a minute', async () => {
  const [first = '', , third = ''] = s.pupils
  const tenant = <R>(statement: ReturnType<typeof sql<R>>) =>
    app.running.database.tenant<unknown, R[]>(s.school_id, async db => (await statement.execute(db)).rows)
  dataOf(pickupModeApi.write, await app.call(pickupModeApi.write, { list: [{ grade: '13', mode: 2 }] }, as()))
  app.clock.advance(11 * minute_ms)
  const draft = { student_id: third, person_name: '王奶奶', mobile: '13900000001', relation: '62', valid_from: '2026-09-01' }
  const { pickup_id } = dataOf(pickupPersonApi.add, await app.call(pickupPersonApi.add, draft, as()))
  expect(refusal(await app.call(pickupPersonApi.add, draft, as()))).toEqual([409, 'access.pickupTwice'])
  const release = { student_id: third, place_id: s.gate, pickup_id, reason: '奶奶来接，已核对照片' }
  expect(refusal(await app.call(pickupApi.release, release, as()))).toEqual([422, 'access.pickupUnconfirmed'])
  await record(app, [{ seq: 'too early', device_id: s.gate_in, place_id: s.gate, direction: 1, user_id: parent, person_kind: 3, at: at() }])
  await expect
    .poll(
      async () =>
        (await waiting())
          .filter(row => row.state === 1)
          .map(row => row.student_name)
          .toSorted(),
      { timeout: 5000 },
    )
    .toEqual(['学生0', '学生1'])
  expect(await result(third)).toBe(needs_guardian)

  // Only a guardian's word counts: the child's own parent, who is somebody else.
  const guardian = await app.as({ school_id: s.school_id, codes: [] })
  expect((await app.call(myPickupApi.answer, { pickup_id, agreed: true }, { token: guardian.token })).status).toBe(404)
  await tenant(
    sql`insert into person (school_id, user_id, user_name, name_py, name_initials, sex) values (${s.school_id},
      ${guardian.user_id}, '家长丙', 'jiazhangbing', 'jzb', '1')`,
  )
  await tenant(sql`insert into parent (school_id, user_id) values (${s.school_id}, ${guardian.user_id})`)
  await tenant(
    sql`insert into guardian_link (school_id, student_user_id, parent_user_id, relation, is_guardian,
      valid_from) values (${s.school_id}, ${third}, ${guardian.user_id}, '51', true, '2026-09-01')`,
  )
  expect(dataOf(myPickupApi.list, await app.call(myPickupApi.list, {}, { token: guardian.token })).list).toMatchObject([
    { person_name: '王奶奶', confirm_state: 0, mobile: '*******0001' },
  ])
  dataOf(myPickupApi.answer, await app.call(myPickupApi.answer, { pickup_id, agreed: true }, { token: guardian.token }))
  expect(dataOf(pickupPersonApi.list, await app.call(pickupPersonApi.list, { confirm_state: '1' }, as())).list).toMatchObject([
    { student_name: '学生2', has_account: true, confirmed_by_name: '家长丙' },
  ])
  app.clock.advance(2 * minute_ms)
  await record(app, [{ seq: 'confirmed', device_id: s.gate_in, place_id: s.gate, direction: 1, user_id: parent, person_kind: 3, at: at() }])
  await expect.poll(async () => result(third), { timeout: 5000 }).toBe(allowed)
  expect(await result(first)).toBe(allowed)
  app.clock.advance(2 * minute_ms)
  expect(await result(third)).toBe(needs_guardian)
  dataOf(pickupPersonApi.stop, await app.call(pickupPersonApi.stop, { ids: [pickup_id], reason: '不再接送' }, as()))
  expect(refusal(await app.call(pickupPersonApi.stop, { ids: [pickup_id], reason: '再次停用' }, as()))).toEqual([409, 'access.pickupState'])
  expect(refusal(await app.call(pickupApi.release, release, as()))).toEqual([422, 'access.pickupUnconfirmed'])
})

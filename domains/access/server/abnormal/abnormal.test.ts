import { dataOf, startTestApp } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { abnormalApi, deptRuleApi, doorApi, explainApi, passApi, ruleApi, temporaryApi } from '@campus/access/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeGateSchool, record } from '../testing/gate-school.ts'
import type { GateSchool } from '../testing/gate-school.ts'

const [unjustified, wrongly_refused, often] = [1, 2, 5] as const
let app: TestApp
let me: TestUser
let s: GateSchool

const as = (who: TestUser = me) => ({ token: who.token })
const at = (seconds: number) => new Date(app.clock.now().getTime() + seconds * 1000).toISOString()
const refusal = ({ status, body }: Answer) => [status, body.error_id]
const queue = async (more: object = {}, who: TestUser = me) =>
  dataOf(abnormalApi.list, await app.call(abnormalApi.list, { state: '0', ...more }, as(who)))
const rows = <R>(statement: ReturnType<typeof sql<R>>) =>
  app.running.database.tenant<unknown, R[]>(s.school_id, async db => (await statement.execute(db)).rows)

beforeAll(async () => {
  app = await startTestApp()
  app.clock.setTo('2026-11-20T10:00:00+08:00')
  me = await app.as({ school_id: 1001, codes: 'all', places: 'all' })
  s = await makeGateSchool(app)
  const periods = ([1, 2] as const).map(direction => ({ direction, day_match: 5, week_flags: null, begin_min: 0, end_min: 1440 }))
  const { rule } = dataOf(ruleApi.add, await app.call(ruleApi.add, { scene: 1, rule_name: '全天', periods }, as()))
  const draft = {
    scene: 1,
    dept_ids: [s.class_1],
    rule_id: rule?.rule_id ?? '',
    in_place_ids: [s.gate],
    out_place_ids: [s.gate],
    valid_from: at(0).slice(0, 10),
  }
  const { plan } = dataOf(deptRuleApi.add, await app.call(deptRuleApi.add, { ...draft, preview: true }, as()))
  dataOf(deptRuleApi.add, await app.call(deptRuleApi.add, { ...draft, plan_hash: plan.plan_hash }, as()))
})
afterAll(() => app.close())

test('35-A31 a terminal with an old right set lets three through: each pass is judged so and waits in the queue', async () => {
  const [first = '', , , ...strangers] = s.pupils
  const gate = { place_id: s.gate, device_id: s.gate_in, direction: 1 as const }
  await record(app, [
    { seq: 'right', ...gate, user_id: first, at: at(0) },
    ...strangers.map((user_id, n) => ({ seq: `wrong${n}`, ...gate, user_id, at: at(n + 1) })),
    ...[20, 40, 60].map(second => ({ seq: `refused${second}`, ...gate, user_id: s.pupils[1] ?? '', at: at(second), result: 2 })),
  ])
  await expect.poll(async () => (await queue()).total, { timeout: 20_000 }).toBe(5)
  const { list } = await queue()
  const of = (kind: number) => list.filter(row => row.kind === kind)
  expect(
    of(unjustified)
      .map(row => [row.user_name, row.dept_name, row.passes, row.severity])
      .toSorted(),
  ).toEqual([3, 4, 5].map(n => [`学生${n}`, '三年级2班', 1, 3]))
  expect(of(unjustified)[0]?.detail).toBe('终端上没有此人的权限')
  expect([of(wrongly_refused), of(often)]).toMatchObject([[{ user_name: '学生1', passes: 3 }], [{ user_name: '学生1', passes: 3 }]])
  const judged = sql<{
    judge: number
    n: number
  }>`select judge::int, count(*)::int as n from access_pass_v where school_id = ${s.school_id} group by judge order by judge`
  expect(await rows(judged)).toEqual([
    { judge: 1, n: 1 },
    { judge: 2, n: 3 },
    { judge: 3, n: 3 },
  ])
  const [event_date = '', device_id = '', device_seq = ''] = (of(unjustified)[0]?.evidence[0] ?? '').split('/')
  expect(dataOf(passApi.detail, await app.call(passApi.detail, { event_date, device_id, device_seq }, as())).pass.dept_name).toBe(
    '三年级2班',
  )
})

test('the queue is worked off with an opinion, once; who looks after another class neither sees nor handles it', async () => {
  const counts = async () => dataOf(abnormalApi.count, await app.call(abnormalApi.count, {}, as()))
  expect(await counts()).toEqual({
    waiting: 5,
    list: [
      { kind: 1, count: 3 },
      { kind: 2, count: 1 },
      { kind: 5, count: 1 },
    ],
  })
  const teacher = await app.as({
    school_id: s.school_id,
    codes: ['access.abnormal.view', 'access.abnormal.handle'],
    scope: 'custom',
    scope_ids: [s.class_1],
  })
  expect((await queue({}, teacher)).list.map(row => row.kind).toSorted()).toEqual([2, 5])
  const ids = (await queue({ kind: '1' })).list.map(row => row.abnormal_id)
  const draft = { ids, state: 3 as const, note: '终端已重新下发' }
  expect((await app.call(abnormalApi.handle, draft, as(teacher))).status).toBe(404)
  expect((await app.call(abnormalApi.handle, { ...draft, note: '' }, as())).status).toBe(400)
  expect(dataOf(abnormalApi.handle, await app.call(abnormalApi.handle, draft, as()))).toEqual({ handled: 3 })
  expect(refusal(await app.call(abnormalApi.handle, draft, as()))).toEqual([409, 'access.abnormalDone'])
  expect([(await counts()).waiting, (await queue({ state: '3' })).list[0]]).toMatchObject([2, { note: '终端已重新下发', state: 3 }])
})

test('a pupil who goes out in the middle of a lesson without leave waits in the queue; one with a one-off right does not', async () => {
  const [left = '', fetched = ''] = s.pupils
  // One lesson of the third grade, from ten to eleven.
  await rows(sql`
    with made as (insert into bell (school_id, name, updated_at) values (${s.school_id}, '作息', ${app.clock.now()}) returning id),
    section as (insert into bell_section (school_id, bell_id, order_no, name, section_kind, section, begin_min, end_min)
      select ${s.school_id}, id, 1, '第一节', 2, 1, 600, 660 from made returning bell_id)
    insert into school_day (school_id, date, grade, day_kind, is_school_day, bell_id, rev)
    select ${s.school_id}, '2026-11-20'::date, '13', 1, true, bell_id, 1 from section returning bell_id`)
  const right = { person_kind: 1, effect: 1 as const, direction: 2 as const, user_ids: [fetched], reason_code: '3' as const, reason: '身体不适' }
  dataOf(temporaryApi.add, await app.call(temporaryApi.add, { ...right, begin_at: at(0), end_at: at(3600) }, as()))
  const out = { place_id: s.gate, device_id: s.gate_out, direction: 2 as const }
  await record(app, [
    { seq: 'left', ...out, user_id: left, at: at(1200) },
    { seq: 'fetched', ...out, user_id: fetched, at: at(1200) },
    { seq: 'after', ...out, user_id: s.pupils[2] ?? '', at: at(3660) },
  ])
  const found = async () => (await queue({ kind: '8' })).list.map(row => [row.user_name, row.severity, row.passes])
  await expect.poll(found, { timeout: 20_000 }).toEqual([['学生0', 2, 1]])
})

test('an evacuation opens every way out to everybody, in the decision that the explainer and doors go by', async () => {
  const pupil = s.pupils[5] ?? ''
  const explain = async (direction: number) =>
    dataOf(explainApi.read, await app.call(explainApi.read, { user_id: pupil, place_id: s.gate, direction }, as()))
  expect((await explain(2)).allowed).toBe(false)
  dataOf(doorApi.emergency, await app.call(doorApi.emergency, { kind: 5, word: '疏散', reason: '消防演练' }, as()))
  const [out, entering] = [await explain(2), await explain(1)]
  expect([out.allowed, out.ladder[0]?.name, entering.allowed]).toEqual([true, '疏散', false])
  expect(out.sentence).toContain('疏散全开：所有出口放行')
  dataOf(doorApi.emergency, await app.call(doorApi.emergency, { kind: 4, reason: '演练结束' }, as()))
  expect((await explain(2)).allowed).toBe(false)
})

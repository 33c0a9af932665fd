import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { JdevTerminal, Vf105Terminal } from '@apps/terminal'
import { deptRuleApi, explainApi, ruleApi, temporaryApi, userRuleApi } from '@campus/access/contract'
import { declareCredentials } from '@campus/devices/server'
import { deviceApi } from '@campus/devices/contract'
import { createDepts, enrolStudents } from '@campus/people/server'
import { placeApi } from '@campus/places/contract'
import type { Request } from '@kit/contract'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

const { a: school_id } = test_schools
const [minute_ms, day_ms] = [60_000, 86_400_000] as const
type PeopleHandle = Parameters<typeof createDepts>[0]
let app: TestApp
let me: TestUser
let class_1 = ''
let other_class = ''
let pupils: string[] = []
let gate = ''
let lane: JdevTerminal
let turnstile: Vf105Terminal

beforeAll(async () => {
  app = await startTestApp()
  const port = await app.running.listenToDevices()
  me = await app.as({ school_id, codes: 'all', places: 'all' })
  const made = await app.running.database.tenant(school_id, async (db: PeopleHandle) => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    const cohort = { tree: 'student' as const, grade: '13', enrol_year: 2024, stage: '1' }
    const ids = await createDepts(db, school_id, [{ key: 'grade', parent: root.id, dept_name: '三年级', dept_type: 3, ...cohort }, { key: 'class', parent: 'grade', dept_name: '三年级1班', dept_type: 4, class_no: 1, ...cohort }, { key: 'other', parent: 'grade', dept_name: '三年级2班', dept_type: 4, class_no: 2, ...cohort }], '2026-09-01')
    const drafts = [0, 1].map(at => ({ user_name: `学生${at}`, student_no: `AC0${at}`, sex: '1', enrol_month: '202409', dept_id: ids.get('class') ?? '', from: '2026-09-01' }))
    return { class_id: ids.get('class') ?? '', other: ids.get('other') ?? '', enrolled: await enrolStudents(db, app.running.app.secrets, school_id, drafts) }
  })
  class_1 = made.class_id
  other_class = made.other
  pupils = made.enrolled
  const { list } = dataOf(placeApi.tree, await app.call(placeApi.tree, {}, as()))
  gate = dataOf(placeApi.create, await app.call(placeApi.create, { superior_id: list[0]?.place_id ?? '', place_name: '南门', place_kind: 9 }, as())).place.place_id
  const wayOf = async (sn: string, model_code: string) => {
    const { setup, device } = dataOf(deviceApi.create, await app.call(deviceApi.create, { device_sn: sn, device_name: `终端${sn}`, device_type: '01', model_code, place_id: gate }, as()))
    await tenant(db => sql`insert into device_adoption (school_id, device_id, step, begun_at, done_at) values (${school_id}, ${device.device_id}, 'done', ${app.clock.now()}, ${app.clock.now()})`.execute(db))
    return { url: `mqtt://127.0.0.1:${port}`, sn, secret: setup?.secret ?? '' }
  }
  lane = new JdevTerminal(await wayOf('ACLANE', 'JD-F10'))
  turnstile = new Vf105Terminal(await wayOf('ACTURN', 'VF105'))
  await Promise.all([lane.start(), turnstile.start()])
  await tenant(db => declareCredentials({ app: app.running.app, db, school_id, now: app.clock.now() }, pupils.map(user_id => ({ user_id, cred_kind: 'card', code: `CARD${user_id}`, usable: true, source: 'cards', source_ref: `card ${user_id}`, version: 1 }))))
})
afterAll(async () => {
  await Promise.all([lane.stop(), turnstile.stop()])
  await app.close()
})

const as = (who: TestUser = me) => ({ token: who.token })
const tenant = <R>(work: (db: QueryExecutorProvider) => Promise<R>): Promise<R> => app.running.database.tenant<unknown, R>(school_id, work)
const refusal = ({ status, body }: Answer) => [status, body.error_id]
const today = () => new Date(app.clock.now().getTime() + 8 * 3_600_000).toISOString().slice(0, 10)
const period = (direction: 1 | 2, begin_min: number, end_min: number) => ({ direction, day_match: 5, week_flags: null, begin_min, end_min })
const draftOf = (rule_name: string, periods: Request<typeof ruleApi.add>['periods']) => ({ scene: 1, rule_name, periods })
const holds = (user_id: string) => lane.store.held('person').has(user_id)
const explain = async (user_id: string, at: string, direction = 2) => dataOf(explainApi.read, await app.call(explainApi.read, { user_id, place_id: gate, direction, at: `${at}:00+08:00` }, as()))
async function ruleOf(name: string, periods: Request<typeof ruleApi.add>['periods']) {
  const { rule } = dataOf(ruleApi.add, await app.call(ruleApi.add, draftOf(name, periods), as()))
  if (!rule) throw new Error('no rule was made')
  return rule
}

test('35-A32 a week that cannot be is refused at its field; two periods that meet, a name twice and a foreign place too', async () => {
  const wrong = await app.call(ruleApi.add, draftOf('错', [period(1, 600, 540)]), as())
  expect([wrong.status, wrong.body.data]).toMatchObject([400, { errors: [{ msg: '结束时间必须晚于开始时间' }] }])
  expect(refusal(await app.call(ruleApi.add, draftOf('错', [period(1, 420, 480), period(1, 470, 500)]), as()))).toEqual([422, 'access.periodOverlap'])
  await ruleOf('走读', [period(1, 420, 480), period(2, 1020, 1140)])
  expect(refusal(await app.call(ruleApi.add, draftOf('走读', []), as()))).toEqual([409, 'access.ruleName'])
})

test('35-A6 a class rule is shown before it is saved and reaches terminals of both protocols; another admin’s change makes the plan stale', async () => {
  const rule = await ruleOf('全天', [period(1, 0, 1440), period(2, 0, 1440)])
  const draft = { scene: 1, dept_ids: [class_1], rule_id: rule.rule_id, in_place_ids: [gate], out_place_ids: [gate], valid_from: today() }
  const { plan, saved } = dataOf(deptRuleApi.add, await app.call(deptRuleApi.add, { ...draft, preview: true }, as()))
  expect([saved, plan.people, plan.devices.total]).toEqual([0, { total: 2, gain: 2, lose: 0, change: 0 }, 2])
  expect(refusal(await app.call(deptRuleApi.add, { ...draft, plan_hash: '0000000000000000' }, as()))).toEqual([409, 'access.planStale'])
  // Out at any time on a school day is what the plan warns of: it is saved with the plan alone.
  expect([plan.warnings.map(one => one.code), refusal(await app.call(deptRuleApi.add, draft, as()))]).toEqual([['W3'], [422, 'access.planRequired']])
  dataOf(deptRuleApi.add, await app.call(deptRuleApi.add, { ...draft, plan_hash: plan.plan_hash }, as()))
  await expect.poll(() => pupils.every(holds)).toBe(true)
  await expect.poll(() => lane.present('card', `CARD${pupils[0]}`).result).toBe(1)
  const opened = turnstile.device.counters.opened
  await expect.poll(() => {
    turnstile.device.present('200', `CARD${pupils[0]}`)
    return turnstile.device.counters.opened > opened
  }).toBe(true)
  expect(refusal(await app.call(deptRuleApi.add, { ...draft, plan_hash: null }, as()))).toEqual([409, 'access.assignOverlap'])
})

test('a pupil whose own rule is closed is refused while his class passes, and why is said', async () => {
  const [first = '', second = ''] = pupils
  const rule = await ruleOf('傍晚出校', [period(1, 420, 480), period(2, 1020, 1140)])
  const draft = { scene: 1, user_ids: [second], mode: 1 as const, rule_id: rule.rule_id, in_place_ids: [gate], out_place_ids: [gate], valid_from: today() }
  const { plan } = dataOf(userRuleApi.add, await app.call(userRuleApi.add, { ...draft, preview: true }, as()))
  expect(plan.people).toEqual({ total: 1, gain: 0, lose: 0, change: 1 })
  dataOf(userRuleApi.add, await app.call(userRuleApi.add, { ...draft, plan_hash: plan.plan_hash }, as()))
  const tomorrow = new Date(app.clock.now().getTime() + day_ms + 8 * 3_600_000).toISOString().slice(0, 10)
  const [one, other] = [await explain(first, `${tomorrow}T16:05`), await explain(second, `${tomorrow}T16:05`)]
  expect([one.allowed, other.allowed, other.ladder.at(-1)?.rung]).toEqual([true, false, 6])
  expect(other.sentence).toMatch(/^学生1（三年级1班）\d\d-\d\d 16:05不能从南门出：不在规则「傍晚出校」/u)
  expect(other.next_allowed_at).toBe(new Date(`${tomorrow}T17:00:00+08:00`).toISOString())
})

test('35-A9 a one-off right lets out once, ends by itself and goes at once when it is taken back; one by leave is not changed here', async () => {
  const [, second = ''] = pupils
  const now = app.clock.now().getTime()
  const draft = { person_kind: 1, effect: 1 as const, direction: 3 as const, user_ids: [second], begin_at: new Date(now - minute_ms).toISOString(), end_at: new Date(now + 60 * minute_ms).toISOString(), max_times: 9, reason_code: '1' as const, reason: '外出就医' }
  expect(refusal(await app.call(temporaryApi.add, { ...draft, end_at: draft.begin_at }, as()))).toEqual([422, 'access.tempRange'])
  const { temporary_rule_id } = dataOf(temporaryApi.add, await app.call(temporaryApi.add, draft, as()))
  await expect.poll(() => [...lane.store.held('permission').values()].some(row => row.body?.['max_times'] === 9)).toBe(true)
  dataOf(temporaryApi.revoke, await app.call(temporaryApi.revoke, { ids: [temporary_rule_id], reason: '家长取消' }, as()))
  await expect.poll(() => [...lane.store.held('permission').values()].some(row => row.body?.['max_times'] === 9)).toBe(false)
  expect(refusal(await app.call(temporaryApi.revoke, { ids: [temporary_rule_id], reason: '再次撤销' }, as()))).toEqual([409, 'access.temporaryEnded'])
})

test('35-A33 who looks after another class sees none of its rules and gives none', async () => {
  const other = await app.as({ school_id, codes: ['access.dept_rule.view', 'access.dept_rule.edit', 'access.explain.view'], scope: 'custom', scope_ids: [other_class] })
  expect(dataOf(deptRuleApi.list, await app.call(deptRuleApi.list, { scene: 1 }, as(other))).list).toEqual([])
  const { list: [row] } = dataOf(deptRuleApi.list, await app.call(deptRuleApi.list, { scene: 1 }, as()))
  expect(row).toMatchObject({ dept_name: '三年级1班', people: 2, in_places: [{ place_name: '南门' }] })
  expect((await app.call(deptRuleApi.end, { ids: [row?.dept_rule_id ?? ''] }, as(other))).status).toBe(404)
  expect((await app.call(explainApi.read, { user_id: pupils[0] ?? '', place_id: gate, direction: 1 }, as(other))).status).toBe(404)
})

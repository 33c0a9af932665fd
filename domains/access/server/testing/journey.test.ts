import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { JdevTerminal, Vf105Terminal } from '@apps/terminal'
import { deptRuleApi, passApi, ruleApi, studentTurnoverApi, temporaryApi, wallApi } from '@campus/access/contract'
import { deviceApi } from '@campus/devices/contract'
import { declareCredentials } from '@campus/devices/server'
import { personPageApi } from '@campus/people/contract'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildClassAndGates } from '../builders.ts'
import { record } from './gate-school.ts'

const { a: school_id } = test_schools
const [minute_ms, class_size] = [60_000, 52] as const
const [passed, not_now] = [1, 3] as const
const hours = (hour: number, minute = 0) => hour * 60 + minute
let app: TestApp
let me: TestUser
let pupils: string[] = []
let class_1 = ''
let gate = ''
let gate_out = ''
let rule_id = ''
let lane: JdevTerminal
let turnstile: Vf105Terminal
let elsewhere: JdevTerminal

const as = (who: TestUser = me) => ({ token: who.token })
const tenant = <R>(work: (db: QueryExecutorProvider) => Promise<R>): Promise<R> => app.running.database.tenant<unknown, R>(school_id, work)
const refusal = ({ status, body }: Answer) => [status, body.error_id]
const card = (user_id: string) => `CARD${user_id}`
const swipe = (user_id: string) => lane.present('card', card(user_id))
const opens = (user_id: string) => {
  const before = turnstile.device.counters.opened
  turnstile.device.present('200', card(user_id))
  return turnstile.device.counters.opened > before
}
const period = (direction: 1 | 2, begin_min: number, end_min: number) => ({ direction, day_match: 5, week_flags: null, begin_min, end_min })

/** Server and terminals read the same clock. */
function setTime(time: string): void {
  app.clock.setTo(`2026-11-20T${time}:00+08:00`)
  const ahead = app.clock.now().getTime() - Date.now()
  for (const one of [lane, elsewhere, turnstile.device]) one.faults.clock_offset_ms = ahead
}

beforeAll(async () => {
  app = await startTestApp()
  app.clock.setTo('2026-11-20T15:58:00+08:00')
  const port = await app.running.listenToDevices()
  me = await app.as({ school_id, codes: 'all', places: 'all' })
  const made = await app.running.database.tenant(school_id, (db: Parameters<typeof buildClassAndGates>[0]) =>
    buildClassAndGates(db, app.running.app, school_id, { size: class_size, prefix: 'FJ' }),
  )
  ;({ class_id: class_1, pupils, gate } = made)
  const wayOf = async (sn: string, model_code: string, place_id: string) => {
    const draft = { device_sn: sn, device_name: `终端${sn}`, device_type: '01' as const, model_code, place_id, direction: 2 as const }
    const { setup, device } = dataOf(deviceApi.create, await app.call(deviceApi.create, draft, as()))
    await tenant(db =>
      sql`insert into device_adoption (school_id, device_id, step, begun_at, done_at) values (${school_id}, ${device.device_id},
        'done', ${app.clock.now()}, ${app.clock.now()})`.execute(db),
    )
    return { device_id: device.device_id, way: { url: `mqtt://127.0.0.1:${port}`, sn, secret: setup?.secret ?? '' } }
  }
  const out = await wayOf('FJOUT', 'JD-F10', gate)
  gate_out = out.device_id
  lane = new JdevTerminal(out.way)
  turnstile = new Vf105Terminal((await wayOf('FJTURN', 'VF105', gate)).way)
  elsewhere = new JdevTerminal((await wayOf('FJELSE', 'JD-F10', made.other_gate)).way)
  setTime('15:58')
  await Promise.all([lane.start(), turnstile.start(), elsewhere.start()])
  await tenant(db =>
    declareCredentials(
      { app: app.running.app, db, school_id, now: app.clock.now() },
      pupils.map(user_id => ({
        user_id,
        cred_kind: 'card',
        code: card(user_id),
        usable: true,
        source: 'cards',
        source_ref: `card ${user_id}`,
        version: 1,
      })),
    ),
  )
})
afterAll(async () => {
  await Promise.all([lane.stop(), turnstile.stop(), elsewhere.stop()])
  await app.close()
})

test('35-A7 a class of 52 gets its rule with the plan alone; of two administrators who publish it at once one wins', async () => {
  const { rule } = dataOf(
    ruleApi.add,
    await app.call(
      ruleApi.add,
      { scene: 1, rule_name: '走读', periods: [period(1, hours(6), hours(9)), period(2, hours(15), hours(17))] },
      as(),
    ),
  )
  rule_id = rule?.rule_id ?? ''
  const draft = { scene: 1, dept_ids: [class_1], rule_id, in_place_ids: [], out_place_ids: [gate], valid_from: '2026-11-20' }
  const { plan } = dataOf(deptRuleApi.add, await app.call(deptRuleApi.add, { ...draft, preview: true }, as()))
  expect([plan.people.total, plan.devices.total, plan.needs_hash]).toEqual([class_size, 2, true])
  expect(refusal(await app.call(deptRuleApi.add, draft, as()))).toEqual([422, 'access.planRequired'])
  const other = await app.as({ school_id, codes: 'all', places: 'all' })
  const answers = await Promise.all([me, other].map(who => app.call(deptRuleApi.add, { ...draft, plan_hash: plan.plan_hash }, as(who))))
  expect(answers.map(one => one.status).toSorted((a, b) => a - b)).toEqual([200, 409])
  await expect
    .poll(() => [swipe(pupils[0] ?? '').result, opens(pupils[0] ?? '')], { timeout: 20_000, interval: 300 })
    .toEqual([passed, true])
})

test('35-A5 a rule’s end moves: planned, saved, acknowledged by both protocols; a swipe at 16:05 is refused, on the wall, in his days, in the report', async () => {
  const [first = ''] = pupils
  // The rule has held since the beginning of term, so that last week can be looked at under another one.
  await tenant(db => sql`update dept_rule set valid_from = '2026-09-01T00:00:00+08:00' where school_id = ${school_id}`.execute(db))
  await tenant(db =>
    sql`update access_rule_version set valid_from = '2026-09-01T00:00:00+08:00' where school_id = ${school_id}`.execute(db),
  )
  await record(app, [
    { seq: 'last week', device_id: gate_out, place_id: gate, direction: 2, user_id: first, at: '2026-11-18T16:20:00+08:00' },
  ])
  const { rule } = dataOf(ruleApi.detail, await app.call(ruleApi.detail, { rule_id }, as()))
  const { rule_name, remark, dates, row_version } = rule
  const draft = {
    rule_id,
    rule_name,
    remark,
    dates,
    row_version,
    periods: [period(1, hours(6), hours(9)), period(2, hours(15), hours(16))],
  }
  const shown = dataOf(ruleApi.update, await app.call(ruleApi.update, { ...draft, preview: true }, as())).plan
  expect([shown.people, shown.devices.total]).toEqual([{ total: class_size, gain: 0, lose: 0, change: class_size }, 2])
  expect(shown.replay).toMatchObject({ denied: 1, allowed: 0 })
  expect(refusal(await app.call(ruleApi.update, draft, as()))).toEqual([422, 'access.planRequired'])
  const untouched = elsewhere.trace.length
  const permissions = () => [[...lane.store.held('permission').keys()], [...turnstile.store.permissions.keys()].map(String)]
  const before = permissions()
  dataOf(ruleApi.update, await app.call(ruleApi.update, { ...draft, plan_hash: shown.plan_hash }, as()))
  // The turnstile's periods end with their last minute.
  const held = () => [
    JSON.stringify([...lane.store.held('permission').values()]),
    JSON.stringify([...turnstile.store.permissions.values()]),
  ]
  await expect
    .poll(() => held().map((text, at) => text.includes(at === 0 ? '15:00-16:00' : '15:00-15:59')), { timeout: 20_000 })
    .toEqual([true, true])
  const waiting = sql<{ n: number }>`select count(*)::int as n from sync_person_v where school_id = ${school_id} and state <> 'applied'`
  await expect.poll(() => tenant(async db => (await waiting.execute(db)).rows), { timeout: 20_000 }).toEqual([{ n: 0 }])
  expect(elsewhere.trace.length).toBe(untouched)
  // A permission’s name is its content (chapter 31 §5.7.3): each door has got one new one.
  expect(permissions().map((own, at) => own.filter(key => !before[at]?.includes(key)).length)).toEqual([1, 1])
  const receipts = async () => dataOf(ruleApi.receipts, await app.call(ruleApi.receipts, { rule_id }, as())).list
  await expect
    .poll(async () => (await receipts()).map(one => [one.device_name, one.effect, one.people, one.state]), { timeout: 20_000 })
    .toEqual([['终端FJOUT', 'give', class_size, 1], ['终端FJTURN', 'give', class_size, 1]])

  setTime('16:05')
  const refused = swipe(first)
  expect([refused.result, refused['reason'], opens(first)]).toEqual([not_now, 'not_now', false])
  const wall = async () =>
    dataOf(wallApi.since, await app.call(wallApi.since, { place_id: gate }, as())).list.filter(row => row.result !== passed)
  await expect
    .poll(async () => (await wall()).map(row => [row.user_name, row.dept_name, row.result === not_now]), { timeout: 20_000 })
    .toContainEqual(['学生0', '三年级1班', true])
  const days = dataOf(personPageApi.timeline, await app.call(personPageApi.timeline, { id: first, domains: 'access.pass' }, as()))
  expect(days.list[0]).toMatchObject({
    lane: 'access.pass',
    kind: 'denied',
    title: expect.stringMatching(/^出校被拒：(不在时段|无权限) · 南门$/u),
  })
  const report = dataOf(
    studentTurnoverApi.page,
    await app.call(studentTurnoverApi.page, { from: '2026-11-20', to: '2026-11-20', result: String(not_now), place_id: gate }, as()),
  ).list
  expect(report[0]).toMatchObject({ user_name: '学生0', dept_name: '三年级1班', direction: 2, place_name: expect.stringContaining('南门') })
  const { event_date, device_id, device_seq, pass_key } = report[0] ?? { event_date: '', device_id: '', device_seq: '', pass_key: '' }
  expect(dataOf(passApi.detail, await app.call(passApi.detail, { event_date, device_id, device_seq }, as())).pass.pass_key).toBe(pass_key)
})

test('35-A9 the line to the gate is cut: a temporary right that both terminals hold ends on time by itself', async () => {
  const [, second = ''] = pupils
  expect(swipe(second).result).toBe(not_now)
  const now = app.clock.now().getTime()
  const draft = {
    person_kind: 1,
    effect: 1 as const,
    direction: 2 as const,
    user_ids: [second],
    begin_at: new Date(now - minute_ms).toISOString(),
    end_at: new Date(now + 15 * minute_ms).toISOString(),
    reason_code: '3' as const,
    reason: '外出就医',
  }
  const { temporary_rule_id } = dataOf(temporaryApi.add, await app.call(temporaryApi.add, draft, as()))
  await expect.poll(() => [swipe(second).result, opens(second)], { timeout: 20_000, interval: 300 }).toEqual([passed, true])
  const states = async () =>
    dataOf(temporaryApi.receipts, await app.call(temporaryApi.receipts, { temporary_rule_id }, as())).list.map(one => [one.device_name, one.effect, one.people, one.state])
  // No door was named: the right is on each of the three.
  await expect.poll(states, { timeout: 20_000 }).toEqual(['终端FJELSE', '终端FJOUT', '终端FJTURN'].map(name => [name, 'give', 1, 1]))
  const stored = sql<{ state: number }>`select state from access_effect_v where school_id = ${school_id} and cause_kind = 'temporary' and cause_id = ${temporary_rule_id}`
  await expect.poll(() => tenant(async db => (await stored.execute(db)).rows), { timeout: 20_000 }).toEqual([{ state: 1 }, { state: 1 }, { state: 1 }])
  await Promise.all([lane.stop(), turnstile.stop()])
  setTime('16:10')
  expect([swipe(second).result, opens(second)]).toEqual([passed, true])
  setTime('16:25')
  expect([swipe(second).result, opens(second)]).toEqual([not_now, false])
})

import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { JdevTerminal } from '@apps/terminal'
import { abnormalApi, banApi, deptRuleApi, ruleApi, studentTurnoverApi } from '@campus/access/contract'
import { deviceApi } from '@campus/devices/contract'
import { declareCredentials } from '@campus/devices/server'
import { changeApi, pickerApi } from '@campus/people/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildClassAndGates } from '../builders.ts'
import { record } from '../testing/gate-school.ts'

const { a: school_id } = test_schools
const [passed, unjustified] = [1, '1'] as const
let app: TestApp
let me: TestUser
let pupil = ''
let other = ''
let gate = ''
let gate_out = ''
let lane: JdevTerminal

const as = () => ({ token: me.token })
const card = (user_id = pupil) => lane.present('card', `CARD${user_id}`).result

beforeAll(async () => {
  app = await startTestApp()
  app.clock.setTo('2026-11-20T10:00:00+08:00')
  const port = await app.running.listenToDevices()
  me = await app.as({ school_id, codes: 'all', places: 'all' })
  const made = await app.running.database.tenant(school_id, (db: Parameters<typeof buildClassAndGates>[0]) =>
    buildClassAndGates(db, app.running.app, school_id, { size: 2, prefix: 'LX' }),
  )
  ;[pupil = '', other = ''] = made.pupils
  ;({ gate } = made)
  const kind = { device_type: '01' as const, model_code: 'JD-F10', direction: 2 as const }
  const draft = { ...kind, device_sn: 'LXOUT', device_name: '南门出', place_id: gate }
  const { setup, device } = dataOf(deviceApi.create, await app.call(deviceApi.create, draft, as()))
  gate_out = device.device_id
  await app.running.database.tenant(school_id, db =>
    sql`insert into device_adoption (school_id, device_id, step, begun_at, done_at) values (${school_id}, ${gate_out}, 'done',
      ${app.clock.now()}, ${app.clock.now()})`.execute(db),
  )
  lane = new JdevTerminal({ url: `mqtt://127.0.0.1:${port}`, sn: 'LXOUT', secret: setup?.secret ?? '' })
  lane.faults.clock_offset_ms = app.clock.now().getTime() - Date.now()
  await lane.start()
  const of_card = { cred_kind: 'card' as const, usable: true, source: 'cards', version: 1 }
  const cards = made.pupils.map(user_id => ({ ...of_card, user_id, code: `CARD${user_id}`, source_ref: `card ${user_id}` }))
  await app.running.database.tenant(school_id, db =>
    declareCredentials({ app: app.running.app, db, school_id, now: app.clock.now() }, cards),
  )
  const period = { direction: 2 as const, day_match: 5, week_flags: null, begin_min: 0, end_min: 1440 }
  const { rule } = dataOf(ruleApi.add, await app.call(ruleApi.add, { scene: 1, rule_name: '全天', periods: [period] }, as()))
  const doors = { in_place_ids: [], out_place_ids: [gate] }
  const assigned = { scene: 1, dept_ids: [made.class_id], rule_id: rule?.rule_id ?? '', ...doors, valid_from: '2026-11-20' }
  const { plan } = dataOf(deptRuleApi.add, await app.call(deptRuleApi.add, { ...assigned, preview: true }, as()))
  dataOf(deptRuleApi.add, await app.call(deptRuleApi.add, { ...assigned, plan_hash: plan.plan_hash }, as()))
})
afterAll(async () => {
  await lane.stop()
  await app.close()
})

test('who is banned is refused by the door at once, whatever rule he has, until the ban is lifted; one ban at a time', async () => {
  await expect.poll(() => card(other), { timeout: 20_000 }).toBe(passed)
  const span = { begin_at: '2026-11-20T01:00:00Z', end_at: '2026-11-21T01:00:00Z' }
  const draft = { user_ids: [other], direction: 2 as const, reason: '停课处理', ...span }
  dataOf(banApi.add, await app.call(banApi.add, draft, as()))
  expect((await app.call(banApi.add, draft, as())).body.error_id).toBe('access.banOverlap')
  await expect.poll(() => card(other) === passed, { timeout: 20_000 }).toBe(false)
  const [ban] = dataOf(banApi.list, await app.call(banApi.list, { person_kind: 1 }, as())).list
  expect(ban).toMatchObject({ user_name: '学生1', reason: '停课处理', is_open: true })
  dataOf(banApi.lift, await app.call(banApi.lift, { ids: [ban?.ban_id ?? ''], reason: '已复课' }, as()))
  await expect.poll(() => card(other), { timeout: 20_000 }).toBe(passed)
})

test('35-A30 who has left is on no door and in no picker; a pass of his is judged; last month’s report has him under the class of then', async () => {
  await expect.poll(() => card(), { timeout: 20_000 }).toBe(passed)
  const out = { device_id: gate_out, place_id: gate, direction: 2 as const, user_id: pupil }
  await record(app, [{ seq: 'last month', ...out, at: '2026-10-15T16:30:00+08:00' }])
  const change = { kind: 'OUT' as const, subjects: [{ user_id: pupil }], effective_on: '2026-11-20', reason: '随父母迁居', to_where: '市第二小学' }
  const { plan_hash } = dataOf(changeApi.preview, await app.call(changeApi.preview, { draft: change }, as()))
  dataOf(changeApi.apply, await app.call(changeApi.apply, { draft: change, plan_hash }, as()))
  await expect.poll(() => [lane.store.held('person').has(pupil), card() === passed], { timeout: 20_000 }).toEqual([false, false])
  const { list: picked } = dataOf(pickerApi.student, await app.call(pickerApi.student, { keyword: '学生' }, as()))
  expect(picked.map(one => one.user_name)).toEqual(['学生1'])
  // A door that had not heard of it yet.
  await record(app, [{ seq: 'too late', ...out, at: new Date(app.clock.now().getTime() + 60_000).toISOString() }])
  const asked = { kind: unjustified, state: '0' as const }
  const waiting = async () => dataOf(abnormalApi.list, await app.call(abnormalApi.list, asked, as())).list
  const his = async () => (await waiting()).filter(one => one.evidence.some(key => key.endsWith('/too late'))).map(one => one.user_name)
  await expect.poll(his, { timeout: 20_000 }).toEqual(['学生0'])
  const october = { from: '2026-10-01', to: '2026-10-31' }
  const report = dataOf(studentTurnoverApi.page, await app.call(studentTurnoverApi.page, october, as())).list
  expect(report).toMatchObject([{ user_name: '学生0', dept_name: '三年级1班', result: passed }])
})

import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import {
  alertApi, arrangeApi, clockApi, exemptApi, outageApi, pointApi, recomputeApi, rollcallApi, ruleApi, RuleBody,
} from '@campus/attendance/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db } from './db.ts'
import { rowEvidence } from './recompute/evidence.ts'
import { drainTo, makeLessonSchool, monday, noon, seeAll, semester_id } from './testing/lesson-school.ts'
import type { LessonSchool } from './testing/lesson-school.ts'

let app: TestApp
let me: TestUser
let school: LessonSchool
let rule_id = ''

const as = (who = me) => ({ token: who.token })
const refusal = ({ status, body }: Answer) => [status, body.error_id, body.msg]
const tenant = <R>(fn: (db: Db) => Promise<R>) => app.running.database.tenant(school.school_id, fn)
const body = (more: object = {}) => RuleBody.parse({ ...more })
const draft = { rule_name: '走班每节', person_kind: 1, kind: 'course' as const, note: '', effective_from: '2026-09-14', reason: '' }
const whole = {
  arrange_name: '全校课程', semester_id, scope_kind: 1, scope_id: '0', section_from: null, section_to: null, valid_from: '2026-09-14',
  valid_to: '2027-01-29', slots: [], reason: '',
}

beforeAll(async () => {
  app = await startTestApp()
  app.clock.setTo('2026-09-01T10:00:00+08:00')
  school = await makeLessonSchool(app, await app.as({ school_id: test_schools.a, codes: 'all', places: 'all' }))
  app.clock.setTo(noon)
  me = await app.as({ school_id: test_schools.a, codes: 'all', places: 'all' })
})
afterAll(() => app.close())

type Stored = { user_id: string; section: number; state: number; flags: number; late_min: number; provisional: boolean }
const rowsOf = (date = monday) => tenant(async db => (await sql<Stored>`
  select user_id::text as user_id, section::int as section, state::int as state, flags::int as flags, late_min::int as late_min,
    provisional from attend_result
  where school_id = ${school.school_id} and lesson_date = ${date}::date and person_kind = 1 order by user_id, section`.execute(db)).rows)
const statesOf = async (n: number) => (await rowsOf()).filter(row => row.user_id === school.pupils[n]).map(row => row.state)
const changes = () => tenant(async db => (await sql<{ n: number }>`select count(*)::int as n from attend_change where school_id = ${school.school_id}`.execute(db)).rows[0]?.n ?? 0)

async function run(mode: 'normal' | 'force' | 'verify', date_to = monday) {
  const { run: started } = dataOf(recomputeApi.start, await app.call(recomputeApi.start, { date_from: monday, date_to, mode }, as()))
  const read = async () => dataOf(recomputeApi.read, await app.call(recomputeApi.read, { id: started.run_id }, as()))
  await expect.poll(async () => (await read()).run.state, { timeout: 30_000 }).toBe('done')
  return read()
}

test('a rule has versions, a name once, a window inside the shortest lesson; what is arranged holds from its day on', async () => {
  const add = (more: object) => app.call(ruleApi.add, { ...draft, body: body(), ...more }, as())
  rule_id = dataOf(ruleApi.add, await add({})).row.rule_id
  expect(refusal(await add({})).slice(0, 2)).toEqual([409, 'attend.ruleName'])
  expect(refusal(await add({
    rule_name: '太长', body: body({ late_until_min: 45, late_grace_min: 30 }),
  })).slice(0, 2)).not.toEqual([422, 'attend.ruleWindow'])
  expect(refusal(await add({
    rule_name: '反了', body: body({ late_until_min: 5, late_grace_min: 10 }),
  })).slice(0, 2)).toEqual([422, 'attend.ruleWindow'])
  expect((await app.call(
    arrangeApi.add, { ...whole, rule_id, scope_kind: 4, scope_id: '999999999' }, as()
  )).body.error_id).toBe('attend.arrangeScope')
  const { row } = dataOf(arrangeApi.add, await app.call(arrangeApi.add, { ...whole, rule_id }, as()))
  expect(row).toMatchObject({ scope_name: '全校', rule_name: '走班每节', valid_to: '2027-01-29' })
  expect(refusal(await app.call(arrangeApi.add, { ...whole, rule_id, arrange_name: '又一个' }, as()))).toEqual([
    409, 'attend.arrangeOverlap', '与已有安排范围和日期重叠，请调整日期或停用原安排'
  ])
  expect(refusal(await app.call(ruleApi.remove, { id: rule_id }, as()))).toEqual([409, 'attend.ruleInUse', '规则正在被1条安排使用，不能删除'])
  const { list } = dataOf(arrangeApi.week, await app.call(arrangeApi.week, { dept_id: school.class_1, date: monday }, as()))
  expect([list.length, list.every(cell => cell.rule_name === '走班每节'), list[0]?.points]).toEqual([15, true, 1])
  const clerk = await app.as({ school_id: school.school_id, codes: ['attendance.rule.view', 'attendance.rule.edit'] })
  const back = {
    id: rule_id, rule_name: '走班每节', note: '', body: body({ late_until_min: 10 }), effective_from: '2026-09-07', reason: '补设', row_version: 1,
  }
  expect((await app.call(ruleApi.update, back, as(clerk))).body.error_id).toBe('attend.backdateRight')
  expect((await app.call(ruleApi.update, { ...back, reason: '' }, as())).body.error_id).toBe('attend.backdate')
})

test('55-A6 55-A11 one clock carries the morning; a board that has not handed over leaves 待核实; what it hands over later gives the true states', async () => {
  const [first = '', second = '', third = ''] = school.pupils
  await drainTo(app, school.board, `${monday}T07:58:00+08:00`)
  await seeAll(app, [
    { seq: '1', device_id: school.board, place_id: school.room, user_id: first, at: `${monday}T07:55:00+08:00` },
    { seq: '2', device_id: school.gate_in, place_id: school.gate, user_id: second, at: `${monday}T07:21:00+08:00`, direction: 1 },
  ])
  await expect.poll(
    () => tenant(async db => (await sql<{ n: number }>`select count(*)::int as n from attend_event where school_id = ${school.school_id}`.execute(db)).rows[0]?.n),
    { timeout: 20_000 }
  ).toBe(1)
  await run('normal')
  expect([await statesOf(0), await statesOf(1), await statesOf(2)]).toEqual([[1, 1, 1], [10, 10, 10], [10, 10, 10]])
  expect((await rowsOf()).filter(row => row.state === 4)).toEqual([])
  const row = await tenant(async db => {
    const [found] = (await sql<{ occurrence_id: string }>`select occurrence_id::text as occurrence_id from attend_result where school_id = ${school.school_id} and user_id = ${second} and section = 1`.execute(db)).rows
    return rowEvidence(
      db, school.school_id, { lesson_date: monday, expect_kind: 1, occurrence_id: found?.occurrence_id ?? '', user_id: second },
      app.clock.now()
    )
  })
  expect(row?.verdict.sentence).toBe('第1节 语文(E203)未见打卡；南门07:21进校；E203班牌07:58后的记录还没有上传 → 待核实')
  await seeAll(app, [{ seq: '3', device_id: school.board, place_id: school.room, user_id: third, at: `${monday}T08:04:00+08:00` }])
  await drainTo(app, school.board, `${monday}T11:30:00+08:00`)
  await expect.poll(
    () => tenant(async db => (await sql<{ n: number }>`select count(*)::int as n from attend_event where school_id = ${school.school_id}`.execute(db)).rows[0]?.n),
    { timeout: 20_000 }
  ).toBe(2)
  await run('normal')
  expect([await statesOf(0), await statesOf(1), await statesOf(2)]).toEqual([[1, 1, 1], [4, 4, 4], [2, 1, 1]])
  expect(await changes()).toBeGreaterThanOrEqual(6)
})

test('55-A2 the same facts write nothing, also by force; a table that was lost comes back the same', async () => {
  const before = await rowsOf()
  const counted = await changes()
  expect([(await run('normal')).run.changed, (await run('force')).run.changed, (await run('verify')).run.changed]).toEqual([0, 0, 0])
  await tenant(db => sql`delete from attend_result where school_id = ${school.school_id} and lesson_date = ${monday}::date`.execute(db))
  expect((await run('verify')).diff.length).toBeGreaterThan(0)
  await run('force')
  expect([await rowsOf(), await changes()]).toEqual([before, counted])
})

test('55-A15 two teachers submit one roll-call at once: one is taken, the other reads by whom; absent pupils are absent without a device', async () => {
  app.clock.setTo('2026-09-15T08:20:00+08:00')
  me = await app.as({ school_id: school.school_id, codes: 'all', places: 'all' })
  const lessons = await tenant(async db => (await sql<{ id: string }>`select lesson_day_id::text as id from lesson_day_v where school_id = ${school.school_id} and date = '2026-09-15' and dept_id = ${school.class_2} order by section`.execute(db)).rows)
  const [now = '', next = ''] = lessons.map(row => row.id)
  const roll = dataOf(rollcallApi.read, await app.call(rollcallApi.read, { lesson_day_id: now }, as()))
  expect([roll.title, roll.class_name, roll.pupils.length, roll.version]).toEqual(['第1节 语文', '三年级2班', 3, 0])
  const rows = roll.pupils.map(({ user_id }, at) => ({ user_id, claim: at === 0 ? 'absent' as const : 'present' as const }))
  const submit = (lesson_day_id: string, more: object = {}) => app.call(
    rollcallApi.submit, { lesson_day_id, version: 0, rows, ...more }, as()
  )
  expect((await submit(next)).body.error_id).toBe('attend.rollcallEarly')
  expect((await submit(now, { rows: rows.map(row => ({ ...row, claim: 'absent' })) })).body.error_id).toBe('attend.rollcallAll')
  expect((await submit(
    now, { rows: [{ user_id: school.pupils[0] ?? '', claim: 'present' }] }
  )).body.error_id).toBe('attend.rollcallUnknown')
  const both = await Promise.all([submit(now), submit(now)])
  expect(both.map(answer => answer.status).toSorted()).toEqual([200, 409])
  expect(both.find(answer => answer.status === 409)?.body.msg).toMatch(/已于08:20提交点名，请刷新后再提交$/)
  await run('normal', '2026-09-15')
  const { list } = dataOf(
    clockApi.ofClass, await app.call(clockApi.ofClass, { dept_id: school.class_2, date: '2026-09-15', slot: 'l1' }, as())
  )
  expect(list.map(seat => seat.state)).toEqual([4, 1, 1])
  const wall = dataOf(clockApi.page, await app.call(clockApi.page, {}, as()))
  expect(wall).toMatchObject({
    slot: 'l1', list: [{ dept_name: '三年级1班' }, { dept_name: '三年级2班', expected: 3, present: 2, absent: 1, title: '语文' }],
  })
  const clerk = await app.as({
    school_id: school.school_id, codes: ['attendance.clock.view', 'attendance.rollcall.take'], scope: 'custom', scope_ids: [school.class_1],
  })
  expect([
    (await app.call(clockApi.ofClass, { dept_id: school.class_2 }, as(clerk))).status,
    (await app.call(rollcallApi.read, { lesson_day_id: now }, as(clerk))).status
  ]).toEqual([404, 404])
})

test('55-A18 a pupil whom the gate let in and nobody saw is an alert; a trial tells before what a rule would change', async () => {
  const date = '2026-09-15'
  await drainTo(app, school.board, `${date}T08:19:00+08:00`)
  await seeAll(
    app,
    [{
      seq: '9', device_id: school.gate_in, place_id: school.gate, user_id: school.pupils[1] ?? '', at: `${date}T07:21:00+08:00`,
      direction: 1,
    }]
  )
  await expect.poll(
    () => tenant(async db => (await sql<{ n: number }>`select count(*)::int as n from access_pass where school_id = ${school.school_id} and event_date = ${date}::date`.execute(db)).rows[0]?.n),
    { timeout: 20_000 }
  ).toBe(1)
  await run('normal', date)
  const open = async () => dataOf(alertApi.page, await app.call(alertApi.page, { state: 'open' }, as())).list
  expect((await open()).map(alert => [alert.user_name, alert.text])).toEqual([['学生1', '第1节 语文未到，门禁显示在校']])
  const alert_id = (await open())[0]?.alert_id ?? ''
  expect((await app.call(alertApi.ack, { id: alert_id, note: '在医务室' }, as())).status).toBe(200)
  expect((await app.call(alertApi.ack, { id: alert_id, note: '' }, as())).body.error_id).toBe('attend.alertClosed')
  const trial = dataOf(
    ruleApi.dryRun, await app.call(ruleApi.dryRun, { rule_id, body: body({ chain_mode: 1 }), date_from: monday, date_to: monday }, as())
  )
  expect([trial.units, trial.before[0], trial.after[0]]).toEqual([1, 5, 1])
  const before = await rowsOf()
  await app.call(
    ruleApi.update,
    { id: rule_id, rule_name: '走班每节', note: '', body: body({ chain_mode: 1 }), effective_from: monday, reason: '逐节打卡', row_version: 1 },
    as()
  )
  await run('normal')
  const after = await rowsOf()
  expect(after.filter((row, at) => row.state !== before[at]?.state).length).toBe(trial.changed)
})

test('an exemption, a declared outage and a device that does not count are judged at once', async () => {
  const user_id = school.pupils[1] ?? ''
  const exempt = { user_id, kind: null, weekdays: null, valid_from: monday, valid_to: monday, reason: '伤病' }
  expect((await app.call(exemptApi.add, exempt, as())).status).toBe(200)
  expect((await app.call(exemptApi.add, exempt, as())).body.error_id).toBe('attend.exemptOverlap')
  const span = { place_id: school.room, begin_at: `${monday}T06:00:00+08:00`, end_at: `${monday}T12:00:00+08:00`, reason: '停电' }
  expect((await app.call(outageApi.declare, { ...span, end_at: span.begin_at }, as())).body.error_id).toBe('attend.outageSpan')
  expect((await app.call(outageApi.declare, span, as())).status).toBe(200)
  await run('normal')
  expect([await statesOf(1), await statesOf(2)]).toEqual([[9, 9, 9], [2, 10, 10]])
  const { list } = dataOf(outageApi.page, await app.call(outageApi.page, {}, as()))
  expect(list[0]).toMatchObject({ place_name: 'E203', basis: 'declared', reason: '停电' })
  expect((await app.call(outageApi.close, { id: list[0]?.outage_id ?? '' }, as())).status).toBe(200)
  expect((await app.call(pointApi.save, { device_id: school.board, use: 'none' }, as())).status).toBe(200)
  const points = dataOf(pointApi.list, await app.call(pointApi.list, {}, as())).list
  expect(points.find(point => point.device_id === school.board)).toMatchObject({ use: 'none', is_set: true })
  const preview = dataOf(arrangeApi.preview, await app.call(arrangeApi.preview, { date: monday, user_id }, as())).list
  expect([preview.length, preview[0]?.why]).toEqual([3, '规则“走班每节”来自 全校·全校课程'])
})

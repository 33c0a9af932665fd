import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { JdevTerminal, Vf105Terminal } from '@apps/terminal'
import { temporaryApi } from '@campus/access/contract'
import { deviceApi } from '@campus/devices/contract'
import { declareCredentials } from '@campus/devices/server'
import { applyApi, formApi, leave_states, reasonApi, taskApi } from '@campus/leave/contract'
import { createDepts, enrolStudents } from '@campus/people/server'
import { placeApi } from '@campus/places/contract'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rightsOfLeave } from './gate.effect.ts'

const { a: school_id } = test_schools
const [minute_ms, hour_ms] = [60_000, 3_600_000] as const
const [passed, used_up] = [1, 11] as const
let app: TestApp
let me: TestUser
let teacher: TestUser
let pupils: string[]
let form_id = ''
let reason_code = ''
let lane: JdevTerminal
let entry: JdevTerminal
let turnstile: Vf105Terminal

const as = () => ({ token: me.token })
const tenant = <R>(work: (db: QueryExecutorProvider) => Promise<R>): Promise<R> => app.running.database.tenant<unknown, R>(school_id, work)
const card = (of: JdevTerminal, user_id: string) => of.present('card', `CARD${user_id}`).result
const rights = async () => dataOf(temporaryApi.list, await app.call(temporaryApi.list, { person_kind: 1 }, as())).list

beforeAll(async () => {
  app = await startTestApp()
  const port = await app.running.listenToDevices()
  me = await app.as({ school_id, codes: 'all', places: 'all' })
  teacher = await app.as({ school_id, codes: [] })
  pupils = await app.running.database.tenant(school_id, async (db: Parameters<typeof createDepts>[0]) => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    const cohort = { tree: 'student' as const, grade: '13', enrol_year: 2024, stage: '1' }
    const ids = await createDepts(db, school_id, [{ key: 'grade', parent: root.id, dept_name: '三年级', dept_type: 3, ...cohort }, { key: 'class', parent: 'grade', dept_name: '三年级1班', dept_type: 4, class_no: 1, ...cohort }], '2026-09-01')
    await sql`insert into person (school_id, user_id, user_name, name_py, name_initials, sex) values (${school_id}, ${teacher.user_id}, '王老师', 'wanglaoshi', 'wls', '1')`.execute(db)
    await sql`insert into staff (school_id, user_id, teacher_no, kind, join_month) values (${school_id}, ${teacher.user_id}, ${teacher.user_no}, '11', '202609')`.execute(db)
    await sql`insert into staff_span (school_id, user_id, state, valid_from, open_kind) values (${school_id}, ${teacher.user_id}, '11', '2026-09-01', 'IN')`.execute(db)
    return enrolStudents(db, app.running.app.secrets, school_id, [0, 1, 2, 3].map(at => ({ user_name: `学生${at}`, student_no: `LG0${at}`, sex: '1', enrol_month: '202409', dept_id: ids.get('class') ?? '', from: '2026-09-01' })))
  })
  const { list } = dataOf(placeApi.tree, await app.call(placeApi.tree, {}, as()))
  const gate = dataOf(placeApi.create, await app.call(placeApi.create, { superior_id: list[0]?.place_id ?? '', place_name: '南门', place_kind: 9 }, as())).place.place_id
  const wayOf = async (sn: string, model_code: string, direction: 1 | 2) => {
    const { setup, device } = dataOf(deviceApi.create, await app.call(deviceApi.create, { device_sn: sn, device_name: `终端${sn}`, device_type: '01', model_code, place_id: gate, direction }, as()))
    await tenant(db => sql`insert into device_adoption (school_id, device_id, step, begun_at, done_at) values (${school_id}, ${device.device_id}, 'done', ${app.clock.now()}, ${app.clock.now()})`.execute(db))
    return { url: `mqtt://127.0.0.1:${port}`, sn, secret: setup?.secret ?? '' }
  }
  lane = new JdevTerminal(await wayOf('LGOUT', 'JD-F10', 2))
  entry = new JdevTerminal(await wayOf('LGIN', 'JD-F10', 1))
  turnstile = new Vf105Terminal(await wayOf('LGTURN', 'VF105', 2))
  await Promise.all([lane.start(), entry.start(), turnstile.start()])
  await tenant(db => declareCredentials({ app: app.running.app, db, school_id, now: app.clock.now() }, pupils.map(user_id => ({ user_id, cred_kind: 'card', code: `CARD${user_id}`, usable: true, source: 'cards', source_ref: `card ${user_id}`, version: 1 }))))
  reason_code = dataOf(reasonApi.add, await app.call(reasonApi.add, { reason_name: '就医', person_kinds: [1] }, as())).reason_code
  const step = { mode: 1, resolver: 8, resolver_ids: [teacher.user_id], when: {}, remind_min: 30, escalate_min: 120 }
  const design = { leave_types: ['1', '2'], unit: 3, min_minutes: 15, max_minutes: 30 * 1440, advance_min: 0, backdate_days: 3, exit_mode: 1, meal: true, bus: true, auto_return: true, late_grace_min: 60, attach_from_days: null, no_approval: false, fallback_user_ids: [teacher.user_id], steps: [step] }
  const saved = dataOf(formApi.save, await app.call(formApi.save, { form_name: '学生请假', person_kind: 1, design }, as()))
  dataOf(formApi.publish, await app.call(formApi.publish, saved, as()))
  form_id = saved.form_id
})
afterAll(async () => {
  await Promise.all([lane.stop(), entry.stop(), turnstile.stop()])
  await app.close()
})

/** A leave that was asked for and agreed to. */
async function agreed(user_id: string, from_ms: number, to_ms: number): Promise<string> {
  const at = (ms: number) => new Date(Math.floor((app.clock.now().getTime() + ms) / minute_ms) * minute_ms).toISOString()
  const { leave_id } = dataOf(applyApi.add, await app.call(applyApi.add, { form_id, leave_type: '2', reason_code, reason: '去医院看牙', spans: [{ begin: at(from_ms), end: at(to_ms) }], user_ids: [user_id] }, as()))
  const task = dataOf(taskApi.page, await app.call(taskApi.page, {}, { token: teacher.token })).list.find(one => one.leave_id === leave_id)
  dataOf(taskApi.pass, await app.call(taskApi.pass, { task_id: task?.task_id ?? '', version: task?.version ?? 1 }, { token: teacher.token }))
  return leave_id
}
const fileOf = async (leave_id: string) => dataOf(applyApi.read, await app.call(applyApi.read, { leave_id }, as()))
const hasCard = (user_id: string) => [...turnstile.store.keys.values()].some(key => key.userId === user_id)
const opens = (user_id: string) => {
  const before = turnstile.device.counters.opened
  turnstile.device.present('200', `CARD${user_id}`)
  return turnstile.device.counters.opened > before
}

test('what a leave gives: out from a quarter of an hour before, in until an hour after, once each on one day; nothing to who stays, no way out to who is fetched', () => {
  const span = { no: 1, begin_at: new Date('2026-11-20T10:00:00+08:00'), end_at: new Date('2026-11-20T11:00:00+08:00') }
  const of = (exit_mode: number, end_at = span.end_at) => rightsOfLeave({ leave_id: '7', exit_mode, members: [{ user_id: '9', spans: [{ ...span, end_at }] }] }).map(one => [one.direction, one.valid_from.toISOString(), one.valid_to.toISOString(), one.max_times])
  expect(of(1)).toEqual([[2, '2026-11-20T01:45:00.000Z', '2026-11-20T03:00:00.000Z', 1], [1, '2026-11-20T02:00:00.000Z', '2026-11-20T04:00:00.000Z', 1]])
  expect(of(0)).toEqual([])
  expect(of(2).map(([direction]) => direction)).toEqual([1])
  expect(of(1, new Date('2026-11-25T11:00:00+08:00')).map(one => one[3])).toEqual([null, null])
})

test('70-A2 70-A4 35-A9 an agreed leave opens the gates of both protocols, out once and a second time not; coming back ends it', async () => {
  const [pupil = ''] = pupils
  expect(card(lane, pupil)).not.toBe(passed)
  const leave_id = await agreed(pupil, -5 * minute_ms, hour_ms)
  await expect.poll(async () => (await rights()).map(row => [row.direction, row.source, row.max_times, row.state]), { timeout: 5000 }).toEqual([[1, 2, 1, 'running'], [2, 2, 1, 'running']])
  expect((await fileOf(leave_id)).effects.find(one => one.effect === 'gate')).toMatchObject({ state: 2, text: '已放行1个校门' })
  await expect.poll(() => hasCard(pupil), { timeout: 5000 }).toBe(true)
  await expect.poll(() => card(lane, pupil), { timeout: 5000 }).toBe(passed)
  // The lane counts by itself; the others hear of it.
  expect(card(lane, pupil)).toBe(used_up)
  await expect.poll(() => opens(pupil), { timeout: 5000 }).toBe(false)
  await expect.poll(async () => (await fileOf(leave_id)).members[0]?.state).toBe(leave_states.out)
  expect(card(entry, pupil)).toBe(passed)
  await expect.poll(async () => (await fileOf(leave_id)).members[0]?.state).toBe(leave_states.ended)
  expect(card(lane, pupil)).not.toBe(passed)
})

test('70-A3 a leave that is taken back before it begins is gone from the gates at once', async () => {
  const [, pupil = ''] = pupils
  const leave_id = await agreed(pupil, 10 * minute_ms, hour_ms)
  await expect.poll(() => lane.store.held('person').has(pupil), { timeout: 5000 }).toBe(true)
  dataOf(applyApi.cancel, await app.call(applyApi.cancel, { leave_id, reason: '不去了' }, as()))
  await expect.poll(() => [lane.store.held('person').has(pupil), turnstile.store.users.has(pupil)], { timeout: 5000 }).toEqual([false, false])
  expect((await rights()).filter(row => row.state === 'revoked')).toHaveLength(2)
})

test('35-A9 terminals that have lost their line end the right by themselves', async () => {
  const [, , pupil = ''] = pupils
  await agreed(pupil, -5 * minute_ms, 30 * minute_ms)
  await expect.poll(() => [lane.store.held('credential').size > 0, hasCard(pupil)], { timeout: 5000 }).toEqual([true, true])
  await Promise.all([lane.stop(), turnstile.stop()])
  const late_ms = 31 * minute_ms
  lane.faults.clock_offset_ms = late_ms
  turnstile.device.faults.clock_offset_ms = late_ms
  expect([card(lane, pupil), opens(pupil)]).toEqual([3, false])
  lane.faults.clock_offset_ms = 0
  turnstile.device.faults.clock_offset_ms = 0
  expect([card(lane, pupil), opens(pupil)]).toEqual([passed, true])
})

import { dataOf, openLive, startTestApp, test_schools } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { JdevTerminal, Vf105Terminal } from '@apps/terminal'
import { doorApi, doorQrApi, temporaryApi } from '@campus/access/contract'
import { deviceApi } from '@campus/devices/contract'
import { placeApi } from '@campus/places/contract'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

const { a: school_id, b: other_school } = test_schools
const minute_ms = 60_000
let app: TestApp
let me: TestUser
let lane: JdevTerminal
let turnstile: Vf105Terminal
let entry: JdevTerminal
let doors: Record<'lane' | 'turnstile' | 'entry', string>
let gate = ''

const as = (who: TestUser = me) => ({ token: who.token })
const refusal = ({ status, body }: Answer) => [status, body.error_id]
const why = { reason_code: '1' as const, reason: '忘带校园卡' }
const open = (device_ids: string[], who: TestUser = me) => app.call(doorApi.open, { device_ids, ...why }, as(who))
const commands = async (device_id: string) => dataOf(doorApi.commands, await app.call(doorApi.commands, { device_id }, as())).list
const modes = async () => new Map(dataOf(doorApi.list, await app.call(doorApi.list, {}, as())).list.map(door => [door.device_id, door.mode]))
const tenant = <R>(work: (db: QueryExecutorProvider) => Promise<R>): Promise<R> => app.running.database.tenant<unknown, R>(school_id, work)

async function wayOf(sn: string, model_code: string, direction: 1 | 2, port: number) {
  const draft = { device_sn: sn, device_name: `终端${sn}`, device_type: '01' as const, model_code, place_id: gate, direction }
  const { setup, device } = dataOf(deviceApi.create, await app.call(deviceApi.create, draft, as()))
  await tenant(db => sql`insert into device_adoption (school_id, device_id, step, begun_at, done_at) values (${school_id}, ${device.device_id}, 'done', ${app.clock.now()}, ${app.clock.now()})`.execute(db))
  return { device_id: device.device_id, way: { url: `mqtt://127.0.0.1:${port}`, sn, secret: setup?.secret ?? '' } }
}

beforeAll(async () => {
  app = await startTestApp()
  const port = await app.running.listenToDevices()
  me = await app.as({ school_id, codes: 'all', places: 'all' })
  const { list } = dataOf(placeApi.tree, await app.call(placeApi.tree, {}, as()))
  gate = dataOf(placeApi.create, await app.call(placeApi.create, { superior_id: list[0]?.place_id ?? '', place_name: '南门', place_kind: 9 }, as())).place.place_id
  const made = { lane: await wayOf('DOLANE', 'JD-F10', 2, port), turnstile: await wayOf('DOTURN', 'VF105', 2, port), entry: await wayOf('DOENTRY', 'JD-F10', 1, port) }
  doors = { lane: made.lane.device_id, turnstile: made.turnstile.device_id, entry: made.entry.device_id }
  lane = new JdevTerminal(made.lane.way)
  turnstile = new Vf105Terminal(made.turnstile.way)
  entry = new JdevTerminal(made.entry.way)
  await Promise.all([lane.start(), turnstile.start(), entry.start()])
})
afterAll(async () => {
  await Promise.all([lane.stop(), turnstile.stop(), entry.stop()])
  await app.close()
})

test('a door of either protocol opens for who says why, and says so; without a reason, of another school or ten times a minute it does not', async () => {
  await expect.poll(async () => dataOf(doorApi.list, await app.call(doorApi.list, {}, as())).list.every(door => door.online)).toBe(true)
  dataOf(doorApi.open, await open([doors.lane, doors.turnstile]))
  await expect.poll(async () => [(await commands(doors.lane))[0]?.state, (await commands(doors.turnstile))[0]?.state]).toEqual(['SUCCESSFUL', 'SUCCESSFUL'])
  expect([lane.is_relay_open, turnstile.device.counters.opened]).toEqual([true, 1])
  expect((await commands(doors.lane))[0]).toMatchObject({ kind: 1, reason: '忘带校园卡', source: 1, place_name: '南门' })
  expect((await app.call(doorApi.open, { device_ids: [doors.lane], reason_code: '1', reason: '' }, as())).status).toBe(400)
  const stranger = await app.as({ school_id: other_school, codes: 'all', places: 'all' })
  expect((await open([doors.lane], stranger)).status).toBe(404)
  expect(refusal(await app.call(doorApi.hold, { device_ids: [doors.turnstile], kind: 2, ...why }, as()))).toEqual([422, 'devices.driverUnsupported'])
  const hasty = await app.as({ school_id, codes: 'all', places: 'all' })
  await tenant(db => sql`insert into door_command (school_id, asked_on, command_id, device_id, kind, reason_code, reason, asked_at, by_user)
    select ${school_id}::int, '2026-11-20', gen_random_uuid(), ${doors.lane}::bigint, 1, '1', '测试', ${app.clock.now()}::timestamptz, ${hasty.user_id}::bigint from generate_series(1, 10) returning 1 as one`.execute(db))
  expect(refusal(await open([doors.lane], hasty))).toEqual([429, 'access.doorOften'])
})

test('35-A26 a door that is not there is refused; one that loses its line after the command is over time and does not open when it is back', async () => {
  lane.faults.drop_replies = 1
  const before = lane.commands.done.length
  await expect.poll(() => lane.is_relay_open, { timeout: 10_000 }).toBe(false)
  // What reaches it too late by its own clock is not done.
  lane.faults.clock_offset_ms = 11_000
  await lane.stop()
  await expect.poll(async () => dataOf(doorApi.list, await app.call(doorApi.list, {}, as())).list.find(door => door.device_id === doors.lane)?.online).toBe(false)
  expect(refusal(await open([doors.lane]))).toEqual([409, 'devices.deviceOffline'])
  lane.faults.clock_offset_ms = 0
  lane.faults.drop_replies = 0
  await lane.start()
  await expect.poll(async () => dataOf(doorApi.list, await app.call(doorApi.list, {}, as())).list.find(door => door.device_id === doors.lane)?.online).toBe(true)
  expect([lane.commands.done.length, lane.is_relay_open]).toEqual([before, false])
  expect(lane.commands.take('late', { name: 'open', expires_at: new Date(lane.now.getTime() - 1).toISOString() }, lane.now).reply.code).toBe('expired')
})

test('a door stands open until then, is locked and goes by its rules again', async () => {
  const hold_until = new Date(app.clock.now().getTime() + 10 * minute_ms).toISOString()
  expect(refusal(await app.call(doorApi.hold, { device_ids: [doors.lane], kind: 2, ...why, hold_until: new Date(app.clock.now().getTime() - 1000).toISOString() }, as()))).toEqual([422, 'access.holdPast'])
  for (const [kind, mode, of_terminal] of [[2, 'held', 'held'], [3, 'locked', 'locked'], [4, 'normal', 'normal']] as const) {
    await expect.poll(async () => (await app.call(doorApi.hold, { device_ids: [doors.lane], kind, ...why, hold_until: kind === 2 ? hold_until : null }, as())).status).toBe(200)
    await expect.poll(async () => (await modes()).get(doors.lane)).toBe(mode)
    expect(lane.mode.at(lane.now)).toBe(of_terminal)
  }
})

test('35-A28 every exit of the school opens and stays open, one that comes back too, with a banner in that school alone; ended, each goes by its rules again', async () => {
  const other = await app.as({ school_id: other_school, codes: [] })
  const live = await openLive(app.url, me.token, ['door_emergency'])
  expect(refusal(await app.call(doorApi.emergency, { kind: 5, word: '开', reason: '消防演练' }, as()))).toEqual([422, 'access.emergencyWord'])
  await turnstile.stop()
  await expect.poll(async () => dataOf(doorApi.list, await app.call(doorApi.list, {}, as())).list.find(door => door.device_id === doors.turnstile)?.online).toBe(false)
  const begun = dataOf(doorApi.emergency, await app.call(doorApi.emergency, { kind: 5, word: '疏散', reason: '消防演练' }, as()))
  expect([begun.doors, begun.told, begun.emergency?.kind]).toEqual([2, 1, 5])
  await expect.poll(async () => (await modes()).get(doors.lane)).toBe('evacuated')
  await turnstile.start()
  await expect.poll(async () => (await modes()).get(doors.turnstile), { timeout: 20_000 }).toBe('evacuated')
  expect([lane.is_relay_open, turnstile.store.number('access', 'fireStatus'), entry.mode.at(entry.now)]).toEqual([true, 1, 'normal'])
  await expect.poll(() => live.rows('door_emergency')).toEqual([{ is_open: true }])
  const stateFor = async (who: TestUser) => dataOf(doorApi.state, await app.call(doorApi.state, {}, as(who))).emergency?.reason ?? null
  expect([await stateFor(me), await stateFor(other)]).toEqual(['消防演练', null])
  expect(dataOf(doorApi.list, await app.call(doorApi.list, {}, as())).emergency).toMatchObject({ doors: 2, done: 2, waiting: 0 })

  dataOf(doorApi.emergency, await app.call(doorApi.emergency, { kind: 4, reason: '演练结束' }, as()))
  await expect.poll(async () => [...(await modes()).values()]).toEqual(['normal', 'normal', 'normal'])
  expect([lane.mode.at(lane.now), turnstile.store.number('access', 'fireStatus'), await stateFor(me)]).toEqual(['normal', 0, null])
  expect(refusal(await app.call(doorApi.emergency, { kind: 4, reason: '再次恢复' }, as()))).toEqual([409, 'access.emergencyOver'])
  await live.close()
})

test('a closure shuts entries and locks nobody in', async () => {
  dataOf(doorApi.emergency, await app.call(doorApi.emergency, { kind: 6, word: '封闭', reason: '周边警情' }, as()))
  await expect.poll(async () => [(await modes()).get(doors.entry), (await modes()).get(doors.lane)]).toEqual(['sealed', 'normal'])
  expect([entry.mode.at(entry.now), lane.mode.at(lane.now)]).toEqual(['sealed', 'normal'])
  dataOf(doorApi.emergency, await app.call(doorApi.emergency, { kind: 4, reason: '警情解除' }, as()))
  await expect.poll(() => entry.mode.at(entry.now)).toBe('normal')
})

test('35-A27 the code at a door opens it for who may pass it now; others read why not, and a changed code is dead', async () => {
  await tenant(async db => {
    await sql`insert into person (school_id, user_id, user_name, name_py, name_initials, sex) values (${school_id}, ${me.user_id}, '王老师', 'wanglaoshi', 'wls', '1')`.execute(db)
    await sql`insert into staff (school_id, user_id, teacher_no, kind, join_month) values (${school_id}, ${me.user_id}, ${me.user_no}, '11', '202609')`.execute(db)
    await sql`insert into staff_span (school_id, user_id, state, valid_from, open_kind) values (${school_id}, ${me.user_id}, '11', '2026-09-01', 'IN')`.execute(db)
    await sql`insert into dept_member (school_id, member_kind, user_id, dept_id, dept_type, valid_from)
      select school_id, 'staff', ${me.user_id}::bigint, id, dept_type, '2026-09-01' from dept_now where school_id = ${school_id} limit 1 returning 1 as one`.execute(db)
  })
  const tokenOf = async () => dataOf(doorQrApi.list, await app.call(doorQrApi.list, {}, as())).list.find(row => row.device_id === doors.lane)?.token ?? ''
  dataOf(doorQrApi.enable, await app.call(doorQrApi.enable, { device_ids: [doors.lane], enabled: true }, as()))
  const first = await tokenOf()
  const denied = await app.call(doorQrApi.open, { token: first }, as())
  expect([denied.status, denied.body.msg]).toEqual([422, '您当前无此门权限：没有适用的通行规则，默认不放行'])
  const now = app.clock.now().getTime()
  dataOf(temporaryApi.add, await app.call(temporaryApi.add, { person_kind: 2, effect: 1, direction: 2, user_ids: [me.user_id], begin_at: new Date(now - minute_ms).toISOString(), end_at: new Date(now + 60 * minute_ms).toISOString(), reason_code: '1', reason: '外出办事' }, as()))
  const done = lane.commands.done.length
  dataOf(doorQrApi.open, await app.call(doorQrApi.open, { token: first }, as()))
  await expect.poll(() => lane.commands.done.slice(done)).toEqual(['open'])
  dataOf(doorQrApi.rotate, await app.call(doorQrApi.rotate, { device_ids: [doors.lane] }, as()))
  expect(refusal(await app.call(doorQrApi.open, { token: first }, as()))).toEqual([404, 'access.qrInvalid'])
  expect(await tokenOf()).not.toBe(first)
})

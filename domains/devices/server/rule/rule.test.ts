import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { JdevTerminal, Vf105Terminal } from '@apps/terminal'
import { deviceApi, ruleApi, syncApi } from '@campus/devices/contract'
import type { RuleThen } from '@campus/devices/contract'
import { placeApi } from '@campus/places/contract'
import { DoorRuleBody, schoolMoment } from '@kit/terminal-protocol'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Db } from '../db.ts'
import { raiseOfflineAlarms } from '../event/offline-alarm.ts'
import { declareCredentials, declareGrants, declareSubjects } from '../sync/declare.ts'
import { devicesOfLastWeek } from './rule.plan.ts'
import { noteLost } from './told.write.ts'

const school_id = test_schools.a
const every = Array.from({ length: 7 }, () => true)
const [gate, dormitory] = [9, 10]
const terminals: { stop(): Promise<void> }[] = []
let app: TestApp
let me: TestUser
let port: number
let campus: string
let made = 0

beforeAll(async () => {
  app = await startTestApp()
  port = await app.running.listenToDevices()
  me = await signIn()
  campus = dataOf(placeApi.tree, await app.call(placeApi.tree, {}, { token: me.token })).list[0]?.place_id ?? ''
})
afterEach(() => Promise.all(terminals.splice(0).map(terminal => terminal.stop())))
afterAll(() => app.close())

const signIn = () => app.as({ school_id, codes: ['places.place.view', 'places.place.edit', 'devices.device.view', 'devices.device.edit', 'devices.sync.view', 'devices.sync.edit', 'devices.rule.view', 'devices.rule.edit'], places: 'all' })
const tenant = <R>(work: (db: Db) => Promise<R>) => app.running.database.tenant(school_id, work)

async function aPlace(place_kind: number) {
  made += 1
  return dataOf(placeApi.create, await app.call(placeApi.create, { superior_id: campus, place_name: `规则场所${made}`, place_kind }, { token: me.token })).place.place_id
}

async function aDevice(place_id: string, more: { device_type?: '01' | '03'; model_code?: string } = {}) {
  made += 1
  const draft = { device_sn: `R${made}`, device_name: `规则设备${made}`, device_type: '01' as const, model_code: 'JD-F10', place_id, ...more }
  const { device, setup } = dataOf(deviceApi.create, await app.call(deviceApi.create, draft, { token: me.token }))
  return { ...device, secret: setup?.secret ?? '' }
}

/** A device with a virtual terminal that is there. */
async function online(place_id: string, more: { device_type?: '01' | '03'; model_code?: string } = {}) {
  const { device_id, device_sn, device_name, secret } = await aDevice(place_id, more)
  const terminal = new JdevTerminal({ url: `mqtt://127.0.0.1:${port}`, sn: device_sn, secret })
  terminals.push(terminal)
  await terminal.start()
  return { device_id, device_name, terminal }
}

/** A rule that closes the doors of a place, or of devices, at night. */
function closing(more: Partial<Parameters<typeof app.call<typeof ruleApi.add>>[1]> = {}) {
  made += 1
  const window = { weekdays: every, begin: '22:00', end: '06:00', mode: 'always_closed' as const, verify: [] }
  return { rule_name: `夜间常闭${made}`, valid_from: '2026-01-01', body: { kind: 1 as const, unlock_sec: 5, held_open_sec: 30, fire_opens: true, windows: [window] }, ...more }
}

const add = async (draft: Parameters<typeof app.call<typeof ruleApi.add>>[1]) => dataOf(ruleApi.add, await app.call(ruleApi.add, draft, { token: me.token })).rule
const message = async (draft: Parameters<typeof app.call<typeof ruleApi.add>>[1]) => {
  const { status, body } = await app.call(ruleApi.add, draft, { token: me.token })
  return { status, message: body.msg }
}
const detail = async (id: string) => dataOf(ruleApi.detail, await app.call(ruleApi.detail, { id }, { token: me.token })).rule
const held = (terminal: JdevTerminal) => DoorRuleBody.safeParse(terminal.store.held('rule').get('door')?.body).data

describe('a door rule', () => {
  test('reaches the terminals of its place, is counted, changes with the rule and goes with it', async () => {
    const place_id = await aPlace(gate)
    const [one, two] = [await online(place_id), await online(place_id)]
    const rule = await add(closing({ place_ids: [place_id] }))
    await expect.poll(() => [held(one.terminal), held(two.terminal)].map(body => body?.dates.length)).toEqual([70, 70])
    expect(held(one.terminal)?.dates[2]?.windows).toEqual([{ from: '00:00', to: '06:00', mode: 'always_closed', verify: [] }, { from: '22:00', to: '24:00', mode: 'always_closed', verify: [] }])
    await expect.poll(async () => (await detail(rule.rule_id)).devices_applied).toBe(2)

    const { row_version } = await detail(rule.rule_id)
    await app.call(ruleApi.update, { id: rule.rule_id, ...closing({ place_ids: [], device_ids: [one.device_id] }), row_version }, { token: me.token })
    await expect.poll(() => two.terminal.store.held('rule').size).toBe(0)
    expect(held(one.terminal)?.held_open_sec).toBe(30)

    await app.call(ruleApi.enable, { rule_id: rule.rule_id, row_version: row_version + 1, enabled: false }, { token: me.token })
    await expect.poll(() => one.terminal.store.held('rule').size).toBe(0)
    await app.call(ruleApi.enable, { rule_id: rule.rule_id, row_version: row_version + 2, enabled: true }, { token: me.token })
    await expect.poll(() => one.terminal.store.held('rule').size).toBe(1)
    await app.call(ruleApi.delete, { id: rule.rule_id }, { token: me.token })
    await expect.poll(() => one.terminal.store.held('rule').size).toBe(0)
  })

  test('30 §5 says of each of its devices whether it follows, and of the others why not', async () => {
    const place_id = await aPlace(gate)
    const one = await online(place_id)
    const absent = await aDevice(place_id)
    const [away, paused] = [await online(place_id), await online(place_id)]
    await away.terminal.stop()
    await expect.poll(async () => dataOf(deviceApi.detail, await app.call(deviceApi.detail, { id: away.device_id }, { token: me.token })).device.device_state).toBe('0')
    await app.call(deviceApi.ispush, { device_ids: [paused.device_id], is_push: 0 }, { token: me.token })
    const { rule_id, row_version } = await add(closing({ place_ids: [place_id] }))
    const followers = async () => new Map(dataOf(ruleApi.followers, await app.call(ruleApi.followers, { id: rule_id }, { token: me.token })).list.map(({ device_id, state }) => [device_id, state]))
    await expect.poll(followers).toEqual(new Map([[one.device_id, 'applied'], [absent.device_id, 'pending'], [away.device_id, 'offline'], [paused.device_id, 'paused']]))
    const told = await detail(rule_id)
    expect([told.devices_applied, told.devices_wanted]).toEqual([1, 4])
    expect(new Map(told.devices_why.map(({ state, count }) => [state, count]))).toEqual(new Map([['pending', 1], ['offline', 1], ['paused', 1]]))
    await app.call(ruleApi.enable, { rule_id, row_version, enabled: false }, { token: me.token })
    expect([...(await followers()).values()]).toEqual(['off', 'off', 'off', 'off'])
    const elsewhere = await app.as({ school_id, codes: ['devices.rule.view'], places: [await aPlace(gate)] })
    expect((await app.call(ruleApi.followers, { id: rule_id }, { token: elsewhere.token })).status).toBe(404)
  })

  test('30 §10.4 tells which week was live at a door at a minute of the past, and what it had been promised and did not hold yet', async () => {
    const place_id = await aPlace(gate)
    const { device_id, terminal } = await online(place_id)
    const before = app.clock.now().toISOString()
    app.clock.advance(60_000)
    const rule = await add(closing({ place_ids: [place_id], rule_name: '夜里关门' }))
    const then = async (at?: string) => dataOf(ruleApi.live_at, await app.call(ruleApi.live_at, { id: device_id, ...(at === undefined ? {} : { at }) }, { token: me.token }))
    const week = (told: RuleThen | null | undefined) => told && [told.rule_names, told.days[2]?.windows.map(({ from, to, mode }) => `${from}-${to} ${mode}`)]
    await expect.poll(async () => week((await then()).list[0]?.live)).toEqual([['夜里关门'], ['00:00-06:00 always_closed', '22:00-24:00 always_closed']])
    const held_at = (await then()).at
    expect((await then(before)).list).toEqual([])
    app.clock.advance(60_000)
    await terminal.stop()
    const open = { kind: 1 as const, unlock_sec: 5, held_open_sec: 30, fire_opens: true, windows: [{ weekdays: every, begin: '00:00', end: '24:00', mode: 'always_open' as const, verify: [] }] }
    await app.call(ruleApi.update, { id: rule.rule_id, ...closing({ place_ids: [place_id], rule_name: '整天开门', body: open }), row_version: rule.row_version }, { token: me.token })
    await expect.poll(async () => week((await then()).list[0]?.promised)).toEqual([['整天开门'], ['00:00-24:00 always_open']])
    const away = await then()
    expect(week(away.list[0]?.live)?.[0]).toEqual(['夜里关门'])
    expect(away.list[0]?.promised?.now).toBe('always_open')
    app.clock.advance(60_000)
    await terminal.start()
    await expect.poll(async () => week((await then()).list[0]?.live)?.[0]).toEqual(['整天开门'])
    expect([(await then()).list[0]?.promised, week((await then(away.at)).list[0]?.live)?.[0], week((await then(away.at)).list[0]?.promised)?.[0], (await then(held_at)).list[0]?.promised]).toEqual([null, ['夜里关门'], ['整天开门'], null])
    // It loses everything: until it has said that it holds the rule again, it goes by none.
    app.clock.advance(60_000)
    await terminal.stop()
    await tenant(db => noteLost(db, { school_id, device_id }, app.clock.now()))
    const lost = await then()
    expect([lost.list[0]?.live, week(lost.list[0]?.promised)?.[0]]).toEqual([null, ['整天开门']])
    const tomorrow = new Date(app.clock.now().getTime() + 86_400_000).toISOString()
    expect((await app.call(ruleApi.live_at, { id: device_id, at: tomorrow }, { token: me.token })).status).toBe(422)
  })

  test('follows a device that is moved below its place', async () => {
    const [place_id, elsewhere] = [await aPlace(gate), await aPlace(gate)]
    await add(closing({ place_ids: [place_id] }))
    const { device_id, terminal } = await online(elsewhere)
    app.clock.advance(1000)
    dataOf(deviceApi.place, await app.call(deviceApi.place, { device_id, place_id, direction: 3 }, { token: me.token }))
    await expect.poll(() => held(terminal)?.unlock_sec).toBe(5)
  })

  test('is synced by device ids: the second time nothing changes', async () => {
    const place_id = await aPlace(gate)
    await add(closing({ place_ids: [place_id] }))
    const { device_id, terminal } = await online(place_id)
    const absent = await aDevice(place_id)
    await expect.poll(() => terminal.store.held('rule').size).toBe(1)
    const ask = async () => dataOf(ruleApi.sync, await app.call(ruleApi.sync, { device_ids: [device_id, absent.device_id] }, { token: me.token })).list
    expect((await ask()).find(one => one.device_id === absent.device_id)).toMatchObject({ blocked: 0 })
    const versions = () => tenant(db => sql<{ want_version: string }>`select want_version::text as want_version from sync_row where school_id = ${school_id} and device_id = any(${[device_id, absent.device_id]}::bigint[]) and kind = 'rule' order by device_id`.execute(db)).then(found => found.rows.map(row => row.want_version))
    const before = await versions()
    expect(await ask()).toEqual(expect.arrayContaining([{ device_id, changed: 0, unchanged: 1, blocked: 0, offline: 0 }]))
    expect(await versions()).toEqual(before)
  })

  test('is told the next days when a week is over', async () => {
    const place_id = await aPlace(gate)
    const { device_id, terminal } = await online(place_id)
    await add(closing({ place_ids: [place_id] }))
    await expect.poll(() => terminal.store.held('rule').size).toBe(1)
    const on = (days: number) => tenant(db => devicesOfLastWeek(db, school_id, new Date(app.clock.now().getTime() + days * 86_400_000)))
    expect(await on(0)).not.toContain(device_id)
    expect(await on(7)).toContain(device_id)
  })

  test('is read back with everything else', async () => {
    const place_id = await aPlace(gate)
    const { device_id, terminal } = await online(place_id)
    await add(closing({ place_ids: [place_id] }))
    await expect.poll(() => terminal.store.held('rule').size).toBe(1)
    terminal.store.lose('rule', 'door')
    await expect.poll(async () => {
      await app.call(syncApi.resync, { id: device_id, mode: 'verify' }, { token: me.token })
      return terminal.store.held('rule').size
    }).toBe(1)
  })
})

describe('what cannot be', () => {
  test('two rules of one priority that speak of the same minutes of one door', async () => {
    const place_id = await aPlace(gate)
    const { device_id } = await aDevice(place_id)
    const first = await add(closing({ place_ids: [place_id] }))
    expect(await message(closing({ device_ids: [device_id] }))).toEqual({ status: 409, message: `与规则“${first.rule_name}”时间冲突` })
    expect(await message(closing({ device_ids: [device_id], priority: 60 }))).toMatchObject({ status: 200 })
    const sleeping = await add(closing({ device_ids: [device_id], enabled: false }))
    const { status } = await app.call(ruleApi.enable, { rule_id: sleeping.rule_id, row_version: sleeping.row_version, enabled: true }, { token: me.token })
    expect(status).toBe(409)
  })

  test('30-A27 a gate terminal that is switched off', async () => {
    const { device_id, device_name } = await aDevice(await aPlace(gate))
    const off = { rule_name: '门口关机', valid_from: '2026-01-01', device_ids: [device_id], body: { kind: 2 as const, windows: [{ weekdays: every, begin: '22:00', end: '06:30' }] } }
    expect(await message(off)).toEqual({ status: 422, message: `校门通道设备不能设置关机规则：${device_name}` })
  })

  test.each([
    [{ body: { kind: 1 as const, unlock_sec: 0, held_open_sec: 0, fire_opens: true, windows: [] } }, 400, '开门时长为1到60'],
    [{ body: { kind: 1 as const, unlock_sec: 5, held_open_sec: 0, fire_opens: true, windows: [{ weekdays: every, begin: '08:00', end: '08:00', mode: 'normal' as const, verify: [] }] } }, 400, '开始时间不能等于结束时间'],
    [{ place_ids: [] }, 400, '请选择适用的设备或场所'],
    [{ valid_to: '2025-12-31' }, 400, '结束日期不能早于开始日期'],
  ])('a draft %#', async (more, status, sentence) => {
    const answer = await app.call(ruleApi.add, closing({ place_ids: [campus], ...more }), { token: me.token })
    expect([answer.status, JSON.stringify(answer.body).includes(sentence)]).toEqual([status, true])
  })

  test('a name twice', async () => {
    const { device_id } = await aDevice(await aPlace(gate))
    const rule = await add(closing({ device_ids: [device_id], enabled: false }))
    expect(await message(closing({ device_ids: [device_id], enabled: false, rule_name: rule.rule_name }))).toEqual({ status: 409, message: '规则名称已存在，请换一个名称' })
  })

  test('a place out of sight, and a rule for it', async () => {
    const place_id = await aPlace(gate)
    const rule = await add(closing({ place_ids: [place_id], enabled: false }))
    const other = await app.as({ school_id, codes: ['devices.rule.view', 'devices.rule.edit'], places: [await aPlace(gate)] })
    const { status } = await app.call(ruleApi.add, closing({ place_ids: [place_id] }), { token: other.token })
    const answers = [await app.call(ruleApi.detail, { id: rule.rule_id }, { token: other.token }), await app.call(ruleApi.delete, { id: rule.rule_id }, { token: other.token })]
    expect([status, ...answers.map(answer => answer.status)]).toEqual([404, 404, 404])
    expect(dataOf(ruleApi.page, await app.call(ruleApi.page, { rule_kind: '1', page_size: 200 }, { token: other.token })).list).toEqual([])
  })
})

describe('hardware that knows no rules', () => {
  /** A VF105 door with somebody who may always pass. */
  async function aDoor() {
    const place_id = await aPlace(dormitory)
    const { device_id, device_sn, device_name, secret } = await aDevice(place_id, { model_code: 'VF105' })
    const terminal = new Vf105Terminal({ url: `mqtt://127.0.0.1:${port}`, sn: device_sn, secret })
    terminals.push(terminal)
    await terminal.start()
    const [user_id, code] = [String(71_000 + made), `RC${made}`]
    const to = new Date(Date.UTC(2027, 6, 1))
    await tenant(async db => {
      const by = { app: app.running.app, db, school_id, now: app.clock.now() }
      await declareSubjects(by, [{ user_id, person_kind: 1, user_no: `R${made}`, user_name: '住校生', dept_name: null, live: true }])
      await declareCredentials(by, [{ user_id, cred_kind: 'card', code, usable: true, source: 'cards', source_ref: `card ${user_id}`, version: 1 }])
      await declareGrants(by, [{ user_id, place_id, direction: 3, windows: [{ from: new Date(0).toISOString(), to: to.toISOString() }], source: 'access', source_ref: `grant ${user_id}`, version: 1, expires_at: to }])
    })
    await expect.poll(() => terminal.store.users.size).toBe(1)
    return { place_id, device_id, device_name, terminal, user_id, code }
  }

  test('30-A26 always open is refused at save, naming it; always closed takes the times out of every right', async () => {
    const { place_id, device_name, terminal, user_id, code } = await aDoor()
    const window = { weekdays: every, begin: '07:00', end: '08:00', mode: 'always_open' as const, verify: [] }
    const body = { kind: 1 as const, unlock_sec: 5, held_open_sec: 0, fire_opens: true, windows: [window] }
    expect(await message(closing({ place_ids: [place_id], body }))).toEqual({ status: 422, message: `以下设备不支持常开，请去掉常开时段或更换设备：${device_name}` })

    const rule = await add(closing({ place_ids: [place_id] }))
    const right = () => (terminal.store.users.get(user_id)?.permissionIds ?? []).map(id => terminal.store.permissions.get(id)?.time.weekPeriodTime?.['2'])
    await expect.poll(right).toEqual(['6:00-21:59'])
    await expect.poll(() => terminal.store.permissions.size).toBe(1)
    await expect.poll(async () => (await detail(rule.rule_id)).devices_applied).toBe(1)
    const { date } = schoolMoment(new Date(Date.now() + 3 * 86_400_000))
    const letIn = (clock: string) => {
      terminal.device.faults.clock_offset_ms = new Date(`${date}T${clock}:00+08:00`).getTime() - Date.now()
      terminal.device.present('200', code)
      return terminal.store.records.at(-1)?.result === 0
    }
    expect(['21:58', '22:00', '05:59', '06:00'].map(letIn)).toEqual([true, false, false, true])
    terminal.device.faults.clock_offset_ms = 0
    await app.call(ruleApi.delete, { id: rule.rule_id }, { token: me.token })
    await expect.poll(right).toEqual([undefined])
  })
})

test('a preview tells the next days, who follows and how, and with which rules it meets', async () => {
  const place_id = await aPlace(gate)
  const first = await add(closing({ place_ids: [place_id] }))
  const [door, board] = [await aDevice(place_id), await aDevice(place_id, { device_type: '03', model_code: 'JD-B32' })]
  const seen = dataOf(ruleApi.preview, await app.call(ruleApi.preview, closing({ place_ids: [place_id], device_ids: [board.device_id], calendar_mode: 'workdays_with_make_up' }), { token: me.token }))
  expect(seen.days).toHaveLength(60)
  expect(seen.times).toHaveLength(14)
  expect(seen.times[3]?.windows.map(window => window.mode)).toEqual(['always_closed', 'always_closed'])
  expect(new Map(seen.devices.map(device => [device.device_id, device.way]))).toEqual(new Map([[door.device_id, 'rule'], [board.device_id, 'unsupported']]))
  expect(seen.conflicts).toEqual([{ rule_id: first.rule_id, rule_name: first.rule_name }])
})

describe('30-A27 a board that is off by rule', () => {
  const off_rule = (device_ids: string[]) => ({ rule_name: `班牌关机${(made += 1)}`, valid_from: '2026-01-01', device_ids, body: { kind: 2 as const, windows: [{ weekdays: every, begin: '22:00', end: '06:30' }] } })
  const alarms = (device_id: string) => tenant(db => sql<{ is_open: boolean }>`select cleared_at is null as is_open from alarm_event where school_id = ${school_id} and device_id = ${device_id} and alarm_kind = 'offline' order by at`.execute(db)).then(found => found.rows.map(row => row.is_open))
  const watch = (at: Date) => tenant(db => raiseOfflineAlarms({ app: app.running.app, db, school_id, now: at }, new Date(0)))
  /** The next evening, morning or noon at the school after the server's now. */
  const next = (clock: string) => {
    const today = new Date(`${schoolMoment(app.clock.now()).date}T${clock}:00+08:00`)
    return today > app.clock.now() ? today : new Date(today.getTime() + 86_400_000)
  }

  test('is shown as such, is not missed at night and is missed in the morning', async () => {
    const { device_id, device_name, terminal } = await online(await aPlace(dormitory), { device_type: '03', model_code: 'JD-B32' })
    await add(off_rule([device_id]))
    await expect.poll(() => terminal.store.held('rule').has('close')).toBe(true)
    terminal.faults.clock_offset_ms = next('23:00').getTime() - Date.now()
    await terminal.followPower()
    expect([terminal.is_off, terminal.is_connected]).toEqual([true, false])
    app.clock.advance(next('23:00').getTime() - app.clock.now().getTime())
    me = await signIn()
    const state = async () => dataOf(deviceApi.list, await app.call(deviceApi.list, { keyword: device_name }, { token: me.token })).list[0]
    await expect.poll(async () => (await state())?.device_state).toBe('0')
    expect((await state())?.is_planned_off).toBe(true)
    await watch(next('23:30'))
    await watch(next('06:35'))
    expect(await alarms(device_id)).toEqual([])
    await watch(next('06:41'))
    expect(await alarms(device_id)).toEqual([true])

    terminal.faults.clock_offset_ms = next('06:45').getTime() - Date.now()
    await terminal.followPower()
    await expect.poll(() => alarms(device_id)).toEqual([false])
    expect(terminal.is_off).toBe(false)
  })

  test('a device without such a rule is missed after ten minutes, once; a server that was away misses nobody', async () => {
    const { device_id, terminal } = await online(await aPlace(gate))
    await expect.poll(async () => dataOf(deviceApi.detail, await app.call(deviceApi.detail, { id: device_id }, { token: me.token })).device.device_state).toBe('1')
    await terminal.stop()
    await expect.poll(async () => dataOf(deviceApi.detail, await app.call(deviceApi.detail, { id: device_id }, { token: me.token })).device.device_state).toBe('0')
    const later = new Date(app.clock.now().getTime() + 11 * 60_000)
    await tenant(db => raiseOfflineAlarms({ app: app.running.app, db, school_id, now: later }, later))
    expect(await alarms(device_id)).toEqual([])
    await watch(later)
    await watch(new Date(later.getTime() + 60_000))
    expect(await alarms(device_id)).toEqual([true])
  })
})

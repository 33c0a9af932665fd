import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { JdevTerminal } from '@apps/terminal'
import { deviceApi, syncApi } from '@campus/devices/contract'
import { placeApi } from '@campus/places/contract'
import type { Request } from '@kit/contract'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { declareCredentials, declareGrants, declareSubjects, revoke } from '../sync/declare.ts'
import type { Declarer } from '../sync/declare.ts'

const { a: school_id, b: other_school } = test_schools
const codes = ['places.place.view', 'places.place.edit', 'devices.device.view', 'devices.device.edit', 'devices.sync.view']
const day_ms = 86_400_000
const terminals: JdevTerminal[] = []
let app: TestApp
let me: TestUser
let port: number
let campus: string
let made = 0

beforeAll(async () => {
  app = await startTestApp()
  port = await app.running.listenToDevices()
  me = await app.as({ school_id, codes, places: 'all' })
  campus = dataOf(placeApi.tree, await app.call(placeApi.tree, {}, { token: me.token })).list[0]?.place_id ?? ''
})
afterEach(() => Promise.all(terminals.splice(0).map(terminal => terminal.stop())))
afterAll(() => app.close())

const rowsOf = async (id: string, asked: Omit<Request<typeof syncApi.state_rows>, 'id'> = {}) => dataOf(syncApi.state_rows, await app.call(syncApi.state_rows, { id, ...asked }, { token: me.token }))
const whyOf = async (id: string, keyword: string) => (await rowsOf(id, { keyword })).why[0]
const listed = async (asked: Request<typeof deviceApi.list>) => dataOf(deviceApi.list, await app.call(deviceApi.list, asked, { token: me.token })).list
const declare = (work: (by: Declarer) => Promise<void>) => app.running.database.tenant(school_id, db => work({ app: app.running.app, db, school_id, now: app.clock.now() }))
const person = (n: number, live = true) => ({ user_id: String(8000 + n), person_kind: 1, user_no: `W${n}`, user_name: `周小${n}`, dept_name: '二年级1班', live })

/** A gate of its own, at which no terminal has been yet. */
async function anIdleGate() {
  made += 1
  const { place } = dataOf(placeApi.create, await app.call(placeApi.create, { superior_id: campus, place_name: `通道${made}`, place_kind: 9 }, { token: me.token }))
  const draft = { device_sn: `W${made}`, device_name: `通道${made}终端`, device_type: '01' as const, model_code: 'JD-F10', place_id: place.place_id }
  const { device, setup } = dataOf(deviceApi.create, await app.call(deviceApi.create, draft, { token: me.token }))
  return { device_id: device.device_id, place_id: place.place_id, sn: device.device_sn, secret: setup?.secret ?? '' }
}

/** A gate of its own with a terminal that is there. */
async function aGate() {
  const gate = await anIdleGate()
  const terminal = new JdevTerminal({ url: `mqtt://127.0.0.1:${port}`, sn: gate.sn, secret: gate.secret })
  terminals.push(terminal)
  await terminal.start()
  await expect.poll(async () => (await listed({ keyword: gate.sn }))[0]?.device_state).toBe('1')
  return { terminal, ...gate }
}

/** People with cards who may pass a gate at any time. */
async function admit(numbers: readonly number[], place_id: string): Promise<void> {
  const now = app.clock.now()
  const to = new Date(now.getTime() + 90 * day_ms)
  const windows = [{ from: new Date(now.getTime() - day_ms).toISOString(), to: to.toISOString() }]
  await declare(async by => {
    await declareSubjects(by, numbers.map(n => person(n)))
    await declareCredentials(by, numbers.map(n => ({ user_id: String(8000 + n), cred_kind: 'card' as const, code: `WC${n}`, usable: true, source: 'cards', source_ref: `why card ${n}`, version: 1 })))
    await declareGrants(by, numbers.map(n => ({ user_id: String(8000 + n), place_id, direction: 3 as const, windows, source: 'access', source_ref: `why ${n} ${place_id}`, version: 1, expires_at: to })))
  })
}

describe('the rows of a device', () => {
  test('say what is the matter and what to do, the refused ones first; a person’s are found by name and number', async () => {
    const { terminal, device_id, place_id, sn } = await aGate()
    terminal.faults.refuse = new Map([['8001', { code: 'name', text: '姓名不合法' }]])
    await admit([1, 2], place_id)
    await expect.poll(async () => (await rowsOf(device_id)).list.map(row => [row.kind, row.state])).toEqual([['person', 'refused'], ['credential', 'applied'], ['credential', 'applied'], ['permission', 'applied'], ['person', 'applied']])
    const { list, total } = await rowsOf(device_id)
    expect([total, list[0]]).toMatchObject([5, { user_name: '周小1', user_no: 'W1', dept_name: '二年级1班', want_op: 'put', sentence: '被设备拒绝：姓名不合法', next_step: '按原因修改资料，保存后自动重新下发' }])
    expect(list.slice(1).every(row => row.sentence.includes('由设备确认生效') && row.next_step === null && row.acked_at !== null)).toBe(true)
    expect((await rowsOf(device_id, { keyword: 'W2' })).list.map(row => [row.kind, row.user_name])).toEqual([['credential', '周小2'], ['person', '周小2']])
    expect((await rowsOf(device_id, { kind: 'permission' })).list.map(row => row.user_id)).toEqual([null])
    expect((await rowsOf(device_id, { state: 'refused' })).total).toBe(1)
    expect((await listed({ keyword: sn }))[0]?.sync).toEqual({ want: 5, applied: 4, proven: 0, pending: 0, refused: 1, blocked: 0, eta_s: null, oldest_pending_at: null })
  })

  test('wait while the device is off: they say so, the list counts them and finds the device by its queue', async () => {
    const { terminal, device_id, place_id, sn } = await aGate()
    await terminal.stop()
    await expect.poll(async () => (await listed({ keyword: sn }))[0]?.device_state).toBe('0')
    await admit([11], place_id)
    await expect.poll(async () => (await listed({ keyword: sn }))[0]?.sync).toEqual({ want: 3, applied: 0, proven: 0, pending: 3, refused: 0, blocked: 0, eta_s: null, oldest_pending_at: expect.any(String) })
    expect((await rowsOf(device_id, { kind: 'person' })).list[0]).toMatchObject({ state: 'pending', sentence: '等待下发：设备离线', next_step: '检查设备的电源和网络，恢复连接后自动下发' })
    const idle = await anIdleGate()
    expect((await listed({ queue: '1' })).map(row => row.device_id)).toContain(device_id)
    expect((await listed({ queue: '1' })).map(row => row.device_id)).not.toContain(idle.device_id)
    expect((await listed({ queue: '0', keyword: sn })).length).toBe(0)
  })

  test('are there for whoever sees the place alone, with the right to see them', async () => {
    const [mine, theirs] = [await anIdleGate(), await anIdleGate()]
    const keeper = await app.as({ school_id, codes, places: [mine.place_id] })
    const viewer = await app.as({ school_id, codes: ['devices.device.view'], places: 'all' })
    const stranger = await app.as({ school_id: other_school, codes, places: 'all' })
    const ask = async (id: string, who: TestUser) => (await app.call(syncApi.state_rows, { id }, { token: who.token })).status
    expect([await ask(mine.device_id, keeper), await ask(theirs.device_id, keeper), await ask(mine.device_id, viewer), await ask(mine.device_id, stranger)]).toEqual([200, 404, 403, 404])
  })
})

describe('why somebody does not get in', () => {
  test('is told from his right, his card, his rows on this very device and its line', async () => {
    const { terminal, device_id, place_id } = await aGate()
    await admit([21], place_id)
    await expect.poll(async () => (await whyOf(device_id, '周小21'))?.can).toBe('yes')
    expect((await whyOf(device_id, 'W21'))?.sentence).toMatch(/^周小21现在可以通过“通道\d+终端”：权限、人员和凭证都已在设备上生效。设备在线，最近联系\d{4}-\d\d-\d\d \d\d:\d\d，时钟准。$/u)
    await declare(by => revoke(by, 'cards', ['why card 21']))
    expect(await whyOf(device_id, 'W21')).toMatchObject({ can: 'no', sentence: expect.stringContaining('他没有这台设备能识别的卡或密码'), next_step: '请为他发卡' })
    await terminal.stop()
    await declare(by => revoke(by, 'access', [`why 21 ${place_id}`]))
    await expect.poll(async () => (await whyOf(device_id, 'W21'))?.sentence).toContain(`他没有“通道${made}”的通行权限，但设备还没有确认删除他的数据，可能仍会放行`)
    expect((await whyOf(device_id, 'W21'))?.can).toBe('maybe')
  })

  test('is told of somebody without any row there by his whole name or number alone', async () => {
    const { device_id } = await aGate()
    await declare(by => declareSubjects(by, [person(31)]))
    expect(await whyOf(device_id, '周小31')).toMatchObject({ can: 'no', sentence: expect.stringContaining(`他没有“通道${made}”的通行权限`), next_step: '请为他开通该场所的通行权限' })
    expect((await rowsOf(device_id, { keyword: '周小' })).why).toEqual([])
  })

  test('while the device refuses him is the device’s own reason', async () => {
    const { terminal, device_id, place_id } = await aGate()
    terminal.faults.refuse = new Map([['8041', { code: 'name', text: '姓名不合法' }]])
    await admit([41], place_id)
    await expect.poll(async () => (await whyOf(device_id, 'W41'))?.sentence).toContain('他的人员信息被设备拒绝：姓名不合法')
    expect((await whyOf(device_id, 'W41'))?.can).toBe('no')
  })
})

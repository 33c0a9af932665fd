import { dataOf, test_schools } from '@apps/server/testing'
import type { TestUser } from '@apps/server/testing'
import { deviceApi, overviewApi, syncApi } from '@campus/devices/contract'
import type { Request } from '@kit/contract'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { cardOf, grantOf, startDevices } from '../testing/start.ts'
import type { DevicesTest } from '../testing/start.ts'
import { declareCredentials, declareGrants, declareSubjects, revoke } from '../sync/declare.ts'

const { a: school_id, b: other_school } = test_schools
const codes = ['places.place.view', 'places.place.edit', 'devices.device.view', 'devices.device.edit', 'devices.sync.view', 'devices.sync.edit']
let d: DevicesTest
beforeAll(async () => {
  d = await startDevices({ codes })
})
afterEach(() => d.stopAll())
afterAll(() => d.close())

const rowsOf = async (id: string, asked: Omit<Request<typeof syncApi.state_rows>, 'id'> = {}) => dataOf(syncApi.state_rows, await d.app.call(syncApi.state_rows, { id, ...asked }, { token: d.me.token }))
const whyOf = async (id: string, keyword: string) => (await rowsOf(id, { keyword })).why[0]
const listed = async (asked: Request<typeof deviceApi.list>) => dataOf(deviceApi.list, await d.app.call(deviceApi.list, asked, { token: d.me.token })).list
const user = (n: number) => String(8000 + n)
const person = (n: number) => ({ user_id: user(n), person_kind: 1, user_no: `W${n}`, user_name: `周小${n}`, dept_name: '二年级1班', live: true })

/** People with cards who may pass a gate at any time. */
const admit = (numbers: readonly number[], place_id: string) => d.declare(async by => {
  await declareSubjects(by, numbers.map(n => person(n)))
  await declareCredentials(by, numbers.map(n => cardOf(user(n))))
  await declareGrants(by, numbers.map(n => grantOf(user(n), place_id, by.now)))
})

describe('the rows of a device', () => {
  test('say what is the matter and what to do, the refused ones first; a person’s are found by name and number', async () => {
    const { terminal, device_id, place_id, sn } = await d.aGate()
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
    const { terminal, device_id, place_id, sn } = await d.aGate()
    await terminal.stop()
    await expect.poll(async () => (await listed({ keyword: sn }))[0]?.device_state).toBe('0')
    await admit([11], place_id)
    await expect.poll(async () => (await listed({ keyword: sn }))[0]?.sync).toEqual({ want: 3, applied: 0, proven: 0, pending: 3, refused: 0, blocked: 0, eta_s: null, oldest_pending_at: expect.any(String) })
    expect((await rowsOf(device_id, { kind: 'person' })).list[0]).toMatchObject({ state: 'pending', sentence: '等待下发：设备离线', next_step: '检查设备的电源和网络，恢复连接后自动下发' })
    const idle = await d.aDevice()
    expect((await listed({ queue: '1' })).map(row => row.device_id)).toContain(device_id)
    expect((await listed({ queue: '1' })).map(row => row.device_id)).not.toContain(idle.device_id)
    expect((await listed({ queue: '0', keyword: sn })).length).toBe(0)
    const attention = async (who: TestUser) => dataOf(overviewApi.attention, await d.app.call(overviewApi.attention, {}, { token: who.token }))
    expect(await attention(await d.app.as({ school_id, codes, places: [place_id] }))).toEqual({ drift: 0, queue: 1, oldest: { device_name: expect.any(String), at: expect.any(String) } })
    expect(await attention(await d.app.as({ school_id, codes, places: [idle.place_id] }))).toEqual({ drift: 0, queue: 0, oldest: null })
  })

  test('are there for whoever sees the place alone, with the right to see them', async () => {
    const [mine, theirs] = [await d.aDevice(), await d.aDevice()]
    const keeper = await d.app.as({ school_id, codes, places: [mine.place_id] })
    const viewer = await d.app.as({ school_id, codes: ['devices.device.view'], places: 'all' })
    const stranger = await d.app.as({ school_id: other_school, codes, places: 'all' })
    const ask = async (id: string, who: TestUser) => (await d.app.call(syncApi.state_rows, { id }, { token: who.token })).status
    expect([await ask(mine.device_id, keeper), await ask(theirs.device_id, keeper), await ask(mine.device_id, viewer), await ask(mine.device_id, stranger)]).toEqual([200, 404, 403, 404])
  })
})

describe('why somebody does not get in', () => {
  test('is told from his right, his card, his rows on this very device and its line', async () => {
    const { terminal, device_id, place_id } = await d.aGate()
    await admit([21], place_id)
    await expect.poll(async () => (await whyOf(device_id, '周小21'))?.can).toBe('yes')
    expect((await whyOf(device_id, 'W21'))?.sentence).toMatch(/^周小21现在可以通过“设备\d+”：权限、人员和凭证都已在设备上生效。设备在线，最近联系\d{4}-\d\d-\d\d \d\d:\d\d，时钟准。$/u)
    await d.declare(by => revoke(by, 'cards', ['card 8021']))
    expect(await whyOf(device_id, 'W21')).toMatchObject({ can: 'no', sentence: expect.stringContaining('他没有这台设备能识别的卡或密码'), next_step: '请为他发卡' })
    await terminal.stop()
    await d.declare(by => revoke(by, 'access', [`grant 8021 ${place_id}`]))
    await expect.poll(async () => (await whyOf(device_id, 'W21'))?.sentence).toMatch(/他没有“场所\d+”的通行权限，但设备还没有确认删除他的数据，可能仍会放行/u)
    expect((await whyOf(device_id, 'W21'))?.can).toBe('maybe')
  })

  test('is told of somebody without any row there by his whole name or number alone', async () => {
    const { device_id } = await d.aGate()
    await d.declare(by => declareSubjects(by, [person(31)]))
    expect(await whyOf(device_id, '周小31')).toMatchObject({ can: 'no', sentence: expect.stringMatching(/他没有“场所\d+”的通行权限/u), next_step: '请为他开通该场所的通行权限' })
    expect((await rowsOf(device_id, { keyword: '周小' })).why).toEqual([])
  })

  test('while the device refuses him is the device’s own reason', async () => {
    const { terminal, device_id, place_id } = await d.aGate()
    terminal.faults.refuse = new Map([['8041', { code: 'name', text: '姓名不合法' }]])
    await admit([41], place_id)
    await expect.poll(async () => (await whyOf(device_id, 'W41'))?.sentence).toContain('他的人员信息被设备拒绝：姓名不合法')
    expect((await whyOf(device_id, 'W41'))?.can).toBe('no')
  })

  test('30 §10.1 ends with what mends it, for whoever may: a refused row goes out again, once', async () => {
    const { terminal, device_id, place_id } = await d.aGate()
    terminal.faults.refuse = new Map([['8051', { code: 'name', text: '姓名不合法' }]])
    await admit([51], place_id)
    await expect.poll(async () => await whyOf(device_id, 'W51')).toMatchObject({ can: 'no', remedy: 'resend', row: { kind: 'person', row_key: '8051' } })
    const viewer = await d.app.as({ school_id, codes: ['places.place.view', 'devices.device.view', 'devices.sync.view'], places: 'all' })
    expect(dataOf(syncApi.state_rows, await d.app.call(syncApi.state_rows, { id: device_id, keyword: 'W51' }, { token: viewer.token })).why[0]?.remedy).toBe(null)
    terminal.faults.refuse = new Map()
    const resend = () => d.app.call(syncApi.resend, { id: device_id, rows: [{ kind: 'person', row_key: '8051' }] }, { token: d.me.token })
    expect(dataOf(syncApi.resend, await resend())).toEqual({ rows: 1 })
    await expect.poll(async () => (await whyOf(device_id, 'W51'))?.can).toBe('yes')
    expect((await resend()).status).toBe(409)
  })

  test('30 §10.1 a device that is paused is resumed by the button that the sentence ends with', async () => {
    const { device_id, place_id } = await d.aGate()
    await d.app.call(deviceApi.ispush, { device_ids: [device_id], is_push: 0 }, { token: d.me.token })
    await admit([61], place_id)
    await expect.poll(async () => (await whyOf(device_id, 'W61'))?.remedy).toBe('push')
    await d.app.call(deviceApi.ispush, { device_ids: [device_id], is_push: 1 }, { token: d.me.token })
    await expect.poll(async () => await whyOf(device_id, 'W61')).toMatchObject({ can: 'yes', remedy: null })
  })
})

import { dataOf } from '@apps/server/testing'
import type { TestUser } from '@apps/server/testing'
import { deviceApi, syncApi } from '@campus/devices/contract'
import { inboxApi } from '@campus/messages/contract'
import { brokerPort } from '@kit/server/mqtt'
import { encodeSaid, eventTopic, ownPrefix } from '@kit/terminal-protocol/vf105'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { raiseOfflineAlarms } from '../event/offline-alarm.ts'
import { hearDevice } from '../link/hear.ts'
import { sessionsPort } from '../link/sessions.ts'
import { declareGrants, declareSubjects, revoke } from '../sync/declare.ts'
import { aSchoolAdmin, grantOf, startDevices, subjectOf } from '../testing/start.ts'
import type { DevicesTest } from '../testing/start.ts'

let d: DevicesTest
let admin: TestUser
beforeAll(async () => {
  d = await startDevices({ codes: ['devices.sync.view', 'devices.sync.edit'] })
  admin = await aSchoolAdmin(d)
})
afterEach(() => d.stopAll())
afterAll(() => d.close())

const lines = async () => dataOf(inboxApi.list, await d.app.call(inboxApi.list, {}, { token: admin.token })).list
const titles = async () => (await lines()).map(line => line.title)

test('a fire is told at once to who looks after the school, once', async () => {
  const { device_name, terminal } = await d.aGate()
  terminal.tell('alarm', { kind: 'fire', value: 1 })
  await expect.poll(titles).toContain(`消防报警：${device_name}`)
  const [line] = (await lines()).filter(one => one.title.includes(device_name))
  expect([line?.level, line?.body]).toEqual([3, expect.stringMatching(new RegExp(`^“${device_name}”（.*/场所\\d+）于.*报警：消防报警。请立即到现场确认。$`, 'u'))])
  terminal.beat()
  await expect.poll(async () => (await titles()).filter(title => title.includes(device_name)).length).toBe(1)
})

test('devices that fall silent together are one message', async () => {
  const place_id = await d.aPlace()
  const [one, two] = [await d.aGate({ place_id }), await d.aGate({ place_id })]
  await d.stopAll()
  const offline = async () => dataOf(deviceApi.list, await d.app.call(deviceApi.list, { place_id, device_state: '0' }, { token: d.me.token })).total
  await expect.poll(offline).toBe(2)
  const later = new Date(d.app.clock.now().getTime() + 11 * 60_000)
  await d.tenant(db => raiseOfflineAlarms({ app: d.app.running.app, db, school_id: d.school_id, now: later }, new Date(0)))
  const told = (await titles()).filter(title => title.startsWith('设备离线：'))
  expect(told).toHaveLength(1)
  expect([told[0]?.includes(one.device_name), told[0]?.includes(two.device_name)]).toEqual([true, true])
})

test('30-A11 of 1,200 people whom a device of 1,000 is to hold 200 are blocked by name, and somebody is told', async () => {
  await d.tenant(db => sql`insert into device_model (model_code, model_name, device_type, driver, capabilities, limits, limits_source, firmware_kinds) select 'SMALL', '小容量终端', device_type, driver, capabilities, limits || '{"max_persons": 1000}', 'measured', firmware_kinds from device_model where model_code = 'JD-F10' on conflict do nothing`.execute(db))
  const { device_id, device_name, terminal, place_id } = await d.aGate({ model_code: 'SMALL' })
  await d.declare(async by => {
    const all = Array.from({ length: 1200 }, (_, n) => String(80_000 + n))
    await declareSubjects(by, all.map(user_id => subjectOf(user_id)))
    await declareGrants(by, all.map(user_id => grantOf(user_id, place_id, by.now)))
  })
  await expect.poll(() => terminal.store.held('person').size, { timeout: 20_000 }).toBe(1000)
  const blocked = dataOf(syncApi.state_rows, await d.app.call(syncApi.state_rows, { id: device_id, kind: 'person', state: 'blocked' }, { token: d.me.token }))
  expect([blocked.total, blocked.list[0]?.user_name, blocked.list[0]?.sentence]).toEqual([200, expect.stringMatching(/^学生81\d{3}$/u), expect.stringContaining('容量')])
  await expect.poll(titles).toContain(`设备容量不足：${device_name}`)
  const [line] = (await lines()).filter(one => one.title === `设备容量不足：${device_name}`)
  expect(line?.body).toMatch(/最多保存1000人，有200人没有下发，暂时不能在这里通行：学生81000、学生81001、学生81002、学生81003等。/u)
})

const moved_ms = 601_000
const [first, second] = [90_000, 91_000] as const

/** So many people who may pass a place, from a number on. */
async function admit(from: number, count: number, place_id: string): Promise<string[]> {
  const users = Array.from({ length: count }, (_, n) => String(from + n))
  await d.declare(async by => {
    await declareSubjects(by, users.map(user_id => subjectOf(user_id)))
    await declareGrants(by, users.map(user_id => grantOf(user_id, place_id, by.now)))
  })
  return users
}

test('30-A8 30-A10 that a device has lost its data is told once, with how many people; what was put on it by others is told by the read-back that finds it; of a lost one who is on it', async () => {
  const { device_id, device_name, terminal, place_id } = await d.aGate()
  await admit(first, 3, place_id)
  await expect.poll(() => d.states(device_id)).toEqual(['applied'])
  await terminal.stop()
  terminal.store.wipe()
  await terminal.start()
  const told = async (title: string) => (await lines()).filter(line => line.title === `${title}：${device_name}`).map(line => line.body ?? '')
  await expect.poll(() => told('设备数据丢失，正在重建')).toEqual([expect.stringContaining('共3人')])
  await expect.poll(() => d.states(device_id)).toEqual(['applied'])

  terminal.store.enter('person', 'L1', 'abcdabcdabcdabcd')
  for (const _again of [1, 2]) {
    expect((await d.app.call(syncApi.resync, { id: device_id, mode: 'verify' }, { token: d.me.token })).status).toBe(200)
    await expect.poll(async () => dataOf(syncApi.drift, await d.app.call(syncApi.drift, { device_id }, { token: d.me.token })).proof?.state).toBe('done')
  }
  await expect.poll(() => told('发现不是平台下发的数据')).toEqual([expect.stringContaining('1条')])

  const { row_version } = (await d.detail(device_id)).device
  expect((await d.app.call(deviceApi.retire, { device_id, row_version, reason: '被盗', is_lost: true }, { token: d.me.token })).status).toBe(200)
  await expect.poll(() => told('遗失设备上仍有人员数据')).toEqual([expect.stringMatching(/仍有3人的数据（含0张人脸照片）：学生90000、学生90001、学生90002。/u)])
  expect(await told('设备数据丢失，正在重建')).toHaveLength(1)
})

test('30-A9 that a change waits for a signature is told once, for all devices together', async () => {
  const place_id = await d.aPlace()
  const [one, two] = [await d.aGate({ place_id }), await d.aGate({ place_id })]
  const users = await admit(second, 60, place_id)
  for (const { device_id } of [one, two]) await expect.poll(() => d.states(device_id)).toEqual(['applied'])
  d.app.clock.advance(moved_ms)
  await d.declare(by => revoke(by, 'access', users.map(user_id => `grant ${user_id} ${place_id}`)))
  const told = async () => (await lines()).filter(line => line.title.startsWith('批量删除等待确认：'))
  await expect.poll(async () => (await told()).map(line => [line.title.includes(one.device_name), line.title.includes(two.device_name), line.body?.includes('删除60人（占100%）')])).toEqual([[true, true, true]])
})

test('31 §5.7.12 31 §5.7.13 who speaks under another one’s serial number has no effect, and a device that closes by times of its own is found out: each is told once a day', async () => {
  const { sn, device_id, device_name } = await d.aVf105()
  const sessions = sessionsPort.one(d.app.running.app)
  const session = sessions.of(sn)
  if (!session) throw new Error('it has no session')
  const { prefix } = brokerPort.one(d.app.running.app)
  const tells = (serialNo: string, uuid: string, error: string) => hearDevice(sessions, session, eventTopic(ownPrefix(prefix, sn), 'access'), encodeSaid({ serialNo, uuid, time: 1 }, [{ userId: '7', type: 200, timeStamp: Math.floor(d.app.clock.now().getTime() / 1000), result: 1, code: 'FFFF', error, extra: {} }]))
  for (const serial of ['901', '902']) await tells(serial, 'SOMEBODY', 'VOUCHER_NOT_FOUND')
  for (const serial of ['903', '904']) await tells(serial, sn, 'SCHEDULE_CLOSED')
  await expect.poll(async () => (await titles()).filter(title => title.includes(device_name)).toSorted()).toEqual([`设备本机设置了常闭时段：${device_name}`, `身份不符：${device_name}`])
  const stored = await d.tenant(async db => (await sql<{ device_seq: string }>`select device_seq from pass_event where school_id = ${d.school_id} and device_id = ${device_id} order by 1`.execute(db)).rows)
  expect(stored.map(row => row.device_seq.split(':').at(-1))).toEqual(['903', '904'])
})

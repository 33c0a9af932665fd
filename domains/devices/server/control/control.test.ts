import { randomUUID } from 'node:crypto'
import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { JdevTerminal } from '@apps/terminal'
import { commandApi, deviceApi } from '@campus/devices/contract'
import type { PlainCommand } from '@campus/devices/contract'
import { placeApi } from '@campus/places/contract'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { sessionsPort } from '../link/sessions.ts'
import { endOldCommands } from './command.sender.ts'

const school_id = test_schools.a
const terminals: JdevTerminal[] = []
let app: TestApp
let me: TestUser
let port: number
let campus: string
let made = 0

beforeAll(async () => {
  app = await startTestApp()
  port = await app.running.listenToDevices()
  me = await app.as({ school_id, codes: ['places.place.view', 'devices.device.view', 'devices.device.edit', 'devices.device.control'], places: 'all' })
  campus = dataOf(placeApi.tree, await app.call(placeApi.tree, {}, { token: me.token })).list[0]?.place_id ?? ''
})
afterEach(() => Promise.all(terminals.splice(0).map(terminal => terminal.stop())))
afterAll(() => app.close())

const stateOf = async (device_id: string) => dataOf(deviceApi.detail, await app.call(deviceApi.detail, { id: device_id }, { token: me.token })).device.device_state
const command = (device_id: string, name: PlainCommand, headers: Record<string, string> = {}) => app.call(commandApi.control, { device_id, command: name }, { token: me.token, headers })
const read = async (id: string) => dataOf(commandApi.read, await app.call(commandApi.read, { id }, { token: me.token }))
const listed = async (device_id: string) => dataOf(commandApi.list, await app.call(commandApi.list, { id: device_id }, { token: me.token }))

async function aTerminal(model_code = 'JD-F10') {
  made += 1
  const draft = { device_sn: `C${made}`, device_name: `终端${made}`, device_type: '01' as const, model_code, place_id: campus }
  const { device, setup } = dataOf(deviceApi.create, await app.call(deviceApi.create, draft, { token: me.token }))
  const terminal = new JdevTerminal({ url: `mqtt://127.0.0.1:${port}`, sn: device.device_sn, secret: setup?.secret ?? '' })
  terminals.push(terminal)
  return { terminal, device_id: device.device_id }
}

async function anOnline(clock_offset_ms = 0) {
  const made_now = await aTerminal()
  made_now.terminal.faults.clock_offset_ms = clock_offset_ms
  await made_now.terminal.start()
  await expect.poll(() => stateOf(made_now.device_id)).toBe('1')
  return made_now
}

test('a device does what it is told and says so', async () => {
  // So fast that by its own clock every command would be over.
  const { terminal, device_id } = await anOnline(60_000)
  const { command_id, state } = dataOf(commandApi.control, await command(device_id, 'time'))
  expect(state).toBe('QUEUED')
  await expect.poll(async () => (await read(command_id)).state).toBe('SUCCESSFUL')
  expect([terminal.commands.done, terminal.faults.clock_offset_ms]).toEqual([['time'], 0])
  expect((await listed(device_id)).list.map(one => [one.command, one.state, one.reply_code])).toEqual([['time', 'SUCCESSFUL', 'ok']])
})

test('30-A20 a device that is not there is told nothing, neither now nor when it comes back', async () => {
  const { terminal, device_id } = await anOnline()
  await terminal.stop()
  await expect.poll(() => stateOf(device_id)).toBe('0')
  const { status, body } = await command(device_id, 'restart')
  expect([status, body.msg]).toEqual([409, '设备离线，操作未执行'])
  await terminal.start()
  await expect.poll(() => stateOf(device_id)).toBe('1')
  const { command_id } = dataOf(commandApi.control, await command(device_id, 'beep'))
  await expect.poll(async () => (await read(command_id)).state).toBe('SUCCESSFUL')
  expect([terminal.commands.done, (await listed(device_id)).total]).toEqual([['beep'], 1])
})

test('30-A20 the same request twice is one command', async () => {
  const { terminal, device_id } = await anOnline()
  const headers = { 'idempotency-key': randomUUID() }
  const [first, second] = [dataOf(commandApi.control, await command(device_id, 'beep', headers)), dataOf(commandApi.control, await command(device_id, 'beep', headers))]
  expect(second.command_id).toBe(first.command_id)
  await expect.poll(async () => (await read(first.command_id)).state).toBe('SUCCESSFUL')
  expect(terminal.commands.done).toEqual(['beep'])
})

test('a restart is answered first, then the device comes with another power-up', async () => {
  const { terminal, device_id } = await anOnline()
  const before = terminal.store.epoch
  const { command_id } = dataOf(commandApi.control, await command(device_id, 'restart'))
  await expect.poll(async () => (await read(command_id)).state).toBe('SUCCESSFUL')
  const epoch = async () => (await app.running.database.tenant<unknown, { rows: { epoch: string }[] }>(school_id, db => sql<{ epoch: string }>`select epoch from device where school_id = ${school_id} and device_id = ${device_id}`.execute(db))).rows[0]?.epoch
  await expect.poll(epoch).toBe(terminal.store.epoch)
  expect(terminal.store.epoch).not.toBe(before)
})

test('a command nobody answers ends by itself', async () => {
  const { terminal, device_id } = await anOnline()
  // The question about its settings has its answer; the next one is lost.
  await expect.poll(() => terminal.trace.some(message => message.type === 'sync.config')).toBe(true)
  terminal.faults.drop_replies = 1
  const { command_id } = dataOf(commandApi.control, await command(device_id, 'locate'))
  await expect.poll(async () => (await read(command_id)).state).toBe('SENT')
  await expect.poll(() => terminal.commands.done).toEqual(['locate'])
  await terminal.stop()
  await expect.poll(() => stateOf(device_id)).toBe('0')
  app.clock.advance(25_000)
  await endOldCommands(sessionsPort.one(app.running.app))
  expect((await read(command_id)).state).toBe('TIMEOUT')
})

test('what a model cannot do is refused before anything is sent', async () => {
  const { device_id } = await aTerminal('VF105')
  await app.running.database.tenant(school_id, db => sql`update device set lifecycle = 'active', online = true, offline_reason = null, online_since = now() where school_id = ${school_id} and device_id = ${device_id}`.execute(db))
  const { status, body } = await command(device_id, 'screenshot')
  expect([status, body.msg]).toEqual([422, '该型号不支持“截屏”'])
})

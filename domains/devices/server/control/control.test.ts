import { randomUUID } from 'node:crypto'
import { dataOf, openLive } from '@apps/server/testing'
import { JdevTerminal } from '@apps/terminal'
import { commandApi, WireLine, wireApi } from '@campus/devices/contract'
import type { PlainCommand } from '@campus/devices/contract'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { sessionsPort } from '../link/sessions.ts'
import { declareCredentials, declareGrants, declareSubjects } from '../sync/declare.ts'
import { cardOf, grantOf, startDevices, subjectOf } from '../testing/start.ts'
import type { DevicesTest } from '../testing/start.ts'
import { endOldCommands } from './command.sender.ts'

let d: DevicesTest
beforeAll(async () => {
  d = await startDevices({ codes: ['devices.device.control', 'devices.sync.view'] })
})
afterEach(() => d.stopAll())
afterAll(() => d.close())

const stateOf = async (device_id: string) => (await d.detail(device_id)).device.device_state
const command = (device_id: string, name: PlainCommand, headers: Record<string, string> = {}) => d.app.call(commandApi.control, { device_id, command: name }, { token: d.me.token, headers })
const read = async (id: string) => dataOf(commandApi.read, await d.app.call(commandApi.read, { id }, { token: d.me.token }))
const listed = async (device_id: string) => dataOf(commandApi.list, await d.app.call(commandApi.list, { id: device_id }, { token: d.me.token }))

// By the database's own time a device stands where it was put in the past of that: before others let the clock go on.
test('90 device:{id} and alarm are told at once to who may see where the device stands, and to nobody else', async () => {
  const { terminal, device_id, place_id } = await d.aGate()
  const seen = await d.app.as({ school_id: d.school_id, codes: ['places.place.view', 'devices.device.view'], places: [place_id] })
  const elsewhere = await d.app.as({ school_id: d.school_id, codes: ['places.place.view', 'devices.device.view'], places: [await d.aPlace()] })
  const without = await d.app.as({ school_id: d.school_id, codes: ['places.place.view'], places: 'all' })
  for (const who of [elsewhere, without]) await expect(openLive(d.app.url, who.token, [`device:${device_id}`])).rejects.toThrow('watch answered 403')
  await expect(openLive(d.app.url, seen.token, ['device:900000000'])).rejects.toThrow('watch answered 403')
  const [live, other] = [await openLive(d.app.url, seen.token, [`device:${device_id}`, 'alarm']), await openLive(d.app.url, elsewhere.token, ['alarm'])]
  const told = () => live.rows(`device:${device_id}`).map(row => row['what'])

  await command(device_id, 'beep')
  await expect.poll(told).toEqual(['command'])
  terminal.tell('alarm', { kind: 'fire', value: 1 })
  await expect.poll(told).toEqual(['command', 'alarm'])
  terminal.tell('alarm', { kind: 'fire', value: 0 })
  await expect.poll(() => live.rows('alarm')).toEqual([true, false].map(is_open => ({ device_id, alarm_kind: 'fire', is_open })))
  await terminal.stop()
  await expect.poll(() => told().at(-1)).toBe('state')
  expect(other.rows('alarm')).toEqual([])
  await Promise.all([live.close(), other.close()])
})

test('31 §10.1 what server and device say to each other is seen by who looks, with what answers what; before, and by who may not, nothing is', async () => {
  const { device_id, place_id } = await d.aGate()
  const without = await d.app.as({ school_id: d.school_id, codes: ['places.place.view', 'devices.device.view'], places: 'all' })
  await expect(openLive(d.app.url, without.token, [`wire:${device_id}`])).rejects.toThrow('watch answered 403')
  const elsewhere = await d.app.as({ school_id: d.school_id, codes: ['places.place.view', 'devices.device.view', 'devices.sync.view'], places: [await d.aPlace()] })
  expect((await d.app.call(wireApi.watch, { id: device_id }, { token: elsewhere.token })).status).toBe(404)
  const live = await openLive(d.app.url, d.me.token, [`wire:${device_id}`])
  const lines = () => live.rows(`wire:${device_id}`).map(row => WireLine.parse(row))
  await d.app.call(commandApi.control, { device_id, command: 'beep' }, { token: d.me.token })
  await expect.poll(async () => (await listed(device_id)).list.map(one => one.state)).toEqual(['SUCCESSFUL'])
  expect(lines()).toEqual([])

  dataOf(wireApi.watch, await d.app.call(wireApi.watch, { id: device_id }, { token: d.me.token }))
  await d.declare(async by => {
    await declareSubjects(by, [subjectOf('8801', { user_name: '林小满' })])
    await declareCredentials(by, [cardOf('8801')])
    await declareGrants(by, [grantOf('8801', place_id, by.now)])
  })
  await expect.poll(() => lines().filter(line => line.kind === 'sync.rows').flatMap(line => line.rows.map(row => row.kind))).toContain('person')
  await expect.poll(() => lines().flatMap(line => line.rows.map(row => `${row.kind} ${row.status}`))).toContain('person applied')
  const asked = new Set(lines().flatMap(line => (line.way === 'down' ? [line.id] : [])))
  expect(lines().filter(line => line.kind === 'reply').every(line => asked.has(line.re))).toBe(true)
  expect(JSON.stringify(lines())).not.toContain('林小满')
  await live.close()
})

test('a device does what it is told and says so', async () => {
  // So fast that by its own clock every command would be over.
  const { terminal, device_id } = await d.online(way => {
    const made = new JdevTerminal(way)
    made.faults.clock_offset_ms = 60_000
    return made
  }, {})
  const { command_id, state } = dataOf(commandApi.control, await command(device_id, 'time'))
  expect(state).toBe('QUEUED')
  await expect.poll(async () => (await read(command_id)).state).toBe('SUCCESSFUL')
  expect([terminal.commands.done, terminal.faults.clock_offset_ms]).toEqual([['time'], 0])
  expect((await listed(device_id)).list.map(one => [one.command, one.state, one.reply_code])).toEqual([['time', 'SUCCESSFUL', 'ok']])
})

test('30-A20 a device that is not there is told nothing, neither now nor when it comes back', async () => {
  const { terminal, device_id } = await d.aGate()
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

/** So many heartbeats, and everything that was said before has been heard. */
async function beats(terminal: JdevTerminal, times: number): Promise<void> {
  for (let n = 0; n < times; n += 1) terminal.beat()
  terminal.tell('card', { code: 'FFFF0001' })
  await expect.poll(() => terminal.store.waiting).toBe(0)
  await sessionsPort.one(d.app.running.app).flush()
}

test('30-3.15 a clock that is more than a minute wrong is set by the server itself: not again at every heartbeat where the device refuses, and said; the records that waited are of the clock before', async () => {
  const { terminal, device_id } = await d.aGate()
  await terminal.stop()
  terminal.faults.clock_offset_ms = 137_000
  terminal.commands.broken.set('time', '时钟电池电压低')
  // More than one message of records; between the first and the second its clock is right, and wrong again.
  for (let n = 0; n < 101; n += 1) terminal.pass({ user_id: '7001', verify: 2, result: 1 })
  terminal.events.on('message', (direction, type) => void (terminal.faults.clock_offset_ms = direction === 'up' && type === 'event' ? 0 : 137_000))
  await terminal.start()
  await expect.poll(() => terminal.store.waiting).toBe(0)
  terminal.events.removeAllListeners('message')
  expect(await d.tenant(async db => (await sql<{ time_state: number; count: number }>`select time_state, count(*)::int as count from pass_event where school_id = ${d.school_id} and device_id = ${device_id} group by 1`.execute(db)).rows)).toEqual([{ time_state: 1, count: 101 }])

  terminal.faults.clock_offset_ms = 137_000
  await beats(terminal, 6)
  const asked = async () => (await listed(device_id)).list.map(one => [one.command, one.asked_by_name, one.state, one.reply_text])
  const refused = ['time', null, 'FAILED', '时钟电池电压低']
  await expect.poll(asked).toEqual([refused])
  await beats(terminal, 6)
  expect(await asked()).toEqual([refused])
  const { clock } = await d.detail(device_id)
  expect(clock).toMatchObject({ asked_times: 1, refusal: '时钟电池电压低', is_settable: true })
  expect(Math.round((clock?.skew_ms ?? 0) / 10_000)).toBe(-14)

  // Eleven minutes later, on a line of its own, it takes the time.
  terminal.commands.broken.delete('time')
  await terminal.stop()
  await d.tenant(db => sql`update device set clock_asked_at = clock_asked_at - interval '11 minutes' where school_id = ${d.school_id} and device_id = ${device_id}`.execute(db))
  await terminal.start()
  // It hears when it has said hello; what it beats before is lost.
  await beats(terminal, 0)
  await beats(terminal, 6)
  await expect.poll(asked).toEqual([['time', null, 'SUCCESSFUL', null], refused])
  await beats(terminal, 6)
  expect((await asked()).length).toBe(2)
  expect((await d.detail(device_id)).clock).toBeNull()
})

test('30-A20 the same request twice is one command', async () => {
  const { terminal, device_id } = await d.aGate()
  const headers = { 'idempotency-key': randomUUID() }
  const [first, second] = [dataOf(commandApi.control, await command(device_id, 'beep', headers)), dataOf(commandApi.control, await command(device_id, 'beep', headers))]
  expect(second.command_id).toBe(first.command_id)
  await expect.poll(async () => (await read(first.command_id)).state).toBe('SUCCESSFUL')
  expect(terminal.commands.done).toEqual(['beep'])
})

test('a restart is answered first, then the device comes with another power-up', async () => {
  const { terminal, device_id } = await d.aGate()
  const before = terminal.store.epoch
  const { command_id } = dataOf(commandApi.control, await command(device_id, 'restart'))
  await expect.poll(async () => (await read(command_id)).state).toBe('SUCCESSFUL')
  const epoch = async () => (await d.tenant(db => sql<{ epoch: string }>`select epoch from device where school_id = ${d.school_id} and device_id = ${device_id}`.execute(db))).rows[0]?.epoch
  await expect.poll(epoch).toBe(terminal.store.epoch)
  expect(terminal.store.epoch).not.toBe(before)
})

test('a command nobody answers ends by itself', async () => {
  const { terminal, device_id } = await d.aGate()
  // The question about its settings has its answer; the next one is lost.
  await expect.poll(() => terminal.trace.some(message => message.type === 'sync.config')).toBe(true)
  terminal.faults.drop_replies = 1
  const { command_id } = dataOf(commandApi.control, await command(device_id, 'locate'))
  await expect.poll(async () => (await read(command_id)).state).toBe('SENT')
  await expect.poll(() => terminal.commands.done).toEqual(['locate'])
  await terminal.stop()
  await expect.poll(() => stateOf(device_id)).toBe('0')
  d.app.clock.advance(25_000)
  await endOldCommands(sessionsPort.one(d.app.running.app))
  expect((await read(command_id)).state).toBe('TIMEOUT')
})

test('what a model cannot do is refused before anything is sent', async () => {
  const { device_id } = await d.aDevice({ model_code: 'VF105' })
  await d.tenant(db => sql`update device set lifecycle = 'active', online = true, offline_reason = null, online_since = now() where school_id = ${d.school_id} and device_id = ${device_id}`.execute(db))
  const { status, body } = await command(device_id, 'screenshot')
  expect([status, body.msg]).toEqual([422, '该型号不支持“截屏”'])
})

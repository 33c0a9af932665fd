import { domains } from '@apps/server/testing'
import { devicesEvents } from '@campus/devices/contract'
import { consume } from '@kit/server/event'
import { types } from '@kit/terminal-protocol/vf105'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { sessionsPort } from '../link/sessions.ts'
import { cardOf, grantOf, startDevices, subjectOf } from '../testing/start.ts'
import type { DevicesTest } from '../testing/start.ts'
import { declareCredentials, declareGrants, declareSubjects, revoke } from './declare.ts'
import { tellRevoked } from './revoked.ts'

const { drained, rowFailed, caughtUp, rightsAcked, rowAcked } = devicesEvents
/** What somebody who listens to all of it has heard. */
const heard: { name: string; facts: Record<string, unknown> }[] = []
const consumers = [drained, rowFailed, caughtUp, rightsAcked, rowAcked].map(({ name, payload }) => consume(`probe.${name}`, name, payload, async (_work, facts) => void heard.push({ name, facts })))
let d: DevicesTest
beforeAll(async () => {
  d = await startDevices({ domains: [...domains, { name: 'probe', migrations: import.meta.dirname, routes: [], consumers }] })
})
afterEach(() => d.stopAll())
afterAll(() => d.close())

const [time, within] = [expect.any(String), { timeout: 20_000 }]
const of = ({ name }: { name: string }, device_id: string) => heard.filter(one => one.name === name && one.facts['device_id'] === device_id).map(one => one.facts)
const acked = (source_ref: string) => heard.filter(one => one.name === rowAcked.name && one.facts['source_ref'] === source_ref).map(one => one.facts)
const drainOf = (device_id: string) => d.tenant(async db => (await sql<{ drained_to: Date | null; online: boolean }>`select drained_to, online from device_drain_v where school_id = ${d.school_id} and device_id = ${device_id}`.execute(db)).rows[0])
const admit = (users: readonly string[], place_id: string) => d.declare(async by => {
  await declareSubjects(by, users.map(user_id => subjectOf(user_id)))
  await declareCredentials(by, users.map(user_id => cardOf(user_id)))
  await declareGrants(by, users.map(user_id => grantOf(user_id, place_id, by.now)))
})

test('a device that comes without records that wait is drained up to its word; what it recorded off line is here before it says so again', async () => {
  const { terminal, device_id } = await d.aGate()
  await expect.poll(() => of(drained, device_id), within).toEqual([{ device_id, drained_to: time }])
  const first = await drainOf(device_id)
  expect(first).toEqual({ drained_to: new Date(String(of(drained, device_id)[0]?.['drained_to'])), online: true })
  await terminal.stop()
  terminal.present('card', 'NOBODY')
  const recorded = new Date()
  await terminal.start()
  await expect.poll(() => terminal.store.waiting, within).toBe(0)
  expect((await drainOf(device_id))?.drained_to).toEqual(first?.drained_to)
  terminal.beat()
  await expect.poll(() => of(drained, device_id).length, within).toBe(2)
  expect((await drainOf(device_id))?.drained_to?.getTime()).toBeGreaterThanOrEqual(recorded.getTime())
})

test('a VF105 is drained when none of its records waits any more, also those that it tells by itself', async () => {
  const { terminal, device_id } = await d.aVf105()
  await expect.poll(() => of(drained, device_id).length, within).toBe(1)
  await terminal.stop()
  for (let n = 0; n < 3; n += 1) terminal.device.present(types.card, 'NOBODY')
  await terminal.start()
  await expect.poll(() => of(drained, device_id).length, within).toBe(2)
  expect(terminal.store.records).toEqual([])
})

test('30 §1.4 a VF105 that is here is asked every two minutes whether records wait: until then they are here, and nobody is told that they still are', async () => {
  const { terminal, device_id } = await d.aVf105()
  await expect.poll(() => of(drained, device_id).length, within).toBe(1)
  const first = (await drainOf(device_id))?.drained_to?.getTime() ?? Infinity
  Object.assign(terminal.store.config.sys ?? {}, { heart_en: 1 })
  terminal.device.beat()
  terminal.device.faults.clock_offset_ms = 121_000
  d.app.clock.advance(121_000)
  for (let beats = 0; beats < 2; beats += 1) terminal.device.beat()
  await expect.poll(async () => ((await drainOf(device_id))?.drained_to?.getTime() ?? 0) - first, within).toBeGreaterThan(120_000)
  expect(of(drained, device_id).length).toBe(1)
})

test('rows that a device has taken are acknowledged by version and by source; it has caught up when nothing is left', async () => {
  const { terminal, device_id, place_id } = await d.aGate()
  await terminal.stop()
  await admit(['7201', '7202'], place_id)
  await terminal.start()
  await expect.poll(() => of(caughtUp, device_id), within).toEqual([{ device_id }])
  await expect.poll(() => of(rightsAcked, device_id).at(-1), within).toEqual({ device_id, version: 5 })
  await expect.poll(() => acked('card 7201'), within).toEqual([{ source: 'cards', source_ref: 'card 7201' }])
  await expect.poll(() => acked(`grant 7202 ${place_id}`), within).toEqual([{ source: 'access', source_ref: `grant 7202 ${place_id}` }])
  expect(of(rowFailed, device_id)).toEqual([])
})

test('what is on one of two devices alone is not acknowledged yet', async () => {
  const { device_id, place_id } = await d.aGate()
  const other = await d.aGate({ place_id })
  await other.terminal.stop()
  await admit(['7301'], place_id)
  await expect.poll(() => of(caughtUp, device_id), within).toEqual([{ device_id }])
  expect([acked('card 7301'), of(caughtUp, other.device_id)]).toEqual([[], []])
  await other.terminal.start()
  await expect.poll(() => acked('card 7301').length, within).toBe(1)
})

test('a row that a device refuses is told with the person and the sentence of the page, and its source is not acknowledged', async () => {
  const { terminal, device_id, place_id } = await d.aGate()
  terminal.faults.refuse = new Map([['7401', { code: 'name', text: '姓名不合法' }]])
  await admit(['7401'], place_id)
  await expect.poll(() => of(rowFailed, device_id), within).toEqual([{ device_id, kind: 'person', row_key: '7401', user_id: '7401', sentence: '被设备拒绝：姓名不合法' }])
  await expect.poll(() => acked('card 7401').length, within).toBe(1)
  expect(acked(`grant 7401 ${place_id}`)).toEqual([])
})

test('what a source takes back is acknowledged when the last device has let it go, also a device that comes late, is retired or never had it', async () => {
  const { device_id, place_id } = await d.aGate()
  const other = await d.aGate({ place_id })
  const third = await d.aGate({ place_id })
  const users = ['7501', '7502', '7503']
  await admit(users, place_id)
  await expect.poll(() => users.map(user_id => acked(`card ${user_id}`).length), within).toEqual([1, 1, 1])
  await expect.poll(() => users.map(user_id => acked(`grant ${user_id} ${place_id}`).length), within).toEqual([1, 1, 1])
  await Promise.all([other, third].map(({ terminal }) => terminal.stop()))
  heard.length = 0
  await d.declare(async by => {
    await revoke(by, 'cards', ['card 7501'])
    await revoke(by, 'access', [`grant 7502 ${place_id}`])
  })
  await expect.poll(() => of(caughtUp, device_id).length, within).toBeGreaterThan(0)
  await other.terminal.start()
  await expect.poll(() => of(caughtUp, other.device_id).length, within).toBeGreaterThan(0)
  expect([acked('card 7501'), acked(`grant 7502 ${place_id}`)]).toEqual([[], []])
  await third.terminal.start()
  await expect.poll(() => acked('card 7501'), within).toEqual([{ source: 'cards', source_ref: 'card 7501' }])
  await expect.poll(() => acked(`grant 7502 ${place_id}`), within).toEqual([{ source: 'access', source_ref: `grant 7502 ${place_id}` }])
  await third.terminal.stop()
  await d.declare(async by => {
    await revoke(by, 'cards', ['card 7503'])
    await declareCredentials(by, [{ ...cardOf('7504'), source_ref: 'card nowhere' }])
  })
  await d.declare(by => revoke(by, 'cards', ['card nowhere']))
  await expect.poll(() => acked('card nowhere').length, within).toBe(1)
  expect(acked('card 7503')).toEqual([])
  await d.tenant(async db => {
    await sql`update device set lifecycle = 'retired', online = false where school_id = ${d.school_id} and device_id = ${third.device_id}`.execute(db)
    await tellRevoked({ app: d.app.running.app, db, school_id: d.school_id, now: d.app.clock.now() }, null)
  })
  await expect.poll(() => acked('card 7503').length, within).toBe(1)
})

test('a heartbeat of a device that has nothing to tell goes on writing until when its records are here, and tells nobody', async () => {
  const { terminal, device_id } = await d.aGate()
  await expect.poll(() => of(drained, device_id).length, within).toBe(1)
  const first = await drainOf(device_id)
  terminal.beat()
  await expect.poll(async () => {
    await sessionsPort.one(d.app.running.app).flush()
    return (await drainOf(device_id))?.drained_to?.getTime()
  }, within).toBeGreaterThan(first?.drained_to?.getTime() ?? Infinity)
  expect(of(drained, device_id).length).toBe(1)
})

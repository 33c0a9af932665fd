import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { dataOf } from '@apps/server/testing'
import type { TestApp } from '@apps/server/testing'
import { syncApi } from '@campus/devices/contract'
import { JdevTerminal } from '@apps/terminal'
import { sql } from 'kysely'
import { costOfEach, countCpu } from '../cpu.ts'
import { atLeast, atMost, milliseconds, reported, seconds, times } from '../figure.ts'
import type { Bench, Figure, Line } from '../figure.ts'
import { admit, count, heldRows, makeGates, onlineGates, openRows, rename, until } from '../gates.ts'
import { mosquittoRate } from '../mosquitto.ts'
import { median, percentile, timed } from '../measure.ts'
import { install } from '../school.ts'

const school_id = 1001
const fleet = join(import.meta.dirname, '../../apps/terminal/main.ts')
const [online_gates, changes, writers] = [50, 20, 10]
const patience_ms = 600_000

/** Terminals on the line: how soon they know, what knowing nothing new costs, how much they may tell, what silence costs. */
export const devices: Figure = {
  name: 'devices',
  title: 'Terminals on the line',
  how: 'PostgreSQL, the broker of the server, virtual terminals of our own protocol in the process that measures (the 500 idle ones in one of their own). A change counts until the row of every terminal is acknowledged in the database. Deriving again is asked for device by device, as the button of the page does. Event intake: ten terminals tell passes as fast as they are acknowledged, a hundred a message; the baseline are ten clients of a bare mosquitto that say single passes of the same size at QoS 1, to a subscriber that acknowledges every one.',
  run,
}

async function run(bench: Bench): Promise<Line[]> {
  return [...(await busy(bench)), ...(await idle(bench))]
}

async function busy(bench: Bench): Promise<Line[]> {
  const { app } = await install('postgres', bench)
  const people = bench.quick ? 400 : 4200
  const { gates, place_id } = await makeGates(app, online_gates)
  const url = `mqtt://127.0.0.1:${await app.running.listenToDevices()}`
  const terminals = gates.map(gate => new JdevTerminal({ url, ...gate }))
  await Promise.all(terminals.map(terminal => terminal.start()))
  await until('all are online', async () => (await onlineGates(app)) === gates.length, patience_ms)
  const filled_ms = await timed(async () => {
    await admit(app, place_id, people)
    await until('all hold everybody', async () => (await openRows(app)) === 0 && (await heldRows(app)) >= people * 2 * gates.length, patience_ms)
  })
  bench.say(`${people} people on ${gates.length} terminals after ${seconds(filled_ms)}`)
  const heard = () => terminals.reduce((sum, terminal) => sum + terminal.trace.length, 0)
  const before = heard()
  const settled = () => until('nothing is due', async () => (await count(app, sql`select count(*)::int as n from sync_due where school_id = ${school_id}`)) === 0, patience_ms)
  const declared_ms = await timed(async () => {
    await admit(app, place_id, people)
    await settled()
  })
  const { token } = await app.as({ school_id, codes: ['devices.sync.edit'], places: 'all' })
  const derived = await countCpu(bench)
  const again_ms = await timed(async () => {
    for (const { device_id } of gates) dataOf(syncApi.resync, await app.call(syncApi.resync, { id: device_id, mode: 'diff' }, { token }))
    await settled()
  })
  const derivation = costOfEach('a device derived again, with its terminal', derived(), gates.length)
  const needless = heard() - before
  const told: number[] = []
  const changed = await countCpu(bench)
  for (let at = 0; at < changes; at += 1) told.push(await timed(() => known(app, terminals, `改名${at}`)))
  const change = costOfEach('a change at one terminal, with the terminal', changed(), changes * gates.length)
  const intake = await tellMany(bench, app, terminals.slice(0, writers))
  await Promise.all(terminals.map(terminal => terminal.stop()))
  await app.close()
  return [
    atMost(`one person’s change acknowledged by ${gates.length} terminals, p95`, percentile(told, 0.95), 1000, milliseconds, '30-A3'),
    reported('the same, median', milliseconds(percentile(told, 0.5))),
    change,
    reported(`${people.toLocaleString('en')} people with cards on ${gates.length} terminals, from nothing`, seconds(filled_ms)),
    atMost(`derived again for ${gates.length} terminals and ${people.toLocaleString('en')} people, unchanged`, again_ms, 10_000, seconds, '30-A5'),
    atMost('the same people, cards and rights declared again', declared_ms, 10_000, seconds, '30-A5'),
    derivation,
    atMost('messages sent by that', needless, 0, String, '30-A5'),
    ...intake,
  ]
}

/** Until every terminal holds a new name and the database knows that it does. */
async function known(app: TestApp, terminals: readonly JdevTerminal[], name: string): Promise<void> {
  const user_id = '500001'
  await rename(app, user_id, name)
  await until('everybody knows the name', () => terminals.every(terminal => terminal.store.held('person').get(user_id)?.body?.name === name), patience_ms)
  await until('every row is acknowledged', async () => (await count(app, sql`select count(*)::int as n from sync_row where school_id = ${school_id} and user_id = ${user_id} and state not in ('applied', 'proven')`)) === 0, patience_ms)
}

async function tellMany(bench: Bench, app: TestApp, terminals: readonly JdevTerminal[]): Promise<Line[]> {
  const [each, rounds] = bench.quick ? [500, 1] : [2000, 5]
  const pass = { user_id: '500002', verify: 2, result: 1, code_masked: '****0002' }
  const message = Buffer.from(JSON.stringify({ v: 1, type: 'event', body: { items: [{ seq: 1, type: 'pass', at: new Date().toISOString(), ...pass }] } }))
  const all = terminals.length * each
  const [told, passed_on]: [number[], number[]] = [[], []]
  const costs: Line[] = []
  for (let round = 0; round < rounds; round += 1) {
    const spent = await countCpu(bench)
    told.push((all * 1000) / (await timed(() => tellPasses(terminals, pass, each))))
    costs.push(costOfEach('a pass, with the terminal that tells it', spent(), all))
    passed_on.push(await mosquittoRate(terminals.length, each, message))
  }
  const stored = await count(app, sql`select count(*)::int as n from pass_event where school_id = ${school_id}`)
  const whole = (rates: readonly number[]) => rates.map(rate => Math.round(rate)).join(' ')
  return [
    atLeast('passes stored and acknowledged a second ÷ messages mosquitto passes on a second', median(told) / median(passed_on), 0.4, times, '30-A14'),
    reported('rounds: passes a second, mosquitto’s messages a second', `${whole(told)}, ${whole(passed_on)}`),
    ...costs.slice(-1),
    atMost('passes lost or doubled', Math.abs(all * rounds - stored), 0, String, '30-A14'),
  ]
}

/** Every terminal tells so many passes, and waits until the last is acknowledged. */
async function tellPasses(terminals: readonly JdevTerminal[], pass: Record<string, unknown>, each: number): Promise<void> {
  for (const terminal of terminals) for (let at = 0; at < each; at += 1) terminal.pass(pass)
  await until('every pass is acknowledged', () => terminals.every(terminal => terminal.store.waiting === 0), patience_ms)
}

async function idle(bench: Bench): Promise<Line[]> {
  const { app } = await install('postgres', bench)
  const { gates } = await makeGates(app, bench.quick ? 50 : 500)
  const port = await app.running.listenToDevices()
  const child = spawn(process.execPath, [fleet], { stdio: ['pipe', 'ignore', 'inherit'] })
  child.stdin.write(`${JSON.stringify({ url: `mqtt://127.0.0.1:${port}`, prefix: 'jdev', folder: null, pulse: 0, terminals: gates })}\n`)
  await until('all are online', async () => (await onlineGates(app)) === gates.length, patience_ms)
  const over_ms = bench.quick ? 10_000 : 60_000
  await sleep(over_ms / 4)
  const spent = await countCpu(bench, child)
  await sleep(over_ms)
  const { server, database, terminals } = spent()
  child.stdin.end()
  await app.close()
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`
  return [
    atMost(`${gates.length} connected terminals that are silent: share of a core`, server / over_ms, 0.05, percent),
    reported('meanwhile PostgreSQL, the terminals', [database, terminals].map(used => percent(used / over_ms)).join(', ')),
  ]
}

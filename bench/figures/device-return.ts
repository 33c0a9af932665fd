import { JdevTerminal, Vf105Terminal } from '@apps/terminal'
import { configApi, syncApi } from '@campus/devices/contract'
import { dataOf } from '@apps/server/testing'
import type { TestApp } from '@apps/server/testing'
import { sql } from 'kysely'
import { atMost, milliseconds, reported, seconds } from '../figure.ts'
import type { Bench, Figure, Line } from '../figure.ts'
import { admit, count, heldRows, loseCard, makeGates, onlineGates, openRows, rename, until } from '../gates.ts'
import { percentile, timed } from '../measure.ts'
import { install } from '../school.ts'

const school_id = 1001
const [lost_gates, losses, first_person] = [40, 20, 500_001]
const [minute_ms, hour_ms, patience_ms] = [60_000, 3_600_000, 600_000]

/** What a terminal makes up for, and how soon a lost card is gone. */
export const deviceReturn: Figure = {
  name: 'device-return',
  title: 'Lost cards, and terminals that come back',
  how: 'PostgreSQL, the broker of the server, virtual terminals of our own protocol in the process that measures. A lost card counts until every terminal has confirmed its deletion in the database. The terminal that was away has told 5,000 passes to nobody and missed 200 changes; it is exact when every row and every pass is where it belongs, once. Read-back: everything the terminal holds against everything it is to hold. The VF105 has records with pictures, which are not fetched: it tells them one by one, each when the one before is taken.',
  run,
}

async function run(bench: Bench): Promise<Line[]> {
  return [...(await lost(bench)), ...(await away(bench)), ...(await oneByOne(bench))]
}

async function lost(bench: Bench): Promise<Line[]> {
  const { app } = await install('postgres', bench)
  const people = 200
  const { gates, place_id } = await makeGates(app, bench.quick ? 8 : lost_gates)
  const terminals = await start(app, gates)
  await admit(app, place_id, people)
  await until('all hold everybody', async () => (await openRows(app)) === 0 && (await heldRows(app)) >= people * 2 * gates.length, patience_ms)
  const [off] = terminals
  await off?.stop()
  off?.trace.splice(0)
  const told: number[] = []
  for (let n = 0; n < losses; n += 1) {
    const user_id = String(first_person + n)
    const gone = () => count(app, sql`select count(*)::int as n from sync_row where school_id = ${school_id} and user_id = ${user_id} and kind = 'credential' and state = 'gone'`)
    told.push(await timed(async () => {
      await loseCard(app, user_id)
      await until('it is gone everywhere', async () => (await gone()) === gates.length - 1, patience_ms)
    }))
  }
  await rename(app, String(first_person + people - 1), '改名')
  const back_ms = await timed(async () => {
    await off?.start()
    await until('the one that was away has confirmed it', async () => (await openRows(app)) === 0, patience_ms)
  })
  const ops = off?.trace.flatMap(message => message.rows.map(row => row.op)) ?? []
  await Promise.all(terminals.map(terminal => terminal.stop()))
  await app.close()
  return [
    atMost(`a lost card deleted and confirmed on ${gates.length - 1} terminals, p95`, percentile(told, 0.95), 5000, milliseconds, '30-A3'),
    atMost(`${losses} lost cards on a terminal that was away, from its return on`, back_ms, 5000, milliseconds, '30-A3'),
    atMost('rows put onto it before the last deletion', ops.slice(0, ops.lastIndexOf('delete')).filter(op => op === 'put').length, 0, String, '30-A3'),
  ]
}

async function away(bench: Bench): Promise<Line[]> {
  const { app } = await install('postgres', bench)
  const [people, passes, changes] = bench.quick ? [300, 500, 20] : [4200, 5000, 200]
  const { gates, place_id } = await makeGates(app, 1)
  const [terminal] = await start(app, gates)
  if (!terminal) throw new Error('no terminal')
  const filled_ms = await timed(async () => {
    await admit(app, place_id, people, 'id_card')
    await until('it holds everybody', async () => (await openRows(app)) === 0 && (await heldRows(app)) >= people * 3, patience_ms)
  })
  const read_ms = await timed(() => readBack(app))
  await terminal.stop()
  const began = Date.now() - hour_ms
  for (let n = 0; n < passes; n += 1) terminal.store.record('pass', { user_id: String(first_person + (n % people)), verify: 2, result: 1 }, new Date(began + (n * hour_ms) / passes).toISOString())
  for (let n = 0; n < changes; n += 1) await rename(app, String(first_person + n), `改名${n}`)
  const began_ms = performance.now()
  await terminal.start()
  const told_ms = timed(() => until('every pass is acknowledged', () => terminal.store.waiting === 0, patience_ms))
  await until('it is exact', async () => terminal.store.waiting === 0 && (await openRows(app)) === 0, patience_ms)
  const back_ms = performance.now() - began_ms
  const stored = await count(app, sql`select count(*)::int as n from pass_event where school_id = ${school_id}`)
  const wrong = Array.from({ length: changes }, (_, n) => n).filter(n => terminal.store.held('person').get(String(first_person + n))?.body?.name !== `改名${n}`).length
  const wiped_ms = await timed(() => fillAgain(app, terminal, people))
  await terminal.stop()
  await app.close()
  return [
    atMost(`away for an hour: ${passes.toLocaleString('en')} passes and ${changes} changes exact, from its return on`, back_ms, 2 * minute_ms, seconds),
    atMost(`of these the ${passes.toLocaleString('en')} passes, until the last is acknowledged`, await told_ms, 30_000, seconds, '31-A18'),
    atMost('passes lost or doubled, changes missing', Math.abs(stored - passes) + wrong, 0, String, '31-A18'),
    atMost(`read-back of ${(people * 3).toLocaleString('en')} rows that are right`, read_ms, 2000, milliseconds, '31-A17'),
    atMost(`a terminal that lost everything: ${people.toLocaleString('en')} people with two cards each`, wiped_ms, 3 * minute_ms, seconds, '30-A10'),
    reported('the same the first time', seconds(filled_ms)),
  ]
}

/** The school wants pictures with the records of its VF105, or its adoption would turn them off. */
async function wantPictures(app: TestApp): Promise<void> {
  const { token } = await app.as({ school_id, codes: ['devices.config.edit'], places: 'all' })
  dataOf(configApi.add, await app.call(configApi.add, { profile_name: '上传抓拍照片', model_code: 'VF105', values: { 'access.uploadToCloud': 1 } }, { token }))
}

/** A VF105 with pictures in its records, which are therefore not fetched: each comes by itself, and the next when that one is taken (chapter 31 §5.4). */
async function oneByOne(bench: Bench): Promise<Line[]> {
  const { app } = await install('postgres', bench)
  const records = bench.quick ? 200 : 2000
  const { gates: [gate] } = await makeGates(app, 1, { code: 'VF105', type: '01' })
  if (!gate) throw new Error('no terminal')
  const terminal = new Vf105Terminal({ url: `mqtt://127.0.0.1:${await app.running.listenToDevices()}`, ...gate })
  Object.assign(terminal.store.config.access ?? {}, { uploadToCloud: 1 })
  await wantPictures(app)
  for (let n = 0; n < records; n += 1) terminal.device.present('200', `AB${n}`)
  const told_ms = await timed(async () => {
    await terminal.start()
    await until('every record is taken', async () => terminal.store.waiting() === undefined, patience_ms)
  })
  const fetched = terminal.device.trace.filter(one => one.action === 'delRecords').length
  const stored = await count(app, sql`select count(*)::int as n from pass_event where school_id = ${school_id}`)
  await terminal.stop()
  await app.close()
  return [
    atMost(`a VF105 that comes back with ${records.toLocaleString('en')} records and tells them one by one, until the last is taken`, told_ms, 4 * minute_ms, seconds, '31-A9'),
    atMost('of these lost, doubled or fetched otherwise', Math.abs(stored - records) + fetched, 0, String, '31-A9'),
  ]
}

async function fillAgain(app: TestApp, terminal: JdevTerminal, people: number): Promise<void> {
  await terminal.stop()
  terminal.store.wipe()
  await terminal.start()
  await until('it is filled', async () => terminal.store.held('credential').size === people * 2 && (await openRows(app)) === 0, patience_ms)
}

async function start(app: TestApp, gates: readonly { sn: string; secret: string }[]): Promise<JdevTerminal[]> {
  const url = `mqtt://127.0.0.1:${await app.running.listenToDevices()}`
  const terminals = gates.map(gate => new JdevTerminal({ url, ...gate }))
  await Promise.all(terminals.map(terminal => terminal.start()))
  await until('all are online', async () => (await onlineGates(app)) === gates.length, patience_ms)
  return terminals
}

async function readBack(app: TestApp): Promise<void> {
  const { token } = await app.as({ school_id, codes: ['devices.sync.edit', 'devices.sync.view'], places: 'all' })
  const id = String(await count(app, sql`select device_id::int as n from device where school_id = ${school_id} and online limit 1`))
  dataOf(syncApi.resync, await app.call(syncApi.resync, { id, mode: 'verify' }, { token }))
  await until('it is read', async () => dataOf(syncApi.drift, await app.call(syncApi.drift, { device_id: id }, { token })).proof?.state === 'done', patience_ms)
}

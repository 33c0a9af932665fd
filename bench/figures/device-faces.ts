import { createHash } from 'node:crypto'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { dataOf } from '@apps/server/testing'
import type { TestApp } from '@apps/server/testing'
import { deviceApi } from '@campus/devices/contract'
import { declareCredentials } from '@campus/devices/server'
import { keepMade } from '@campus/files/server'
import { drawJpeg } from '@kit/server/image'
import { sql } from 'kysely'
import { costOfEach, countCpu } from '../cpu.ts'
import { atLeast, atMost, reported, seconds } from '../figure.ts'
import type { Bench, Figure, Line } from '../figure.ts'
import { admit, count, heldRows, makeGates, onlineGates, openRows, until } from '../gates.ts'
import { median, timed } from '../measure.ts'
import { install, settleStatistics } from '../school.ts'

const school_id = 1001
const fleet = join(import.meta.dirname, '../../apps/terminal/main.ts')
const [patience_ms, rarely_ms, declared_at_once, first_person] = [900_000, 250, 500, 500_001]
const [few, many, ask_every_ms] = [0.1, 0.9, 2000]
/** Four thousand faces on a hundred terminals in ten minutes. */
const wanted_a_second = (4000 * 100) / 600

/** Faces on their way to terminals. */
export const deviceFaces: Figure = {
  name: 'device-faces',
  title: 'Faces onto terminals',
  how: 'PostgreSQL, server and virtual terminals in processes of their own. Everybody has a JPEG of 480 × 640 in the store, encrypted; it is opened, judged, and fetched by every terminal under an address that works once. The limit is the rate at which 4,000 people are on 100 terminals within ten minutes; fewer people are measured. The time that is foretold is the one of the list of devices, by the pace of each terminal so far.',
  run,
}

async function run(bench: Bench): Promise<Line[]> {
  const installed = await install('postgres', bench)
  const { app } = installed
  const [people, wanted] = bench.quick ? [200, 20] : [500, 100]
  const { gates, place_id } = await makeGates(app, wanted)
  const url = `mqtt://127.0.0.1:${await app.running.listenToDevices()}`
  const child = spawn(process.execPath, [fleet], { stdio: ['pipe', 'ignore', 'inherit'] })
  child.stdin.write(`${JSON.stringify({ url, http: app.url, prefix: 'jdev', folder: null, pulse: 0, terminals: gates })}\n`)
  await until('all are online', async () => (await onlineGates(app)) === wanted, patience_ms)
  await admit(app, place_id, people)
  await until('people and cards are there', async () => (await openRows(app)) === 0 && (await heldRows(app)) >= people * 2 * wanted, patience_ms)
  const files = await photograph(app, people)
  await settleStatistics(installed)
  bench.say(`${people} photographs in the store`)
  const spent = await countCpu(bench, child)
  const made_ms = await timed(async () => {
    await declareFaces(app, files)
    await until('all are fit', async () => (await count(app, sql`select count(*)::int as n from device_photo where school_id = ${school_id} and state = 'ready'`)) === people, patience_ms, rarely_ms)
  })
  const watch = await watchEnds(app, people)
  const sent_ms = await timed(() => until('all hold every face', async () => (await watch.look()) === wanted, patience_ms, rarely_ms))
  const used = spent()
  const again = await count(app, sql`select count(*)::int as n from sync_row where school_id = ${school_id} and kind = 'credential' and prio = 7 and attempts > 1`)
  child.stdin.end()
  await app.close()
  const whole_ms = made_ms + sent_ms
  return [
    atLeast(`${people.toLocaleString('en')} faces on ${wanted} terminals: faces a second`, (people * wanted * 1000) / whole_ms, wanted_a_second, rate => rate.toFixed(0)),
    atMost('rows that had to be sent twice', again, 0, String),
    atMost('the time that is foretold of a terminal that has a tenth to nine tenths of its faces: off by, median', watch.off(), 0.25, share => `${Math.round(share * 100)} %`, '30-A10'),
    reported('from the declaration to the last confirmation', seconds(whole_ms)),
    reported('of these until the last photograph is judged', seconds(made_ms)),
    costOfEach('a face', used, people * wanted),
    reported('the server’s share of a core meanwhile', `${((used.server / whole_ms) * 100).toFixed(0)} %`),
  ]
}

/** What the school is told of the time that a terminal still needs, and when. */
type Foretold = { device_id: string; at_ms: number; eta_s: number }

/** Watches terminals being filled: when each of them has all faces, and what the list of devices foretells of it meanwhile. */
async function watchEnds(app: TestApp, people: number) {
  const { token } = await app.as({ school_id, codes: ['devices.device.view'], places: 'all' })
  const ends = new Map<string, number>()
  const foretold: Foretold[] = []
  let asked_ms = 0
  return {
    /** @returns how many terminals have all of them */
    async look(): Promise<number> {
      const held = await facesOf(app)
      for (const [device_id, n] of held) if (n === people && !ends.has(device_id)) ends.set(device_id, performance.now())
      if (performance.now() - asked_ms < ask_every_ms) return ends.size
      asked_ms = performance.now()
      const { list } = dataOf(deviceApi.list, await app.call(deviceApi.list, { page_size: 200 }, { token }))
      const under_way = list.filter(({ device_id }) => isBetween((held.get(device_id) ?? 0) / people))
      foretold.push(...under_way.flatMap(({ device_id, sync: { eta_s } }) => (eta_s === null ? [] : [{ device_id, at_ms: performance.now(), eta_s }])))
      return ends.size
    },
    /** By how much of the time that was left it was off, in the middle; 1 when nothing was foretold. */
    off(): number {
      const errors = foretold.flatMap(({ device_id, at_ms, eta_s }) => {
        const left_ms = (ends.get(device_id) ?? at_ms) - at_ms
        return left_ms > 0 ? [Math.abs(eta_s * 1000 - left_ms) / left_ms] : []
      })
      return errors.length === 0 ? 1 : median(errors)
    },
  }
}

function isBetween(share: number): boolean {
  return share >= few && share <= many
}

async function facesOf(app: TestApp): Promise<Map<string, number>> {
  const { rows } = await app.running.database.tenant<unknown, { rows: { device_id: string; n: number }[] }>(school_id, db => sql<{ device_id: string; n: number }>`
    select device_id::text as device_id, count(*)::int as n from sync_row where school_id = ${school_id} and kind = 'credential' and prio = 7 and state in ('applied', 'proven') group by device_id`.execute(db))
  return new Map(rows.map(row => [row.device_id, row.n]))
}

type File = { file_key: string; sha256: string }

/** A photograph of everybody: no two alike, of the size of a face that a phone has cut out. */
async function photograph(app: TestApp, people: number): Promise<File[]> {
  const { app: running, database } = app.running
  const now = app.clock.now()
  // As rough as a photograph: some fifty kilobytes.
  const { bytes: drawn } = await drawJpeg('<svg xmlns="http://www.w3.org/2000/svg" width="480" height="640"><filter id="f"><feTurbulence baseFrequency="0.08" numOctaves="2"/></filter><rect width="480" height="640" filter="url(#f)"/></svg>')
  const files: File[] = []
  for (let n = 0; n < people; n += 1) {
    // A comment after the end of the picture makes it another one.
    const bytes = Buffer.concat([drawn, Buffer.from(String(n))])
    const file_key = `${school_id}/${first_person + n}/20260901/face.jpg`
    const enter = await keepMade({ app: running, now, own: (of, work) => database.tenant(of, work) }, school_id, String(first_person + n), { file_key, purpose: 'face', bytes })
    await database.tenant(school_id, db => enter({ app: running, db, school_id, now }, { ref_kind: 'bench.face', ref_id: String(n) }))
    files.push({ file_key, sha256: createHash('sha256').update(bytes).digest('hex') })
  }
  return files
}

async function declareFaces(app: TestApp, files: readonly File[]): Promise<void> {
  const { running, clock } = app
  for (let from = 0; from < files.length; from += declared_at_once) {
    const part = files.slice(from, from + declared_at_once)
    await running.database.tenant(school_id, db => declareCredentials({ app: running.app, db, school_id, now: clock.now() }, part.map((file, n) => ({ user_id: String(first_person + from + n), cred_kind: 'face', file, usable: true, source: 'bench', source_ref: `face ${from + n}`, version: 1 }))))
  }
}

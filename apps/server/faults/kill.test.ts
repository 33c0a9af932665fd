import { randomInt } from 'node:crypto'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countPupils, look } from './kept-rows.ts'
import { prepareSchool, school_id } from './prepared-school.ts'
import type { Prepared } from './prepared-school.ts'
import { dryRun, pupilSheet, readJob, startApply, untilBatch, untilJob } from './pupil-import.ts'
import { endServer, startServer } from './server-process.ts'
import type { ServerProcess } from './server-process.ts'

const pupils = 4000
const step = 500
const patience_ms = 300_000

let base: Prepared
let batch_no: string
let pupils_before: number
let folder: string
let server: ServerProcess | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'campus-kill-'))
  base = await prepareSchool({ CAMPUS_DURABLE: '1' })
  pupils_before = (await look(base.settings, database => countPupils(database, school_id, ''))).pupils
  server = await startServer(base.settings)
  const batch = await dryRun({ url: server.url, token: base.token }, await pupilSheet(folder, pupils))
  if (batch.rows_new !== pupils) throw new Error(`the dry run says ${JSON.stringify(batch)}`)
  batch_no = batch.batch_no
  server.signal('SIGTERM')
  await server.ended
}, patience_ms)

afterAll(async () => {
  await endServer(server)
  await base?.remove()
  await rm(folder, { recursive: true, force: true })
})

/** Kills of each import, between its first and its last commit: after so many acknowledged steps, drawn from a range. A job is given up after three attempts. */
const ranges: readonly (readonly (readonly [number, number])[])[] = [[[1, 2], [4, 6]], [[2, 4], [5, 7]], [[1, 7]]]
/** A little later than the look that showed the step, so that it hits any place of the next one. */
const longest_delay_ms = 200
const runs = ranges.map(kills => kills.map(([from, to]) => ({ after: step * randomInt(from, to), later_ms: randomInt(0, longest_delay_ms) })))

describe.each(runs.map((moments, at) => [at + 1, moments] as const))('10-A25 import %i', (number, moments) => {
  test('goes on by itself after every kill -9, and every row is there once', async () => {
    const settings = { ...base.settings, CAMPUS_DATA_DIR: join(folder, `run-${number}`) }
    await cp(base.settings.CAMPUS_DATA_DIR ?? '', settings.CAMPUS_DATA_DIR, { recursive: true })
    server = await startServer(settings)
    const job_no = await startApply({ url: server.url, token: base.token }, batch_no)
    for (const { after, later_ms } of moments) {
      const client = { url: server.url, token: base.token }
      await untilJob(client, job_no, job => job.done >= after)
      await new Promise(resolve => setTimeout(resolve, later_ms))
      const acknowledged = await readJob(client, job_no)
      server.signal('SIGKILL')
      expect((await server.ended).signal).toBe('SIGKILL')
      server = await startServer(settings)
      const resumed = await readJob({ url: server.url, token: base.token }, job_no)
      process.stdout.write(`import ${number}: kill -9 at ${acknowledged.done} of ${pupils} acknowledged rows (${later_ms} ms after row ${after}), ${resumed.done} after the restart\n`)
      expect(resumed.done).toBeGreaterThanOrEqual(acknowledged.done)
      expect(resumed.total).toBe(pupils)
    }
    const client = { url: server.url, token: base.token }
    expect(await untilBatch(client, batch_no, ['applied', 'failed'])).toMatchObject({ state: 'applied', rows_applied: pupils, rows_recheck: 0, message: null })
    expect(await readJob(client, job_no)).toMatchObject({ state: 'succeeded', done: pupils, failed: 0 })
    server.signal('SIGTERM')
    expect((await server.ended).code).toBe(0)
    const kept = await look(settings, database => countPupils(database, school_id, batch_no))
    const in_school = pupils_before + pupils
    expect(kept).toEqual({ pupils: in_school, numbers: in_school, applied: pupils, targets: pupils, archived: pupils, archived_once: pupils })
  }, patience_ms)
})

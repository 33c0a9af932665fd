import { randomInt } from 'node:crypto'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countPupils, look } from './kept-rows.ts'
import { prepareSchool, school_id } from './prepared-school.ts'
import type { Prepared } from './prepared-school.ts'
import { dryRun, pupilSheet, readJob, startApply, startUndo, untilBatch, untilJob } from './pupil-import.ts'
import { endServer, startServer } from './server-process.ts'
import type { ServerProcess } from './server-process.ts'

const pupils = 4500
const step = 500
const patience_ms = 300_000

let base: Prepared
let batch_no: string
let folder: string
let server: ServerProcess | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'campus-kill-'))
  base = await prepareSchool({ CAMPUS_DURABLE: '1' }, async client => {
    const batch = await dryRun(client, await pupilSheet(folder, pupils))
    if (batch.rows_new !== pupils) throw new Error(`the dry run says ${JSON.stringify(batch)}`)
    batch_no = batch.batch_no
  })
}, patience_ms)

afterAll(async () => {
  await endServer(server)
  await base?.remove()
  await rm(folder, { recursive: true, force: true })
})

/** A little later than the look that showed the step, so that it hits any place of the next one; 0: right after the answer. */
const any_place_ms = 60
/**
 * The kills of the import, between its first and its last commit: after so many acknowledged steps, drawn from a range, and so much later. As long
 * as every attempt gets on, a job is never given up.
 */
const moments = [[1, 2, any_place_ms], [2, 3, 1], [3, 4, any_place_ms], [4, 5, 1], [5, 6, 1]] as const
const kills = moments.map(([from, to, longest_delay_ms]) => ({ after: step * randomInt(from, to), later_ms: randomInt(0, longest_delay_ms) }))

test('10-A25 an import goes on by itself after every kill -9, five at any moment between its first and its last commit, and every row is there once', async () => {
  /** Rows that were acknowledged when a kill hit the import under way. */
  const hits: number[] = []
  const settings = { ...base.settings, CAMPUS_DATA_DIR: join(folder, 'run') }
  await cp(base.settings.CAMPUS_DATA_DIR ?? '', settings.CAMPUS_DATA_DIR, { recursive: true })
  server = await startServer(settings)
  const job_no = await startApply({ url: server.url, token: base.token }, batch_no)
  let before = 0
  for (const { after, later_ms } of kills) {
    const client = { url: server.url, token: base.token }
    const shown = await untilJob(client, job_no, job => job.done === pupils || (job.done >= after && job.done > before))
    // Another look takes its turn behind another step: without a delay the kill follows the answer at once.
    const acknowledged = later_ms === 0 ? shown : await pause(later_ms).then(() => readJob(client, job_no))
    if (acknowledged.done > 0 && acknowledged.done < pupils) hits.push(acknowledged.done)
    server.signal('SIGKILL')
    expect((await server.ended).signal).toBe('SIGKILL')
    server = await startServer(settings)
    const resumed = await readJob({ url: server.url, token: base.token }, job_no)
    process.stdout.write(`kill -9 at ${acknowledged.done} of ${pupils} acknowledged rows (${later_ms} ms after row ${after}), ${resumed.done} after the restart\n`)
    expect(resumed.done).toBeGreaterThanOrEqual(acknowledged.done)
    expect(resumed.total).toBe(pupils)
    before = resumed.done
  }
  const client = { url: server.url, token: base.token }
  expect(await untilBatch(client, batch_no, ['applied', 'failed'])).toMatchObject({ state: 'applied', rows_applied: pupils, rows_recheck: 0, message: null })
  expect(await readJob(client, job_no)).toMatchObject({ state: 'succeeded', done: pupils, failed: 0 })
  server.signal('SIGTERM')
  expect((await server.ended).code).toBe(0)
  const kept = await look(settings, database => countPupils(database, school_id, batch_no))
  expect(kept).toEqual({ pupils, numbers: pupils, applied: pupils, targets: pupils, archived: pupils, archived_once: pupils })
  expect(hits.length, `kills at ${hits.join(', ')}`).toBe(kills.length)
}, patience_ms)

/** The kills of the undo, after so many rows that were acknowledged as taken back. */
const undo_kills = [step, step * 4]

test('10-A25 an undo goes on by itself after every kill -9, and leaves the school as it was before the import', async () => {
  const settings = { ...base.settings, CAMPUS_DATA_DIR: join(folder, 'run') }
  server = await startServer(settings)
  const job_no = await startUndo({ url: server.url, token: base.token }, batch_no)
  const hits: number[] = []
  for (const after of undo_kills) {
    const shown = await untilJob({ url: server.url, token: base.token }, job_no, job => job.done >= after)
    if (shown.done < pupils) hits.push(shown.done)
    server.signal('SIGKILL')
    expect((await server.ended).signal).toBe('SIGKILL')
    server = await startServer(settings)
    expect((await readJob({ url: server.url, token: base.token }, job_no)).done).toBeGreaterThanOrEqual(shown.done)
  }
  const client = { url: server.url, token: base.token }
  expect(await untilBatch(client, batch_no, ['undone', 'applied', 'failed'])).toMatchObject({ state: 'undone', rows_undone: pupils, rows_blocked: 0, undo_message: null })
  expect(await readJob(client, job_no)).toMatchObject({ state: 'succeeded', done: pupils, failed: 0 })
  server.signal('SIGTERM')
  expect((await server.ended).code).toBe(0)
  const kept = await look(settings, database => countPupils(database, school_id, batch_no))
  expect(kept).toMatchObject({ pupils: 0, numbers: 0, applied: 0 })
  expect(hits.length, `kills at ${hits.join(', ')}`).toBe(undo_kills.length)
}, patience_ms)

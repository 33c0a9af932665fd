import { randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { countPupils } from './kept-rows.ts'
import { prepareSchool, school_id } from './prepared-school.ts'
import type { Prepared } from './prepared-school.ts'
import { dryRun, pupilSheet, readJob, startApply, startUndo, untilBatch, untilJob } from './pupil-import.ts'
import type { Client } from './pupil-import.ts'
import { openServer } from './opened-server.ts'
import type { OpenedServer } from './opened-server.ts'
import { endServer, startServer } from './server-process.ts'
import type { ServerProcess } from './server-process.ts'

const pupils = 3000
const step = 500
const patience_ms = 300_000

let base: Prepared
let batch_no: string
let folder: string
let server: ServerProcess | undefined
/** The one after the last kill, in this process, so that its rows can be counted. */
let last: OpenedServer | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'campus-kill-'))
  base = await prepareSchool({ CAMPUS_DURABLE: '1' }, async client => {
    const batch = await dryRun(client, await pupilSheet(folder, pupils))
    if (batch.rows_new !== pupils) throw new Error(`the dry run says ${JSON.stringify(batch)}`)
    batch_no = batch.batch_no
  })
}, patience_ms)

afterEach(async () => {
  await last?.close()
  last = undefined
})
afterAll(async () => {
  await endServer(server)
  await base?.remove()
  await rm(folder, { recursive: true, force: true })
})

/** The kill of the server that runs. */
async function kill(): Promise<void> {
  server?.signal('SIGKILL')
  expect((await server?.ended)?.signal).toBe('SIGKILL')
}

/** A process that the next kill can hit. */
async function startNext(): Promise<Client> {
  server = await startServer(base.settings)
  return { url: server.url, token: base.token }
}

async function openLast(): Promise<Client> {
  last = await openServer(base.settings)
  return { url: last.url, token: base.token }
}

/** A little later than the look that showed the step, so that it hits any place of the next one; 0: right after the answer. */
const any_place_ms = 60
/**
 * The kills of the import, between its first and its last commit: after so many acknowledged steps, drawn from a range, and so much later. As long
 * as every attempt gets on, a job is never given up.
 */
const moments = [[1, 2, any_place_ms], [2, 3, 1], [3, 4, any_place_ms], [4, 5, 1], [5, 6, 1]] as const
const kills = moments.map(([from, to, longest_delay_ms]) => ({ after: step * randomInt(from, to), later_ms: randomInt(0, longest_delay_ms) }))

test('10-A25 20-A20 an import goes on by itself after every kill -9, five at any moment between its first and its last commit, and every row is there once', async () => {
  /** Rows that were there after a kill that hit the import under way: after its first commit and before its last. */
  const hits: number[] = []
  let client = await startNext()
  const job_no = await startApply(client, batch_no)
  let before = 0
  for (const [at, { after, later_ms }] of kills.entries()) {
    const shown = await untilJob(client, job_no, job => job.done === pupils || (job.done >= after && job.done > before))
    await pause(later_ms)
    await kill()
    client = await (at < kills.length - 1 ? startNext() : openLast())
    const resumed = await readJob(client, job_no)
    process.stdout.write(`kill -9 ${later_ms} ms after ${shown.done} of ${pupils} rows were acknowledged, ${resumed.done} after the restart\n`)
    if (shown.done > 0 && resumed.done < pupils) hits.push(resumed.done)
    expect(resumed.done).toBeGreaterThanOrEqual(shown.done)
    expect(resumed.total).toBe(pupils)
    before = resumed.done
  }
  expect(await untilBatch(client, batch_no, ['applied', 'failed'])).toMatchObject({ state: 'applied', rows_applied: pupils, rows_recheck: 0, message: null })
  expect(await readJob(client, job_no)).toMatchObject({ state: 'succeeded', done: pupils, failed: 0 })
  expect(last && (await countPupils(last.database, school_id, batch_no))).toEqual({ pupils, numbers: pupils, applied: pupils, targets: pupils, archived: pupils, archived_once: pupils })
  expect(hits.length, `kills at ${hits.join(', ')}`).toBe(kills.length)
}, patience_ms)

/** The kills of the undo, after so many rows that were acknowledged as taken back. */
const undo_kills = [step, step * 4]

test('10-A25 an undo goes on by itself after every kill -9, and leaves the school as it was before the import', async () => {
  let client = await startNext()
  const job_no = await startUndo(client, batch_no)
  const hits: number[] = []
  for (const [at, after] of undo_kills.entries()) {
    const shown = await untilJob(client, job_no, job => job.done >= after)
    if (shown.done < pupils) hits.push(shown.done)
    await kill()
    client = await (at < undo_kills.length - 1 ? startNext() : openLast())
    expect((await readJob(client, job_no)).done).toBeGreaterThanOrEqual(shown.done)
  }
  expect(await untilBatch(client, batch_no, ['undone', 'applied', 'failed'])).toMatchObject({ state: 'undone', rows_undone: pupils, rows_blocked: 0, undo_message: null })
  expect(await readJob(client, job_no)).toMatchObject({ state: 'succeeded', done: pupils, failed: 0 })
  expect(last && (await countPupils(last.database, school_id, batch_no))).toMatchObject({ pupils: 0, numbers: 0, applied: 0 })
  expect(hits.length, `kills at ${hits.join(', ')}`).toBe(undo_kills.length)
}, patience_ms)

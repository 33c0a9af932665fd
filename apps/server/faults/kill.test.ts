import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { importedServers } from './killed-servers.ts'
import type { KilledServers } from './killed-servers.ts'
import { readJob, startApply, untilBatch, untilJob } from './pupil-import.ts'

const pupils = 3000
const step = 500
const patience_ms = 300_000

let servers: KilledServers

beforeAll(async () => {
  servers = await importedServers(pupils)
}, patience_ms)
afterAll(() => servers?.remove())

/** A little later than the look that showed the step, so that it hits any place of the next one; 0: right after the answer. */
const any_place_ms = 60
/**
 * The kills, between the first and the last commit: after so many acknowledged steps, drawn from a range, and so much later. As long as every
 * attempt gets on, a job is never given up.
 */
const moments = [[1, 2, any_place_ms], [2, 3, 1], [3, 4, any_place_ms], [4, 5, 1], [5, 6, 1]] as const
const kills = moments.map(([from, to, longest_delay_ms]) => ({ after: step * randomInt(from, to), later_ms: randomInt(0, longest_delay_ms) }))

test('10-A25 20-A20 an import goes on by itself after every kill -9, five at any moment between its first and its last commit, and every row is there once', async () => {
  const { batch_no } = servers
  /** Rows that were there after a kill that hit the import under way: after its first commit and before its last. */
  const hits: number[] = []
  let client = await servers.startNext()
  const job_no = await startApply(client, batch_no)
  let before = 0
  for (const [at, { after, later_ms }] of kills.entries()) {
    const shown = await untilJob(client, job_no, job => job.done === pupils || (job.done >= after && job.done > before))
    await pause(later_ms)
    await servers.kill()
    client = await (at < kills.length - 1 ? servers.startNext() : servers.openLast())
    const resumed = await readJob(client, job_no)
    process.stdout.write(`kill -9 ${later_ms} ms after ${shown.done} of ${pupils} rows were acknowledged, ${resumed.done} after the restart\n`)
    if (shown.done > 0 && resumed.done < pupils) hits.push(resumed.done)
    expect(resumed.done).toBeGreaterThanOrEqual(shown.done)
    expect(resumed.total).toBe(pupils)
    before = resumed.done
  }  expect(await untilBatch(client, batch_no, ['applied', 'failed'])).toMatchObject({ state: 'applied', rows_applied: pupils, rows_recheck: 0, message: null })
  expect(await readJob(client, job_no)).toMatchObject({ state: 'succeeded', done: pupils, failed: 0 })
  expect(await servers.count()).toEqual({ pupils, numbers: pupils, applied: pupils, targets: pupils, archived: pupils, archived_once: pupils })
  expect(hits.length, `kills at ${hits.join(', ')}`).toBe(kills.length)
}, patience_ms)

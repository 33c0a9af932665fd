import { afterAll, beforeAll, expect, test } from 'vitest'
import { importedServers } from './killed-servers.ts'
import type { KilledServers } from './killed-servers.ts'
import { readJob, startApply, startUndo, untilBatch, untilJob } from './pupil-import.ts'

const pupils = 3000
const step = 500
const patience_ms = 300_000
/** The kills, after so many rows that were acknowledged as taken back. */
const kills = [step, step * 4]

let servers: KilledServers

beforeAll(async () => {
  servers = await importedServers(pupils, async (client, batch_no) => {
    await startApply(client, batch_no)
    const batch = await untilBatch(client, batch_no, ['applied', 'failed'])
    if (batch.rows_applied !== pupils) throw new Error(`the apply says ${JSON.stringify(batch)}`)
  })
}, patience_ms)
afterAll(() => servers?.remove())

test('10-A25 an undo goes on by itself after every kill -9, and leaves the school as it was before the import', async () => {
  const { batch_no } = servers
  let client = await servers.startNext()
  const job_no = await startUndo(client, batch_no)
  const hits: number[] = []
  for (const [at, after] of kills.entries()) {
    const shown = await untilJob(client, job_no, job => job.done >= after)
    if (shown.done < pupils) hits.push(shown.done)
    await servers.kill()
    client = await (at < kills.length - 1 ? servers.startNext() : servers.openLast())
    expect((await readJob(client, job_no)).done).toBeGreaterThanOrEqual(shown.done)
  }
  expect(await untilBatch(client, batch_no, ['undone', 'applied', 'failed'])).toMatchObject({ state: 'undone', rows_undone: pupils, rows_blocked: 0, undo_message: null })
  expect(await readJob(client, job_no)).toMatchObject({ state: 'succeeded', done: pupils, failed: 0 })
  expect(await servers.count()).toMatchObject({ pupils: 0, numbers: 0, applied: 0 })
  expect(hits.length, `kills at ${hits.join(', ')}`).toBe(kills.length)
}, patience_ms)

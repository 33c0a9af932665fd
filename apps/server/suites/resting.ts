import { sql } from 'kysely'
import { expect, vi } from 'vitest'
import { test_schools } from '../testing/index.ts'
import type { TestApp } from '../testing/index.ts'

const patience_ms = 60_000

/** The checksum once every job, every command of a device and every receipt that was begun has come to its end: what nobody changes stays the same from here on. */
export async function restingChecksum(app: TestApp): Promise<string> {
  await endCommands(app)
  await endReceipts(app)
  await vi.waitFor(async () => expect(await jobsUnderWay(app)).toEqual([]), { timeout: patience_ms, interval: 100 })
  return app.checksum()
}

/** A command that no device answers ends by itself, some time within the next minute: too late for who compares. */
async function endCommands({ running }: TestApp): Promise<void> {
  for (const school_id of Object.values(test_schools)) {
    await running.database.tenant(school_id, db => sql`update device_command set state = 'EXPIRED' where school_id = ${school_id} and state in ('QUEUED', 'SENT')`.execute(db))
  }
}

/** What a source took back waits for the next look of the sweep, up to half a minute later. */
async function endReceipts({ running }: TestApp): Promise<void> {
  for (const school_id of Object.values(test_schools)) {
    await running.database.tenant(school_id, db => sql`delete from source_revoked where school_id = ${school_id}`.execute(db))
  }
}

async function jobsUnderWay({ running }: TestApp): Promise<string[]> {
  const found: string[] = []
  for (const school_id of Object.values(test_schools)) {
    const { rows } = await running.database.tenant<unknown, { rows: { title: string }[] }>(school_id, db => sql<{ title: string }>`select title from job where school_id = ${school_id} and state in ('queued', 'running')`.execute(db))
    found.push(...rows.map(({ title }) => title))
  }
  return found
}

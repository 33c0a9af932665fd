import { setTimeout as delay } from 'node:timers/promises'
import type { TestApp } from '@apps/server/testing'
import { sql } from 'kysely'

const [most_looks, look_ms] = [200, 50] as const

/** Lets so many minutes pass, and waits until the timers of publishing that came due have run. */
export async function moveTo(app: TestApp, minutes: number): Promise<void> {
  app.clock.advance(minutes * 60_000)
  for (let looks = 0; looks < most_looks; looks += 1) {
    const { rows } = await app.running.database.tenant<unknown, { rows: unknown[] }>(0, db => sql`select 1 from work where kind like 'publishing.%' and due_at <= ${app.clock.now()} limit 1`.execute(db))
    if (rows.length === 0) return
    await delay(look_ms)
  }
}

import { settleWaiting } from '@campus/people/server'
import type { App } from '@kit/server/http'
import type { QueryExecutorProvider } from 'kysely'
import { device_effect } from './device.effect.ts'
import { readWaiting, takeConfirmed } from './wait.queries.ts'
import { waitingText } from './waiting.sentence.ts'

type Desk = { app: App; db: QueryExecutorProvider; school_id: number; now: Date }

/** Tells receipts of changes what these devices have confirmed, of the people behind `row_keys` or of everybody: which devices are still waited for, or that none is. */
export async function confirmChanges(desk: Desk, device_ids: readonly string[], row_keys: readonly string[] | null = null): Promise<void> {
  if (device_ids.length === 0 || row_keys?.length === 0) return
  const parts = await takeConfirmed(desk, device_ids, row_keys)
  // Commands are locked in the order of their ids; who is left is read behind the lock, so that of two devices that confirm at once the second closes the line.
  for (const part of parts.toSorted((a, b) => Number(BigInt(a.command_id) - BigInt(b.command_id)))) {
    await settleWaiting(desk, { ...part, ...device_effect }, async () => {
      const left = await readWaiting(desk, part)
      return left.length === 0 ? null : waitingText(left)
    })
  }
}

import { ackErasure, settleWaiting } from '@campus/people/server'
import type { App } from '@kit/server/http'
import type { QueryExecutorProvider } from 'kysely'
import { device_effect } from './device.effect.ts'
import { terminalStore } from '../person.follow.ts'
import { erasedUsers, readWaiting, takeConfirmed, takeWaits } from './wait.queries.ts'
import type { Part } from './wait.queries.ts'
import { waitingText } from './waiting.sentence.ts'

type Desk = { app: App; db: QueryExecutorProvider; school_id: number; now: Date }

/** Tells receipts of changes what these devices have confirmed, of the people behind `row_keys` or of everybody: which devices are still waited for, or that none is. */
export async function confirmChanges(desk: Desk, device_ids: readonly string[], row_keys: readonly string[] | null = null): Promise<void> {
  if (device_ids.length === 0 || row_keys?.length === 0) return
  await settleParts(desk, await takeConfirmed(desk, device_ids, row_keys))
}

/**
 * A device is retired: nobody waits for its word any more. Of people who were erased and whom it may still hold, as a lost one does, the proof of their erasure says so: it is closed, and nobody takes it for the device's own word
 * (chapter 30 §1.3, `lost_device`).
 */
export async function endWaits(desk: Desk, device_id: string): Promise<void> {
  const { db, school_id, now } = desk
  await settleParts(desk, await takeWaits(desk, device_id))
  for (const user_id of await erasedUsers(desk, device_id)) await ackErasure({ app: desk.app, db, school_id, now }, { user_id, store: terminalStore(device_id) }, `设备已登记遗失，没有删除回执 ${now.toISOString()}`)
}

async function settleParts(desk: Desk, parts: readonly Part[]): Promise<void> {
  // Commands are locked in the order of their ids; who is left is read behind the lock, so that of two devices that confirm at once the second closes the line.
  for (const part of parts.toSorted((a, b) => Number(BigInt(a.command_id) - BigInt(b.command_id)))) {
    await settleWaiting(desk, { ...part, ...device_effect }, async () => {
      const left = await readWaiting(desk, part)
      return left.length === 0 ? null : waitingText(left)
    })
  }
}

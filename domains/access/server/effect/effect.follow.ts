import { devicesEvents } from '@campus/devices/contract'
import { asTables } from '@kit/server/db'
import { consume } from '@kit/server/event'
import type { EventDesk } from '@kit/server/http'
import { sql } from 'kysely'
import type { AccessDb } from '../db.ts'

const [waits, done, failed] = [0, 1, 2] as const
const longest_text = 200
const { caughtUp, rowFailed } = devicesEvents

/** A door that has answered everything closes its receipts; one for which more is due closes them later. */
async function closeEffects({ db: handle, school_id, now }: EventDesk, device_id: string): Promise<void> {
  await asTables<AccessDb>(handle)
    .updateTable('access_effect')
    .set({ state: done, done_at: now })
    .where('school_id', '=', school_id)
    .where('device_id', '=', device_id)
    .where('state', '=', waits)
    .where(
      sql<boolean>`not exists (select 1 from sync_waiting_v w where w.school_id = ${school_id} and w.device_id = ${device_id})`,
    )
    .execute()
}

async function failEffects({ db: handle, school_id, now }: EventDesk, device_id: string, sentence: string): Promise<void> {
  await asTables<AccessDb>(handle)
    .updateTable('access_effect')
    .set({ state: failed, done_at: now, text: sentence.slice(0, longest_text) })
    .where('school_id', '=', school_id)
    .where('device_id', '=', device_id)
    .where('state', '=', waits)
    .execute()
}

/** Receipts follow what devices answer (chapter 35 §7). */
export const effectConsumers = [
  consume('access.effect.caught_up', caughtUp.name, caughtUp.payload, (desk, { device_id }) => closeEffects(desk, device_id)),
  consume('access.effect.failed', rowFailed.name, rowFailed.payload, (desk, { device_id, user_id, sentence }) =>
    user_id === undefined ? Promise.resolve() : failEffects(desk, device_id, sentence),
  ),
]

import { devicesEvents } from '@campus/devices/contract'
import { asTables } from '@kit/server/db'
import { consumeMany } from '@kit/server/event'
import type { PassDb } from './db.ts'
import { readPasses } from './read-journal.ts'

/** So many records are read in one transaction: enough for the rush of a morning, few enough that others get their turn. */
const at_once = 500

/** What doors record becomes passes, in pieces (chapter 35 R25). */
export const passConsumers = [
  consumeMany('access.read_passes', { event: devicesEvents.passRecorded.name, at_once }, devicesEvents.passRecorded.payload, async (step, keys) => {
    await readPasses({ ...step, db: asTables<PassDb>(step.db) }, keys)
  }),
]

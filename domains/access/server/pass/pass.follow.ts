import { devicesEvents } from '@campus/devices/contract'
import { asTables } from '@kit/server/db'
import { facesEvents } from '@campus/faces/contract'
import { consume, consumeMany } from '@kit/server/event'
import type { PassDb } from './db.ts'
import { dropPhotosOf } from './photo.ts'
import { readPasses } from './read-journal.ts'

/** So many records are read in one transaction: enough for the rush of a morning, few enough that others get their turn. */
const at_once = 500

/** What doors record becomes passes, in pieces (chapter 35 R25). */
export const passConsumers = [
  consumeMany('access.read_passes', { event: devicesEvents.passRecorded.name, at_once }, devicesEvents.passRecorded.payload, async (step, keys) => {
    await readPasses({ ...step, db: asTables<PassDb>(step.db) }, keys)
  }),
  // Who takes back the consent to his face takes back what was taken of it at doors (R16).
  consume('access.photos.consent', facesEvents.consentWithdrawn.name, facesEvents.consentWithdrawn.payload, (step, { user_id }) =>
    dropPhotosOf({ ...step, db: asTables<PassDb>(step.db) }, user_id, 'consent').then(() => undefined),
  ),
]

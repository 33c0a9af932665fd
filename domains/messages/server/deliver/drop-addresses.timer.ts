import type { TimerKind } from '@kit/server/event'
import { asMessages } from '../db.ts'

export const drop_addresses = 'message.drop_addresses'

/** Addresses of people without an account go after seven days (chapter 10 M3). */
export const dropAddresses: TimerKind = {
  kind: drop_addresses,
  async run(db, { school_id, now }) {
    await asMessages(db).deleteFrom('message_address').where('school_id', '=', school_id).where('drop_at', '<=', now).execute()
  },
}

import { setTimer } from '@kit/server/event'
import type { TimerKind } from '@kit/server/event'
import { schoolsOf } from '../account.queries.ts'
import { asIdentity } from '../db.ts'
import { revokeSessions } from '../session.queries.ts'
import type { UserStateDesk } from '../user-state.ts'

const kind = 'identity.login_moved'

/**
 * A login has changed hands: whoever is signed in with this account in another school must show who he is. Each of these schools ends the sessions in
 * a transaction of its own, within a second.
 */
export async function endElsewhere({ app, db, school_id, now }: UserStateDesk, user_id: string): Promise<void> {
  for (const other of await schoolsOf(asIdentity(db), user_id)) {
    if (other !== school_id) await setTimer({ app, db, school_id: other }, { kind, ref: user_id, due_at: now })
  }
}

/** The sessions of one account in one school end. */
export const loginMoved: TimerKind = {
  kind,
  async run(db, { app, school_id, ref, now }) {
    await revokeSessions(asIdentity(db), { app, school_id, user_id: ref, reason: 'password', now }, undefined)
  },
}

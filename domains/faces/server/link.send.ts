import { createHash, randomBytes } from 'node:crypto'
import { facesTemplates } from '@campus/faces/contract'
import { send } from '@campus/messages/server'
import type { Act } from './db.ts'
import type { Sitter } from './people.ts'

const secret_bytes = 32
const days_ms = 7 * 86_400_000

/** What stands for a secret of 256 bits, which nobody can guess: no key is needed. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** Asks each of them by a link of his own, which works for seven days; an earlier one of his for the same person ends (chapter 40 §1.2). */
export async function sendLinks(
  act: Act,
  { user_id, user_name }: Sitter,
  log_id: string,
  to: readonly { user_id: string; subject_user_id?: string }[],
): Promise<void> {
  const { db, school_id, now } = act
  for (const one of to) {
    const secret = randomBytes(secret_bytes).toString('hex')
    const fresh = { token_sha256: hashOf(secret), tries: 0, expires_at: new Date(now.getTime() + days_ms) }
    await db
      .insertInto('face_consent_link')
      .values({ school_id, user_id, confirm_user: one.user_id, ...fresh })
      .onConflict(clash => clash.columns(['school_id', 'user_id', 'confirm_user']).doUpdateSet(fresh))
      .execute()
    const link = `/m/face/${school_id}-${secret}`
    await send(act, {
      template: facesTemplates.ask,
      source_ref: `${log_id}/${one.user_id}`,
      to: [one],
      values: { name: user_name },
      link,
      level: 2,
    })
  }
}

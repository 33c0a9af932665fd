import { facesErrors } from '@campus/faces/contract'
import { schoolDay } from '@campus/school/server'
import { fail } from '@kit/contract'
import { agreed, lockConsent, needsOf, refuse, refused, scenes, sign, withdrawn, writeLog } from './consent.core.ts'
import type { Act } from './db.ts'
import { planOwnAge } from './own-age.ts'
import { guardiansOf } from './people.ts'
import type { Sitter } from './people.ts'
import type { Policy } from './policy.ts'

const receipt_signs = 12
/** The number of a receipt: how the hash of its line in the ledger begins. */
export const receiptOf = (hash: string): string => hash.slice(0, receipt_signs)

/** The last word of a person or of a guardian about one face. */
export function lastAnswer({ db, school_id }: Act, user_id: string) {
  return db
    .selectFrom('face_consent_log')
    .select(['at', 'hash'])
    .where('school_id', '=', school_id)
    .where('user_id', '=', user_id)
    .where('status', 'in', [agreed, refused, withdrawn])
    .orderBy('log_id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Who answers for whom: himself, or a guardian for his child. */
type Answering = { sitter: Sitter; by: string; answer: number; ip: string }

/**
 * An answer is written into the ledger and takes effect at once. The caller holds the policy.
 * @returns the number of the receipt
 * @throws Refusal notAsked, notGuardian, guardianNeeded, answered, othersRefusal
 */
export async function takeAnswer(act: Act, policy: Policy, { sitter, by, answer, ip }: Answering): Promise<string> {
  const { db, school_id, now } = act
  const { user_id } = sitter
  const today = schoolDay(now)
  const is_child = user_id !== by
  const guardian = is_child ? (await guardiansOf(db, school_id, [user_id])).find(one => one.parent_user_id === by) : undefined
  if (is_child && !guardian) throw fail(facesErrors.notGuardian)
  if (!is_child && !needsOf(sitter, policy, today).self && answer === agreed) throw fail(facesErrors.guardianNeeded)
  await requireOpen(act, user_id, answer, is_child)
  const line = {
    user_id,
    status: answer,
    confirm_scene: is_child ? scenes.guardian : scenes.self,
    confirm_user: by,
    relation: guardian?.relation ?? null,
    ip,
  }
  const { log_id, hash } = await writeLog(act, policy, line)
  if (answer !== agreed) await refuse(act, policy, user_id, { by, is_withdrawal: answer === withdrawn })
  else {
    await sign(act, policy, sitter, today, { side: is_child ? 'guardian' : 'self', log_id, by })
    if (is_child) await planOwnAge(act, sitter)
  }
  return receiptOf(hash)
}

/** A second answer of the same kind says nothing new. @throws Refusal notAsked, answered */
async function requireOpen(act: Act, user_id: string, answer: number, is_child: boolean): Promise<void> {
  const before = await lockConsent(act, user_id)
  if (!before) throw fail(facesErrors.notAsked)
  const is_signed = (is_child ? before.guardian_log_id : before.self_log_id) !== null
  const is_refused = before.refused_by !== null
  const is_again =
    answer === agreed ? is_signed && before.state === 1 : answer === withdrawn ? !is_signed && before.state === 0 : is_refused
  if (is_again) throw fail(facesErrors.answered)
}

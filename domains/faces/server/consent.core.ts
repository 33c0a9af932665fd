import { createHash } from 'node:crypto'
import { facesErrors, facesEvents } from '@campus/faces/contract'
import { fail } from '@kit/contract'
import { publish } from '@kit/server/event'
import type { Act } from './db.ts'
import { endFaces } from './erase.ts'
import { pupils } from './people.ts'
import type { Sitter } from './people.ts'
import type { Policy } from './policy.ts'
import { dropFace, pushFace } from './push.ts'

/** Whose signature a consent needs (chapter 40 rule 34). */
export type Needs = { self: boolean; guardian: boolean }
export const [agreed, refused, withdrawn, asked] = [1, 2, 3, 4] as const
export const scenes = { staff: 5, self: 6, guardian: 7, paper: 8, system: 9 } as const
export const own_age = 14
const grown_age = 18
const [by_withdrawal, by_refusal] = [1, 2] as const
const no_hash = '0'.repeat(64)

/** A pupil below fourteen, or of unknown age, is decided for by a guardian; from fourteen on as the school has set; everybody else decides himself. */
export function needsOf({ person_kind, birthday }: Pick<Sitter, 'person_kind' | 'birthday'>, { minor_14_17 }: Pick<Policy, 'minor_14_17'>, today: string): Needs {
  if (person_kind !== pupils) return { self: true, guardian: false }
  const age = birthday === null ? 0 : ageOn(birthday, today)
  if (age < own_age) return { self: false, guardian: true }
  return age < grown_age && minor_14_17 === 1 ? { self: true, guardian: true } : { self: true, guardian: false }
}

/** Whole years on a day. */
function ageOn(birthday: string, day: string): number {
  return Number(day.slice(0, 4)) - Number(birthday.slice(0, 4)) - (day.slice(5) < birthday.slice(5) ? 1 : 0)
}

export type LogLine = { user_id: string; status: number; confirm_scene: number; confirm_user: string | null; relation?: string | null; ip?: string | null; evidence_file_key?: string | null; user_role?: string }

/** One line of the ledger; it carries the hash of the line before it, so that a changed one is found (chapter 40 §9, 33). The caller holds the policy. */
export async function writeLog({ db, school_id, now }: Act, policy: Policy, line: LogLine): Promise<{ log_id: string; hash: string }> {
  const last = await db.selectFrom('face_consent_log').select('hash').where('school_id', '=', school_id).orderBy('log_id', 'desc').limit(1).executeTakeFirst()
  const prev_hash = last?.hash ?? no_hash
  const kept = {
    user_id: line.user_id, user_role: line.user_role ?? 'SYS003', protocol_code: policy.protocol_code, protocol_version: policy.protocol_version, text_sha256: hashOf(policy.protocol_text),
    status: line.status, confirm_scene: line.confirm_scene, confirm_user: line.confirm_user, relation: line.relation ?? null, ip: line.ip ?? null, evidence_file_key: line.evidence_file_key ?? null,
  }
  const hash = hashOf(JSON.stringify([prev_hash, now.toISOString(), ...Object.values(kept)]))
  const { log_id } = await db.insertInto('face_consent_log').values({ school_id, at: now, prev_hash, hash, ...kept }).returning('log_id').executeTakeFirstOrThrow()
  return { log_id, hash }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

type Consent = { state: number; protocol_version: number; self_log_id: string | null; guardian_log_id: string | null; refused_by: string | null }

/** What is known of somebody's consent, locked. */
export async function lockConsent({ db, school_id }: Act, user_id: string): Promise<Consent | undefined> {
  return db.selectFrom('face_consent').select(['state', 'protocol_version', 'self_log_id', 'guardian_log_id', 'refused_by']).where('school_id', '=', school_id).where('user_id', '=', user_id).forUpdate().executeTakeFirst()
}

/** Somebody is asked, once again or for the first time: what he has answered before stays. */
export async function noteAsked({ db, school_id, now }: Act, policy: Policy, user_id: string): Promise<void> {
  await db
    .insertInto('face_consent')
    .values({ school_id, user_id, state: 0, protocol_version: policy.protocol_version, asked_at: now })
    .onConflict(clash => clash.columns(['school_id', 'user_id']).doUpdateSet({ asked_at: now, protocol_version: policy.protocol_version }))
    .execute()
}

export type Signature = { side: 'self' | 'guardian' | 'both'; log_id: string; by: string }

/**
 * A signature comes in; with all that are needed the consent is given and the face goes out.
 * @returns whether it is given now
 * @throws Refusal othersRefusal: only who has refused can take that back
 */
export async function sign(act: Act, policy: Policy, sitter: Sitter, today: string, { side, log_id, by }: Signature): Promise<boolean> {
  const { app, db, school_id, now } = act
  const { user_id } = sitter
  const before = await lockConsent(act, user_id)
  if (before?.refused_by && before.refused_by !== by && side !== 'both') throw fail(facesErrors.othersRefusal)
  const is_current = before?.protocol_version === policy.protocol_version
  const signed = {
    self_log_id: side === 'guardian' ? (is_current ? (before?.self_log_id ?? null) : null) : log_id,
    guardian_log_id: side === 'self' ? (is_current ? (before?.guardian_log_id ?? null) : null) : log_id,
  }
  const needs = needsOf(sitter, policy, today)
  const is_given = (!needs.self || signed.self_log_id !== null) && (!needs.guardian || signed.guardian_log_id !== null)
  if (before?.state === 1 && !is_given) await dropFace(act, user_id)
  const kept = { state: is_given ? 1 : 0, protocol_version: policy.protocol_version, ...signed, refused_at: null, refused_by: null }
  await db.insertInto('face_consent').values({ school_id, user_id, ...kept }).onConflict(clash => clash.columns(['school_id', 'user_id']).doUpdateSet(kept)).execute()
  if (!is_given) return false
  await publish({ app, db, school_id, now }, facesEvents.consentGiven, { user_id })
  await pushFace(act, user_id)
  return true
}

/** Somebody says no, or takes his consent back: terminals forget the face at once, and the pictures go (chapter 40 §2.3). */
export async function refuse(act: Act, policy: Policy, user_id: string, { by, is_withdrawal }: { by: string; is_withdrawal: boolean }): Promise<void> {
  const { app, db, school_id, now } = act
  await lockConsent(act, user_id)
  await endFaces(act, [user_id], { cause: is_withdrawal ? by_withdrawal : by_refusal })
  const kept = { state: 0, protocol_version: policy.protocol_version, self_log_id: null, guardian_log_id: null, refused_at: now, refused_by: by }
  await db.insertInto('face_consent').values({ school_id, user_id, ...kept }).onConflict(clash => clash.columns(['school_id', 'user_id']).doUpdateSet(kept)).execute()
  await publish({ app, db, school_id, now }, facesEvents.consentWithdrawn, { user_id })
}

/** A consent is open again, without a word of the person's: terminals forget the face, the picture waits. */
export async function reopen(act: Act, user_ids: readonly string[]): Promise<void> {
  const { db, school_id } = act
  const given = await db.selectFrom('face_consent').select('user_id').where('school_id', '=', school_id).where('user_id', 'in', ['0', ...user_ids]).where('state', '=', 1).forUpdate().execute()
  for (const { user_id } of given) {
    await dropFace(act, user_id)
    await db.updateTable('face_consent').set({ state: 0, self_log_id: null, guardian_log_id: null }).where('school_id', '=', school_id).where('user_id', '=', user_id).execute()
  }
}

/** The protocol says something new: everybody is asked again. */
export async function reopenConsents(act: Act, protocol_version: number): Promise<void> {
  const { db, school_id } = act
  const given = await db.selectFrom('face_consent').select('user_id').where('school_id', '=', school_id).where('state', '=', 1).where('protocol_version', '<', protocol_version).execute()
  await reopen(act, given.map(one => one.user_id))
}

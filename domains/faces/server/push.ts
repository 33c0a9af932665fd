import { facesEvents } from '@campus/faces/contract'
import { credentialHolders, declareCredentials, revoke } from '@campus/devices/server'
import type { CredentialHolder } from '@campus/devices/server'
import { publish } from '@kit/server/event'
import type { Act } from './db.ts'

/** The source under which devices know what this domain declares. */
export const source = 'faces'
export const refOf = (user_id: string): string => `face ${user_id}`
export const userOf = (source_ref: string): string => source_ref.replace('face ', '')

const given = 1

/**
 * Gives somebody's face to the terminals, if he has a working one and consents; the row that feeds them has a foreign key to the consent,
 * so that without one it cannot be written (chapter 40 §1.2).
 * @returns whether it goes out
 */
export async function pushFace(act: Act, user_id: string): Promise<boolean> {
  const { app, db, school_id, now } = act
  const face = await db
    .selectFrom('face')
    .select(['face_id', 'file_key', 'photo_sha256'])
    .where('school_id', '=', school_id)
    .where('user_id', '=', user_id)
    .where('ended_at', 'is', null)
    .where('current_from', 'is not', null)
    .executeTakeFirst()
  const consent = await db.selectFrom('face_consent').select(['state', 'guardian_log_id', 'self_log_id']).where('school_id', '=', school_id).where('user_id', '=', user_id).executeTakeFirst()
  if (!face?.file_key || !face.photo_sha256 || consent?.state !== given) return false
  const row = { face_id: face.face_id, consent_state: given, photo_sha256: face.photo_sha256, consent_log_id: consent.guardian_log_id ?? consent.self_log_id, since: now }
  await db.insertInto('face_credential').values({ school_id, user_id, ...row }).onConflict(clash => clash.columns(['school_id', 'user_id']).doUpdateSet(row)).execute()
  await declareCredentials({ app, db, school_id, now }, [{
    user_id, cred_kind: 'face', file: { file_key: face.file_key, sha256: face.photo_sha256 }, usable: true, source, source_ref: refOf(user_id), version: Number(face.face_id),
  }])
  await publish({ app, db, school_id, now }, facesEvents.ready, { user_id })
  return true
}

/** Takes somebody's face from the terminals. @returns the devices that have to forget it */
export async function dropFace({ app, db, school_id, now }: Act, user_id: string): Promise<CredentialHolder[]> {
  const refs = [refOf(user_id)]
  const holders = await credentialHolders({ db, school_id }, source, refs)
  const gone = await db.deleteFrom('face_credential').where('school_id', '=', school_id).where('user_id', '=', user_id).returning('user_id').executeTakeFirst()
  if (!gone) return []
  await revoke({ app, db, school_id, now }, source, refs)
  await publish({ app, db, school_id, now }, facesEvents.suspended, { user_id })
  return holders
}

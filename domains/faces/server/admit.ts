import { credentialHolders } from '@campus/devices/server'
import { facesErrors, facesEvents } from '@campus/faces/contract'
import { addWork } from '@campus/jobs/server'
import { fail } from '@kit/contract'
import { publish, setTimer } from '@kit/server/event'
import { sql } from 'kysely'
import type { Act } from './db.ts'
import type { Measures } from './detector/measures.ts'
import { judge, likeness } from './detector/verdict.ts'
import { endFace, failed_kind, failed_ms, redetect_kind } from './erase.ts'
import { keepPicture } from './intake.ts'
import type { Picture } from './intake.ts'
import type { Sitter } from './people.ts'
import { lockPolicy } from './policy.ts'
import { dropFace, pushFace, refOf, source as device_source } from './push.ts'
import { forgetVectors, keepVector, vectorsOf } from './vectors.ts'

const [passed, failed] = [2, 3] as const
const replaced = 6
/** A detector that did not answer is asked again after a minute (chapter 40 rule 28). */
const first_look_ms = 60_000
const likeness_case = 1
const decided_twins = 3

/** `outcome`: it works now, it waits (failed, unverified or like somebody else), or it is the picture he has. */
export type Admitted = { face_id: string; outcome: 'current' | 'candidate' | 'same'; alike: string | null }
export type Source = { source: number; batch_no?: string }

/**
 * Somebody's new photograph. It is a candidate until it has passed and is like nobody else's, and only then takes the place of the one that works
 * (chapter 40 §2.2). Admission of a school is one at a time, so that the same face under two names cannot pass twice.
 * @throws Refusal off, duplicate, badPicture
 */
export async function admitFace(act: Act, sitter: Sitter, picture: Picture, { source, batch_no }: Source): Promise<Admitted> {
  const { db, school_id, now } = act
  const { user_id, person_kind } = sitter
  const policy = await lockPolicy(db, school_id)
  const twin = await db.selectFrom('face').select(['face_id', 'user_id']).where('school_id', '=', school_id).where('photo_sha256', '=', picture.sha256).where('ended_at', 'is', null).executeTakeFirst()
  if (twin && twin.user_id !== user_id) throw fail(facesErrors.duplicate, { errors: [{ field: 'face_pics', msg: facesErrors.duplicate.msg }] })
  if (twin) return { face_id: twin.face_id, outcome: 'same', alike: null }
  await endCandidate(act, user_id)
  const { verdict: { detect_state, error_code }, sha256, width, height, bytes } = picture
  const { face_id } = await db
    .insertInto('face')
    .values({ school_id, user_id, person_kind, captured_at: now, source, file_key: picture.file_key, photo_sha256: sha256, width, height, bytes, detect_state, error_code, quality: picture.quality && JSON.stringify(picture.quality), batch_no: batch_no ?? null })
    .returning('face_id')
    .executeTakeFirstOrThrow()
  await keepPicture(act, picture.file_key, face_id)
  const thumb_file_key = await picture.enterThumb(act, face_id)
  await db.updateTable('face').set({ thumb_file_key }).where('school_id', '=', school_id).where('face_id', '=', face_id).execute()
  if (picture.vector) await keepVector(act, face_id, picture.vector, picture.model ?? '')
  if (picture.is_unseen) await addWork(db, { school_id, kind: redetect_kind, ref: face_id, due_at: new Date(now.getTime() + first_look_ms) })
  if (detect_state === failed) await setTimer(act, { kind: failed_kind, ref: face_id, due_at: new Date(now.getTime() + failed_ms) })
  if (detect_state !== passed) return { face_id, outcome: 'candidate', alike: null }
  const alike = picture.vector ? await reportAlike(act, { face_id, user_id }, picture.vector, policy.dup_threshold) : null
  if (alike !== null) return { face_id, outcome: 'candidate', alike }
  await makeCurrent(act, user_id, face_id)
  return { face_id, outcome: 'current', alike: null }
}

/** What the detector says of a picture that it could not look at before: it works from now on, waits for a decision, or has failed. */
export async function settleDetected(act: Act, { face_id, user_id }: { face_id: string; user_id: string }, measures: Measures): Promise<void> {
  const { db, school_id, now } = act
  const policy = await lockPolicy(db, school_id)
  const { detect_state, error_code } = judge(measures, policy.strictness)
  const { vector, model, width, height, ...seen } = measures
  const quality = JSON.stringify({ ...seen, width, height, model })
  const found = { detect_state, error_code, width, height, quality }
  await db.updateTable('face').set(found).where('school_id', '=', school_id).where('face_id', '=', face_id).execute()
  if (vector) await keepVector(act, face_id, vector, model)
  if (detect_state === failed) await setTimer(act, { kind: failed_kind, ref: face_id, due_at: new Date(now.getTime() + failed_ms) })
  if (detect_state !== passed) return
  if (vector && (await reportAlike(act, { face_id, user_id }, vector, policy.dup_threshold)) !== null) return
  await makeCurrent(act, user_id, face_id)
}

async function endCandidate(act: Act, user_id: string): Promise<void> {
  const { db, school_id } = act
  const waiting = await db.selectFrom('face').select('face_id').where('school_id', '=', school_id).where('user_id', '=', user_id).where('ended_at', 'is', null).where('current_from', 'is', null).executeTakeFirst()
  if (waiting) await endFace(act, waiting.face_id, { cause: replaced }, [])
}

/** Compares with every face of the school; the newer one waits, the older one goes on working. @returns who it is like, null for nobody */
async function reportAlike(act: Act, { face_id, user_id }: { face_id: string; user_id: string }, vector: readonly number[], threshold: number): Promise<string | null> {
  const { app, db, school_id, now } = act
  const others = (await vectorsOf(act)).filter(one => one.user_id !== user_id).map(one => ({ ...one, similarity: likeness(vector, one.vector) })).filter(one => one.similarity >= threshold)
  const known = await db.selectFrom('face_case').select(['user_id', 'other_user_id']).where('school_id', '=', school_id).where('state', '=', decided_twins).where(one => one.or([one('user_id', '=', user_id), one('other_user_id', '=', user_id)])).execute()
  const twins = new Set(known.flatMap(row => [row.user_id, row.other_user_id]))
  const [closest] = others.filter(one => !twins.has(one.user_id)).toSorted((one, other) => other.similarity - one.similarity)
  if (!closest) return null
  const { case_id } = await db
    .insertInto('face_case')
    .values({ school_id, kind: likeness_case, face_id, other_face_id: closest.face_id, user_id, other_user_id: closest.user_id, similarity: closest.similarity, found_at: now })
    .returning('case_id')
    .executeTakeFirstOrThrow()
  await publish({ app, db, school_id, now }, facesEvents.duplicateReported, { case_id, user_ids: [user_id, closest.user_id] })
  const label = await db.selectFrom('person_label').select('display_name').where('school_id', '=', school_id).where('user_id', '=', closest.user_id).executeTakeFirst()
  return label?.display_name ?? ''
}

/** A candidate that has passed takes the place of the working face, and goes out where a consent is given. */
export async function makeCurrent(act: Act, user_id: string, face_id: string): Promise<void> {
  const { db, school_id, now } = act
  const former = await db.selectFrom('face').select('face_id').where('school_id', '=', school_id).where('user_id', '=', user_id).where('ended_at', 'is', null).where('current_from', 'is not', null).executeTakeFirst()
  const holders = former ? await credentialHolders({ db, school_id }, device_source, [refOf(user_id)]) : []
  if (former) await dropCredentialRow(act, user_id)
  if (former) await endFace(act, former.face_id, { cause: replaced }, holders)
  await db.updateTable('face').set({ current_from: now, row_version: sql<number>`row_version + 1` }).where('school_id', '=', school_id).where('face_id', '=', face_id).execute()
  if (!(await pushFace(act, user_id))) await dropFace(act, user_id)
  forgetVectors(act, former?.face_id)
}

/** The row of the former picture goes first; the device is only told of the new one, so that nobody stands before a closed gate meanwhile. */
async function dropCredentialRow({ db, school_id }: Act, user_id: string): Promise<void> {
  await db.deleteFrom('face_credential').where('school_id', '=', school_id).where('user_id', '=', user_id).execute()
}

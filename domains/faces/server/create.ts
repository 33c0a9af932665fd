import type { App } from '@kit/server/http'
import { asTables, insertMany } from '@kit/server/db'
import type { QueryExecutorProvider } from 'kysely'
import { agreed, asked, scenes, sign, writeLog } from './consent.core.ts'
import type { Act, FacesDb } from './db.ts'
import { readSitters } from './people.ts'
import { readPolicy } from './policy.ts'

/** A face as it is made in bulk, with pictures that are kept already: for the demo and for tests. */
export type PlannedFace = {
  user_id: string; person_kind: number; file_key: string; thumb_file_key: string; sha256: string; width: number; height: number; bytes: number
  /** 2 passed, 3 failed, 4 unverified */
  detect_state: 2 | 3 | 4; error_code?: string
  consent: 'none' | 'asked' | 'given'
}
type Step = { app: App; db: QueryExecutorProvider; school_id: number; now: Date }
export type PlannedPolicy = { protocol_title: string; protocol_text: string; assessed_on: string }

/** Switches faces on for a school, with its protocol. */
export async function createFacePolicy({ db: handle, school_id }: Step, policy: PlannedPolicy): Promise<void> {
  const kept = { ...policy, enabled: true, protocol_version: 1, row_version: 1 }
  await asTables<FacesDb>(handle).insertInto('face_policy').values({ school_id, ...kept }).onConflict(clash => clash.column('school_id').doUpdateSet(kept)).execute()
}

/** Makes faces, their consents with the ledger, and what devices know of them. */
export async function createFaces({ app, db: handle, school_id, now }: Step, faces: readonly PlannedFace[]): Promise<void> {
  const db = asTables<FacesDb>(handle)
  const act: Act = { app, db, school_id, now, by: null }
  await insertMany(db, 'face', faces.map(({ consent: _consent, sha256, detect_state, error_code = null, ...face }) => ({
    school_id, ...face, captured_at: now, current_from: detect_state === 2 ? now : null, source: 3, photo_sha256: sha256, detect_state, error_code,
  })))
  const policy = await readPolicy(db, school_id)
  const sitters = await readSitters(db, school_id, faces.map(one => one.user_id), null)
  const today = now.toISOString().slice(0, 10)
  for (const { user_id, consent } of faces) {
    const sitter = sitters.get(user_id)
    if (!sitter || consent === 'none') continue
    await writeLog(act, policy, { user_id, status: asked, confirm_scene: scenes.staff, confirm_user: null })
    await db.insertInto('face_consent').values({ school_id, user_id, state: 0, protocol_version: policy.protocol_version, asked_at: now }).execute()
    if (consent === 'asked') continue
    const { log_id } = await writeLog(act, policy, { user_id, status: agreed, confirm_scene: scenes.guardian, confirm_user: null })
    await sign(act, policy, sitter, today, { side: 'both', log_id, by: user_id })
  }
}

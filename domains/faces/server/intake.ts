import { createHash, randomUUID } from 'node:crypto'
import { facesErrors } from '@campus/faces/contract'
import type { FaceError } from '@campus/faces/contract'
import { claim, hold, keepMade, read, release } from '@campus/files/server'
import { commonErrors, fail, Refusal } from '@kit/contract'
import type { Pre } from '@kit/server/http'
import { makeThumb } from '@kit/server/image'
import type { Act, Db } from './db.ts'
import { detectorPort } from './detector/detector.ts'
import { judge } from './detector/verdict.ts'
import type { Verdict } from './detector/verdict.ts'
import { readPolicy } from './policy.ts'

const [intake_kind, face_kind] = ['faces.intake', 'faces.face'] as const
/** The largest sides that are kept; the page has made the picture smaller already (chapter 40 rule 22). */
const fit = { width: 1280, height: 1280 }
const thumb_px = 240

/** A picture that was looked at, outside any transaction: what it is, what the detector says, and a small copy. */
export type Picture = {
  file_key: string; sha256: string; width: number; height: number; bytes: number; verdict: Verdict; vector: readonly number[] | null; model: string | null; quality: Record<string, unknown> | null
  /** the detector could not look at it, although it may */
  is_unseen: boolean
  /** a face and its place, for the page */
  faces: { box: number[]; score: number }[]
  enterThumb(act: Act, face_id: string): Promise<string>
}

/** What a refused picture is told with. */
const refusals: Readonly<Record<FaceError, keyof typeof facesErrors>> = {
  format: 'format', no_face: 'noFace', many_faces: 'manyFaces', too_small: 'tooSmall', angle: 'angle', dark: 'dark', bright: 'bright', blurred: 'blurred', covered: 'covered', duplicate: 'duplicate',
}

/** @throws Refusal of the error, at the field of the picture */
export function refusePicture(error_code: FaceError): never {
  const failure = facesErrors[refusals[error_code]]
  throw fail(failure, { errors: [{ field: 'face_pics', msg: failure.msg }] })
}

/**
 * Takes an uploaded picture in, has it looked at, and makes its small copy. Nothing of it belongs to anybody yet.
 * @throws Refusal off, badPicture, format
 */
export async function lookAt(pre: Pre, file_key: string): Promise<Picture> {
  const { app, now, me } = pre
  if (!me) throw fail(commonErrors.unauthorized)
  const { school_id } = me
  const { policy, is_forbidden } = await pre.own(school_id, async (db: Db) => {
    const config = await db.selectFrom('school_config_v').select('forbid_face_test').where('school_id', '=', school_id).executeTakeFirst()
    return { policy: await readPolicy(db, school_id), is_forbidden: config?.forbid_face_test === 1 }
  })
  if (!policy.enabled) throw fail(facesErrors.off)
  const bytes = await takeIn(pre, school_id, file_key)
  const thumb = await makeThumb(bytes, thumb_px)
  if (!thumb) return refusePicture('format')
  const measures = is_forbidden ? null : await detectorPort.one(app).measure(bytes)
  const { vector = null, ...quality } = measures ?? {}
  const thumb_key = `${school_id}/${me.user_id}/${now.toISOString().slice(0, 10).replaceAll('-', '')}/${randomUUID()}.jpg`
  const enter = await keepMade(pre, school_id, me.user_id, { file_key: thumb_key, purpose: 'face', bytes: thumb })
  return {
    file_key, sha256: createHash('sha256').update(bytes).digest('hex'), width: measures?.width ?? 0, height: measures?.height ?? 0, bytes: bytes.length,
    verdict: judge(measures, policy.strictness), vector, model: measures?.model ?? null, quality: measures && quality, is_unseen: measures === null && !is_forbidden,
    faces: measures && measures.face_count > 0 ? [{ box: [...measures.box], score: measures.score }] : [],
    async enterThumb({ app: of, db, school_id: school, now: at }, face_id) {
      await enter({ app: of, db, school_id: school, now: at }, { ref_kind: face_kind, ref_id: face_id })
      return thumb_key
    },
  }
}

/** Its first use is this look, so that it is checked and written anew; who it belongs to is decided afterwards. @throws Refusal badPicture */
async function takeIn(pre: Pre, school_id: number, file_key: string): Promise<Buffer> {
  const { app, now } = pre
  try {
    const enter = await claim(pre, { file_key, purpose: 'face', fit, held_by: { ref_kind: intake_kind, ref_id: file_key } })
    await pre.own(school_id, (db: Db) => enter({ app, db, school_id, now }, { ref_kind: intake_kind, ref_id: file_key }))
    return (await read(pre, { school_id, file_key })).bytes
  } catch (error) {
    if (error instanceof Refusal) throw fail(facesErrors.badPicture, { errors: [{ field: 'face_pics', msg: facesErrors.badPicture.msg }] })
    throw error
  }
}

/** The picture is somebody's from now on. @throws Refusal badPicture when it is gone */
export async function keepPicture({ app, db, school_id, now }: Act, file_key: string, face_id: string): Promise<void> {
  const place = { app, db, school_id, now }
  if (!(await hold(place, file_key, { ref_kind: face_kind, ref_id: face_id }))) throw fail(facesErrors.badPicture)
  await release(place, { ref_kind: intake_kind, ref_id: file_key }, { file_key })
}

/** The picture is nobody's: it goes with what is unused. */
export async function leavePicture(pre: Pre, school_id: number, file_key: string): Promise<void> {
  const { app, now } = pre
  await pre.own(school_id, (db: Db) => release({ app, db, school_id, now }, { ref_kind: intake_kind, ref_id: file_key }, { file_key }))
}

import { pictureKey } from '@campus/files/server'
import { openText, sealText } from '@kit/server/secrets'
import type { App } from '@kit/server/http'
import { z } from 'zod'
import type { Act } from './db.ts'

/** What a vector is sealed for: it opens as this face's alone. */
const purposeOf = (school_id: number, face_id: string): string => `faces.template:${school_id}:${face_id}`
const Vector = z.array(z.number())

/** Opened vectors of this process, by school and face: a batch of pictures is compared with the whole school again and again. */
const opened = new WeakMap<App, Map<string, readonly number[]>>()
const most_kept = 20_000

export type Known = { face_id: string; user_id: string; vector: readonly number[] }

/** Keeps a vector under the key of the school's pictures, which is destroyed when the school leaves (40 R39). */
export async function keepVector(act: Act, face_id: string, vector: readonly number[], model: string): Promise<void> {
  const { db, school_id } = act
  const text = JSON.stringify(vector.map(one => Math.round(one * 10_000) / 10_000))
  const vector_enc = sealText(await pictureKey(act), purposeOf(school_id, face_id), text)
  await db.insertInto('face_template').values({ school_id, face_id, vector_enc, model, dims: vector.length }).execute()
}

/** @throws Error when it was sealed with another key or for another face */
export function openVector(key: Buffer, school_id: number, face_id: string, sealed: Buffer): readonly number[] {
  return Vector.parse(JSON.parse(openText(key, purposeOf(school_id, face_id), sealed)))
}

/** The vectors of all faces of a school that are in use or wait. */
export async function vectorsOf(act: Act): Promise<Known[]> {
  const { app, db, school_id } = act
  const kept = opened.get(app) ?? new Map<string, readonly number[]>()
  opened.set(app, kept)
  const faces = await db
    .selectFrom('face_template as t')
    .innerJoin('face as f', join => join.on('f.school_id', '=', school_id).onRef('f.face_id', '=', 't.face_id'))
    .select(['t.face_id', 'f.user_id'])
    .where('t.school_id', '=', school_id)
    .where('f.ended_at', 'is', null)
    .execute()
  const name = (face_id: string) => `${school_id} ${face_id}`
  const missing = faces.filter(({ face_id }) => !kept.has(name(face_id))).map(({ face_id }) => face_id)
  if (kept.size + missing.length > most_kept) kept.clear()
  if (missing.length > 0) {
    const key = await pictureKey(act)
    const sealed = await db.selectFrom('face_template').select(['face_id', 'vector_enc']).where('school_id', '=', school_id)
      .where('face_id', 'in', missing).execute()
    for (const { face_id, vector_enc } of sealed) kept.set(name(face_id), openVector(key, school_id, face_id, vector_enc))
  }
  return faces.flatMap(({ face_id, user_id }) => {
    const vector = kept.get(name(face_id))
    return vector ? [{ face_id, user_id, vector }] : []
  })
}

/** A face that ended is not kept opened. */
export function forgetVectors({ app, school_id }: Act, face_id: string | undefined): void {
  opened.get(app)?.delete(`${school_id} ${face_id}`)
}

import { openText, sealText } from '@kit/server/secrets'
import type { SealedPart } from '@kit/server/secrets'
import type { App } from '@kit/server/http'
import { z } from 'zod'
import type { Act } from './db.ts'

/** What a vector is sealed for: it opens as this face's alone. */
export const purposeOf = (school_id: number, face_id: string): string => `faces.template:${school_id}:${face_id}`
const Vector = z.array(z.number())

/** Opened vectors of this process, by school and face: a batch of pictures is compared with the whole school again and again. */
const opened = new WeakMap<App, Map<string, readonly number[]>>()
const most_kept = 20_000

export type Known = { face_id: string; user_id: string; vector: readonly number[] }

/** The vectors of all faces of a school that are in use or wait. */
export async function vectorsOf({ app, db, school_id }: Act): Promise<Known[]> {
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
  const sealed = missing.length === 0 ? [] : await db.selectFrom('face_template').select(['face_id', 'vector_enc']).where('school_id', '=', school_id).where('face_id', 'in', missing).execute()
  for (const { face_id, vector_enc } of sealed) kept.set(name(face_id), Vector.parse(JSON.parse(openText(app.secrets.data_key, purposeOf(school_id, face_id), vector_enc))))
  return faces.flatMap(({ face_id, user_id }) => {
    const vector = kept.get(name(face_id))
    return vector ? [{ face_id, user_id, vector }] : []
  })
}

/** A face that ended is not kept opened. */
export function forgetVectors({ app, school_id }: Act, face_id: string | undefined): void {
  opened.get(app)?.delete(`${school_id} ${face_id}`)
}

/** How vectors are sealed anew when the data key changes. */
export const sealedVector: SealedPart = {
  name: 'faces.vector', key: 'data_key', table: 'face_template', ids: [['face_id', 'bigint']], columns: ['vector_enc'],
  carry({ data_key }, school_id, { face_id, vector_enc }) {
    const purpose = purposeOf(school_id, String(face_id))
    return Buffer.isBuffer(vector_enc) ? { vector_enc: sealText(data_key, purpose, openText(data_key, purpose, vector_enc)) } : null
  },
}

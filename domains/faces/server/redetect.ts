import { read } from '@campus/files/server'
import type { WorkKind } from '@campus/jobs/server'
import { asTables } from '@kit/server/db'
import type { Database } from '@kit/server/db'
import { sql } from 'kysely'
import { settleDetected } from './admit.ts'
import type { Act, Db, FacesDb } from './db.ts'
import { detectorPort } from './detector/detector.ts'
import { redetect_kind } from './erase.ts'

/** Seconds between attempts; after the last one the picture waits for a person (chapter 40 rule 28). */
const waits = [300, 1800] as const
const unverified = 4

/** Looks again at a picture that the detector could not look at. */
export function redetectWork(database: Database): WorkKind {
  return {
    kind: redetect_kind,
    waits,
    async run(handle, { app, school_id, ref: face_id, now }) {
      const waiting = await waitingFace(asTables<FacesDb>(handle), school_id, face_id)
      const file_key = waiting?.file_key
      if (!file_key) return
      return async () => {
        const { bytes } = await read({ app, now, own: (id, fn) => database.tenant(id, fn) }, { school_id, file_key })
        const measures = await detectorPort.one(app).measure(bytes)
        if (measures === null) throw new Error('the face detector does not answer')
        await database.tenant(school_id, async (db: Db) => {
          const act: Act = { app, db, school_id, now, by: null }
          const face = await waitingFace(db, school_id, face_id)
          if (face) await settleDetected(act, face, measures)
        })
      }
    },
  }
}

/** A picture that has not been looked at, by the detector or by a person. */
async function waitingFace(db: Db, school_id: number, face_id: string) {
  return db
    .selectFrom('face')
    .select(['face_id', 'user_id', 'file_key'])
    .where('school_id', '=', school_id)
    .where('face_id', '=', face_id)
    .where('detect_state', '=', unverified)
    .where('ended_at', 'is', null)
    .where('verified_at', 'is', null)
    .where(sql<boolean>`current_from is null`)
    .executeTakeFirst()
}

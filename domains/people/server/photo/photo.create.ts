import { holdForMany } from '@campus/files/server'
import { ensureUsers } from '@campus/identity/server'
import { asTables } from '@kit/server/db'
import type { QueryExecutorProvider } from 'kysely'
import { sql } from 'kysely'
import type { PeopleDb } from '../db.ts'
import { photo_kind } from './photo.columns.ts'

const pupil_kind = 1

/** Gives pupils of a school pictures that are kept already, without a word in the journal: for schools that are made whole. Many may share one. */
export async function createPhotos({ db: handle, school_id, now }: { db: QueryExecutorProvider; school_id: number; now: Date }, photos: ReadonlyMap<string, readonly string[]>): Promise<void> {
  const db = asTables<PeopleDb>(handle)
  const given = [...photos].flatMap(([photo, user_ids]) => user_ids.map(user_id => ({ user_id, photo })))
  const { rows } = await sql<{ user_id: string; user_no: string; user_name: string; user_photo: string }>`
    update person p set photo_file_key = x.photo from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) x(user_id bigint, photo text)
    join student s on s.user_id = x.user_id and s.school_id = ${school_id}
    where p.school_id = ${school_id} and p.user_id = x.user_id returning p.user_id::text, s.student_no as user_no, p.user_name, p.photo_file_key as user_photo`.execute(db)
  await ensureUsers(db, school_id, rows.map(row => ({ ...row, user_kind: pupil_kind })))
  for (const [file_key, user_ids] of photos) await holdForMany({ db, school_id, now }, file_key, photo_kind, user_ids)
}

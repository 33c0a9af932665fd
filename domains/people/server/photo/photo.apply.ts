import { hold, release } from '@campus/files/server'
import { ensureUsers } from '@campus/identity/server'
import type { AppliedRow, ApplyRow, ApplyStep, ImportUndo } from '@campus/jobs/server'
import { setTimer } from '@kit/server/event'
import type { TimerKind } from '@kit/server/event'
import { sql } from 'kysely'
import { oneOf } from '../dated.ts'
import type { PeopleDb } from '../db.ts'
import { archiveTouched } from '../import/archive.ts'
import { imagesOf, partKey } from '../import/image.ts'
import { markedRows } from '../import/trail.ts'
import { peopleUndo } from '../import/undo.ts'
import { copyToIdentity, schoolType } from '../staff/staff-file.write.ts'
import { before_kind, photo_kind } from './photo.columns.ts'
import type { PhotoCode } from './photo.columns.ts'
import { meantBy } from './photo.snapshot.ts'
import type { ParsedPhoto, PhotoSnapshot, Sitter } from './photo.snapshot.ts'

type Step = ApplyStep<PeopleDb>
type Row = ApplyRow<ParsedPhoto>
type Told = { row: Row; sitter: Sitter }

const day_ms = 86_400_000
/** A day longer than an import can be taken back. */
const kept_days = 31

/** Gives everybody of a piece the picture of his line; of several lines of one person the first one counts. */
export async function applyPhotos(step: Step, code: PhotoCode, rows: readonly Row[], snapshot: PhotoSnapshot): Promise<AppliedRow[]> {
  const { db, school_id } = step
  const told = await standing(step, firstOfEach(rows.filter(({ judgement }) => judgement.verdict !== 'same'), snapshot))
  const part = (user_id: string) => partKey(code === 'student_photo' ? 's' : 'f', user_id)
  const before = await imagesOf(db, school_id, told.map(({ sitter }) => part(sitter.user_id)))
  const given: Told[] = []
  for (const one of told) if (await givePhoto(step, one.sitter, one.row.parsed.photo)) given.push(one)
  await showCopies(step, code, given)
  await archiveTouched(step, given.map(({ sitter }) => ({
    user_id: sitter.user_id, person_kind: code === 'student_photo' ? 1 : 2, person_no: sitter.no, person_name: sitter.user_name, dept_id: sitter.dept_ids[0],
    changes: [{ field: 'photo', label: '照片', before: sitter.photo_file_key ? '已有照片' : null, after: '新照片' }],
  })))
  const applied = await markedRows(step, before, given.map(({ row, sitter }) => ({ row_no: row.row_no, target_id: sitter.user_id })), ({ target_id }) => [part(target_id)])
  const same = rows.filter(({ judgement }) => judgement.verdict === 'same').map(({ row_no, judgement }) => ({ row_no, target_id: judgement.target_id ?? '', before: null }))
  return [...applied, ...same]
}

function firstOfEach(rows: readonly Row[], snapshot: PhotoSnapshot): Told[] {
  const seen = new Map<string, Told>()
  for (const row of rows) {
    const [sitter] = meantBy(row.parsed, snapshot)
    if (sitter && !seen.has(sitter.user_id)) seen.set(sitter.user_id, { row, sitter })
  }
  return [...seen.values()]
}

/** Who stands as the snapshot saw him; kept so until the transaction ends. */
async function standing({ db, school_id }: Step, told: readonly Told[]): Promise<Told[]> {
  const ids = told.map(({ sitter }) => sitter.user_id)
  const found = await db.selectFrom('person').select(['user_id', 'row_version']).where('school_id', '=', school_id).where('status', '=', 'live').where(oneOf('user_id', ids)).orderBy('user_id').forUpdate().execute()
  const versions = new Map(found.map(row => [row.user_id, row.row_version]))
  return told.filter(({ sitter }) => versions.get(sitter.user_id) === sitter.row_version)
}

/** The picture he had is held as long as the import can be taken back. @returns false when the new one is there no more */
async function givePhoto(step: Step, { user_id, photo_file_key }: Sitter, file_key: string): Promise<boolean> {
  const { db, school_id, me, now } = step
  if (!(await hold(step, file_key, { ref_kind: photo_kind, ref_id: user_id }))) return false
  if (photo_file_key) await layBy(step, user_id, photo_file_key)
  await db
    .updateTable('person')
    .set({ photo_file_key: file_key, row_version: sql<number>`row_version + 1`, updated_at: now, updated_by: me.user_id })
    .where('school_id', '=', school_id)
    .where('user_id', '=', user_id)
    .execute()
  return true
}

async function layBy(step: Step, user_id: string, file_key: string): Promise<void> {
  const { app, db, school_id, now } = step
  await hold(step, file_key, { ref_kind: before_kind, ref_id: user_id })
  await release(step, { ref_kind: photo_kind, ref_id: user_id }, { file_key })
  await setTimer({ app, db, school_id }, { kind: before_kind, ref: `${user_id}@${file_key}`, due_at: new Date(now.getTime() + kept_days * day_ms) })
}

/** The display copies of identity show the picture too. */
async function showCopies(step: Step, code: PhotoCode, given: readonly Told[]): Promise<void> {
  const { db, school_id } = step
  if (given.length === 0) return
  if (code === 'student_photo') return void (await ensureUsers(db, school_id, given.map(({ row, sitter }) => ({ user_id: sitter.user_id, user_no: sitter.no, user_name: sitter.user_name, user_kind: 1, user_photo: row.parsed.photo }))))
  const school_type = await schoolType(step)
  for (const { sitter } of given) await copyToIdentity(step, sitter.user_id, { school_type })
}

/** Taking back gives everybody the picture he had before. */
export const undoPhotos: ImportUndo<PeopleDb> = {
  ...peopleUndo,
  async undo(step, rows, kept) {
    const ids = rows.map(row => row.target_id)
    const had = await photosOf(step, ids)
    await peopleUndo.undo(step, rows, kept)
    const has = await photosOf(step, ids)
    for (const [user_id, gone] of had) {
      const back = has.get(user_id) ?? null
      if (back === gone) continue
      if (gone !== null) await release(step, { ref_kind: photo_kind, ref_id: user_id }, { file_key: gone })
      if (back === null) continue
      await hold(step, back, { ref_kind: photo_kind, ref_id: user_id })
      await release(step, { ref_kind: before_kind, ref_id: user_id }, { file_key: back })
    }
  },
}

async function photosOf({ db, school_id }: Step, user_ids: readonly string[]): Promise<Map<string, string | null>> {
  const found = await db.selectFrom('person').select(['user_id', 'photo_file_key']).where('school_id', '=', school_id).where(oneOf('user_id', user_ids)).execute()
  return new Map(found.map(row => [row.user_id, row.photo_file_key]))
}

/** A picture that was replaced is held no more. */
export const photoBefore: TimerKind = {
  kind: before_kind,
  async run(db, { app, school_id, ref, now }) {
    const at = ref.indexOf('@')
    await release({ app, db, school_id, now }, { ref_kind: before_kind, ref_id: ref.slice(0, at) }, { file_key: ref.slice(at + 1) })
  },
}

import type { AppliedRow, ApplyStep } from '@campus/jobs/server'
import type { PeopleDb } from '../db.ts'
import { sealBefore } from './before.ts'
import { imagesOf, markOf, marksOf, partKey } from './image.ts'
import type { Image } from './image.ts'

/** The people a row wrote to: the pupil it is about, and guardians. */
export type Trodden = { row_no: number; target_id: string; pupil: string; parents: readonly string[] }

/** How the parts stood that a piece may write to. Whatever is missing here the piece makes. */
export type Trail = { before: ReadonlyMap<string, Image>; pupils: ReadonlySet<string> }

/** Looks at known pupils and guardians before a piece is written. */
export async function beginTrail({ db, school_id }: ApplyStep<PeopleDb>, pupils: readonly string[], parents: readonly string[]): Promise<Trail> {
  const keys = [...pupils.flatMap(id => [partKey('s', id), partKey('l', id)]), ...parents.map(id => partKey('p', id))]
  return { before: await imagesOf(db, school_id, [...new Set(keys)]), pupils: new Set(pupils) }
}

/** The applied rows of pupils and guardians with what each of them changed. */
export function endTrail(step: ApplyStep<PeopleDb>, { before, pupils }: Trail, rows: readonly Trodden[]): Promise<AppliedRow[]> {
  return markedRows(step, before, rows, ({ pupil, parents }) => [...pupilKeys(pupil, pupils.has(pupil)), ...parents.flatMap(id => parentKeys(id, before.has(partKey('p', id))))])
}

/** The applied rows with what each of them changed of the parts `keysOf` names: marks of how it stands now, and sealed images of how it stood. */
export async function markedRows<R extends Pick<Trodden, 'row_no' | 'target_id'>>(step: ApplyStep<PeopleDb>, before: Trail['before'], rows: readonly R[], keysOf: (row: R) => string[]): Promise<AppliedRow[]> {
  const { db, school_id, batch_no, app } = step
  const mark_key = app.secrets.id_index_key
  const all = [...new Set(rows.flatMap(keysOf))]
  const marks = await marksOf({ db, school_id, batch_no, mark_key }, all)
  const told = new Set<string>()
  return rows.toSorted((a, b) => a.row_no - b.row_no).map(row => {
    const touched = [...new Set(keysOf(row))].flatMap(key => {
      const mark = marks.get(key)
      const known = before.get(key)
      return mark === undefined || (known && markOf(mark_key, key, known) === mark) ? [] : [{ key, mark }]
    })
    const images = touched.flatMap(({ key }) => (told.has(key) || key.startsWith('u:') ? [] : [{ key, image: before.get(key) ?? null }]))
    for (const { key } of touched) told.add(key)
    return { row_no: row.row_no, target_id: row.target_id, before: images.length > 0 ? sealBefore(app.secrets.data_key, school_id, images) : null, touched }
  })
}

/** Class and state concern an undo only where it takes the whole pupil away. */
function pupilKeys(id: string, is_known: boolean): string[] {
  return is_known ? [partKey('s', id), partKey('l', id)] : [partKey('s', id), partKey('c', id), partKey('l', id), partKey('u', id)]
}

function parentKeys(id: string, is_known: boolean): string[] {
  return is_known ? [partKey('p', id)] : [partKey('p', id), partKey('u', id)]
}

import { addressOf, claimOfVisitor, eraseFile } from '@campus/files/server'
import type { Claimed, Place } from '@campus/files/server'
import { most_material_files } from '@campus/people/contract'
import type { FreshmanDocument, PublicAct, SeasonMaterial } from '@campus/people/contract'
import type { FieldError } from '@kit/contract'
import { asTables, insertMany } from '@kit/server/db'
import type { Pre } from '@kit/server/http'
import { sql } from 'kysely'
import type { Insertable, QueryExecutorProvider } from 'kysely'
import type { Db, PeopleCtx, PeopleDb } from '../db.ts'
import type { Application } from './apply.queries.ts'

/** What a family names with its application: files by material. */
export type Brought = Extract<PublicAct, { act: 'submit' }>['files']
type Entry = { material: string; file_key: string; enter: (place: Place, ref: { ref_kind: string; ref_id: string }) => Promise<Claimed> }

const ref_kind = 'people.freshmen_apply'
/** What the file of a document is used by. */
export const documentUse = (apply_id: string) => ({ ref_kind, ref_id: apply_id })
/** Large enough to read the small print of a household register. */
const readable = { width: 2400, height: 2400 }

/** What is wrong with the documents of an application; `held`: materials that lie with it already. */
export function documentErrors(materials: readonly SeasonMaterial[], files: Brought, held: ReadonlySet<string>): FieldError[] {
  const by_material = Map.groupBy(files, file => file.material)
  const known = new Set(materials.filter(({ upload }) => upload !== 'none').map(({ name }) => name))
  const strange = [...by_material.keys()].filter(name => !known.has(name)).map(name => ({ field: fieldOf(name), msg: `不需要上传${name}` }))
  const missing = materials.filter(({ name, upload }) => upload === 'required' && !by_material.has(name) && !held.has(name)).map(({ name }) => ({ field: fieldOf(name), msg: `请上传${name}` }))
  const many = [...by_material].filter(([, list]) => list.length > most_material_files).map(([name]) => ({ field: fieldOf(name), msg: `${name}最多上传${most_material_files}个文件` }))
  return [...strange, ...missing, ...many]
}

const fieldOf = (material: string) => `material.${material}`

/** Which materials lie with the application that this one would correct: the same number and mobile, not sent in yet or sent back. */
export async function heldMaterials(db: Db, { school_id, season_id, id_no_idx, guardian_mobile }: Application): Promise<Set<string>> {
  const rows = await db
    .selectFrom('freshmen_file as f')
    .innerJoin('freshmen_apply as a', join => join.onRef('a.school_id', '=', 'f.school_id').onRef('a.id', '=', 'f.apply_id'))
    .select('f.material')
    .where('f.school_id', '=', school_id)
    .where('a.season_id', '=', season_id)
    .where('a.id_no_idx', '=', id_no_idx)
    .where('a.guardian_mobile', '=', guardian_mobile)
    .where('a.state', 'in', ['0', '3'])
    .execute()
  return new Set(rows.map(row => row.material))
}

/** Checks what was brought, outside of any transaction; pictures are written anew. @throws Refusal 404, 415 */
export async function claimDocuments(pre: Pre, school_id: number, files: Brought): Promise<Entry[]> {
  const entries: Entry[] = []
  for (const { material, file_key } of files) entries.push({ material, file_key, enter: await claimOfVisitor(pre, school_id, { file_key, fit: readable }) })
  return entries
}

/** Binds documents to an application; of a material that is brought anew the earlier ones go. @throws a violation of freshmen_file_pkey for a file of another application */
export async function keepDocuments(place: Place, apply_id: string, entries: readonly Entry[]): Promise<void> {
  const db = asTables<PeopleDb>(place.db)
  const { school_id, now } = place
  const earlier = await rowsOf(db, school_id, [apply_id])
  const replaced = new Set(entries.map(entry => entry.material))
  await eraseRows(place, earlier.filter(row => replaced.has(row.material)))
  for (const [order_no, { material, file_key, enter }] of entries.entries()) {
    const { mime } = await enter(place, documentUse(apply_id))
    await db.insertInto('freshmen_file').values({ school_id, file_key, apply_id, material, order_no, mime, brought_at: now }).execute()
  }
}

/** Writes documents whose files are kept and in use already, in bulk: for schools that are made whole. */
export function createDocuments(db: QueryExecutorProvider, school_id: number, documents: readonly Omit<Insertable<PeopleDb['freshmen_file']>, 'school_id'>[]): Promise<void> {
  return insertMany(db, 'freshmen_file', documents.map(document => ({ school_id, ...document })))
}

/** The documents of an application with addresses for this reader alone. */
export async function documentsOf({ db, school_id, app, me, now }: PeopleCtx, apply_id: string): Promise<FreshmanDocument[]> {
  const rows = await rowsOf(db, school_id, [apply_id])
  return rows.map(({ file_key, material, mime }) => ({ file_key, material, mime, url: addressOf(app, now, { school_id, file_key, visibility: 'private' }, me) }))
}

/** The documents of these applications go, with their bytes. @returns what went, and in which store it lay */
export async function eraseDocuments(place: Place, apply_ids: readonly string[]): Promise<Gone[]> {
  return eraseRows(place, await rowsOf(asTables<PeopleDb>(place.db), place.school_id, apply_ids))
}

type Gone = { file_key: string; material: string; store: string }

async function eraseRows(place: Place, rows: readonly { file_key: string; material: string }[]): Promise<Gone[]> {
  const db = asTables<PeopleDb>(place.db)
  const gone: Gone[] = []
  for (const { file_key, material } of rows) {
    const store = await eraseFile(place, file_key)
    if (store !== null) gone.push({ file_key, material, store })
    await db.deleteFrom('freshmen_file').where('school_id', '=', place.school_id).where('file_key', '=', file_key).execute()
  }
  return gone
}

function rowsOf(db: Db, school_id: number, apply_ids: readonly string[]) {
  return db.selectFrom('freshmen_file').select(['file_key', 'material', 'mime']).where('school_id', '=', school_id).where(sql<boolean>`apply_id = any(${[...apply_ids]}::uuid[])`).orderBy('brought_at').orderBy('order_no').execute()
}

import type { DictionaryLine, DictionaryType } from '@campus/school/contract'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { SchoolDb } from './db.ts'

type Db = Kysely<SchoolDb>
type Key = { sc_code_type: string; sc_code_item: string }
type NewItem = Key & { school_id: number; name: string; order: number; enabled: boolean; by: string; now: Date }

/** Every type, the ones a school may change first. */
export async function listTypes(db: Db, school_id: number): Promise<DictionaryType[]> {
  const rows = await db
    .selectFrom('dictionary_type as t')
    .innerJoin('dictionary_v as v', 'v.sc_code_type', 't.sc_code_type')
    .leftJoin('school_dictionary_item as o', join => join.onRef('o.school_id', '=', 'v.school_id').onRef('o.sc_code_type', '=', 'v.sc_code_type').onRef('o.sc_code_item', '=', 'v.sc_code_item'))
    .where('v.school_id', '=', school_id)
    .groupBy(['t.sc_code_type', 't.title', 't.editable'])
    .select(['t.sc_code_type', 't.title', 't.editable', sql<number>`count(*)::int`.as('items'), sql<number>`count(o.sc_code_item)::int`.as('own')])
    .orderBy('t.editable', 'desc')
    .orderBy('t.title')
    .execute()
  return rows
}

export function findType(db: Db, sc_code_type: string) {
  return db.selectFrom('dictionary_type').selectAll().where('sc_code_type', '=', sc_code_type).executeTakeFirst()
}

/** The item as the reference has it. */
export function findStandard(db: Db, { sc_code_type, sc_code_item }: Key) {
  return db.selectFrom('dictionary_item').selectAll().where('sc_code_type', '=', sc_code_type).where('sc_code_item', '=', sc_code_item).executeTakeFirst()
}

export function listLines(db: Db, school_id: number, sc_code_type: string): Promise<DictionaryLine[]> {
  return lines(db, school_id, sc_code_type).execute()
}

export function findLine(db: Db, school_id: number, { sc_code_type, sc_code_item }: Key): Promise<DictionaryLine | undefined> {
  return lines(db, school_id, sc_code_type).where('v.sc_code_item', '=', sc_code_item).executeTakeFirst()
}

/** An item as a school sees it, and as the reference calls it. */
export type StoredItem = DictionaryLine
/** What a school itself says of an item. */
export type OwnItem = Key & { name: string; order: number; enabled: boolean }

/** Names an item by type and code. */
export function itemKey({ sc_code_type, sc_code_item }: Key): string {
  return `${sc_code_type}/${sc_code_item}`
}

/** Every item of some types. */
export function listItems(db: Db, school_id: number, types: readonly string[]): Promise<StoredItem[]> {
  return allLines(db, school_id).where(sql<boolean>`v.sc_code_type = any(${[...types]}::text[])`).execute()
}

/** What the school itself says of these items, by their key. */
export async function listOwn(db: Db, school_id: number, keys: readonly string[]): Promise<Map<string, OwnItem>> {
  const rows = await db
    .selectFrom('school_dictionary_item')
    .select(['sc_code_type', 'sc_code_item', 'name', 'order', 'enabled'])
    .where('school_id', '=', school_id)
    .where(sql<boolean>`sc_code_type || '/' || sc_code_item = any(${[...keys]}::text[])`)
    .execute()
  return new Map(rows.map(row => [itemKey(row), row]))
}

/** The item is again as the reference has it. */
export async function removeOwn(db: Db, school_id: number, { sc_code_type, sc_code_item }: Key): Promise<void> {
  await db.deleteFrom('school_dictionary_item').where('school_id', '=', school_id).where('sc_code_type', '=', sc_code_type).where('sc_code_item', '=', sc_code_item).execute()
}

/** Whether another item of the type has this name already. */
export async function isNameTaken(db: Db, school_id: number, { sc_code_type, sc_code_item, name }: Key & { name: string }): Promise<boolean> {
  const found = await db
    .selectFrom('dictionary_v')
    .select('sc_code_item')
    .where('school_id', '=', school_id)
    .where('sc_code_type', '=', sc_code_type)
    .where('name', '=', name)
    .where('sc_code_item', '<>', sc_code_item)
    .executeTakeFirst()
  return found !== undefined
}

/** Writes what the school says of an item. */
export async function writeItem(db: Db, { by, now, ...item }: NewItem): Promise<void> {
  const { name, order, enabled } = item
  await db
    .insertInto('school_dictionary_item')
    .values({ ...item, created_by: by, updated_by: by, created_at: now, updated_at: now })
    .onConflict(on => on.columns(['school_id', 'sc_code_type', 'sc_code_item']).doUpdateSet({ name, order, enabled, updated_by: by, updated_at: now }))
    .execute()
}

function lines(db: Db, school_id: number, sc_code_type: string) {
  return allLines(db, school_id).where('v.sc_code_type', '=', sc_code_type)
}

function allLines(db: Db, school_id: number) {
  return db
    .selectFrom('dictionary_v as v')
    .leftJoin('dictionary_item as i', join => join.onRef('i.sc_code_type', '=', 'v.sc_code_type').onRef('i.sc_code_item', '=', 'v.sc_code_item'))
    .leftJoin('school_dictionary_item as o', join => join.onRef('o.school_id', '=', 'v.school_id').onRef('o.sc_code_type', '=', 'v.sc_code_type').onRef('o.sc_code_item', '=', 'v.sc_code_item'))
    .where('v.school_id', '=', school_id)
    .select(['v.sc_code_type', 'v.sc_code_item', 'v.name', 'v.order', 'v.enabled', 'i.name as standard_name', sql<boolean>`o.sc_code_item is not null`.as('own')])
    .orderBy('v.order')
    .orderBy('v.sc_code_item')
}

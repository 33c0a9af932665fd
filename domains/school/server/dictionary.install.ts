import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { SchoolDb } from './db.ts'

const Types = z.array(z.object({ sc_code_type: z.string(), title: z.string(), editable: z.boolean() }))
const Items = z.array(z.object({ sc_code_type: z.string(), sc_code_item: z.string(), name: z.string(), order: z.number().int() }))
const folder = join(import.meta.dirname, 'data')

/** Brings the shipped dictionaries into the reference tables; codes already there keep their place, names follow the file. */
export async function installDictionaries(db: Kysely<SchoolDb>): Promise<void> {
  const types = Types.parse(JSON.parse(await readFile(join(folder, 'dictionary-types.json'), 'utf8')))
  const items = Items.parse(JSON.parse(await readFile(join(folder, 'dictionaries.json'), 'utf8')))
  const known_types = await db.selectFrom('dictionary_type').select(['sc_code_type', 'title', 'editable']).execute()
  const known_items = await db.selectFrom('dictionary_item').select(['sc_code_type', 'sc_code_item', 'name', 'order']).execute()
  const new_types = differing(types, known_types, ({ sc_code_type, title, editable }) => [sc_code_type, title, editable])
  const new_items = differing(items, known_items, ({ sc_code_type, sc_code_item, name, order }) => [sc_code_type, sc_code_item, name, order])
  if (new_types.length > 0) {
    await db
      .insertInto('dictionary_type')
      .values(new_types)
      .onConflict(on => on.column('sc_code_type').doUpdateSet(row => ({ title: row.ref('excluded.title'), editable: row.ref('excluded.editable') })))
      .execute()
  }
  for (let at = 0; at < new_items.length; at += 500) {
    await db
      .insertInto('dictionary_item')
      .values(new_items.slice(at, at + 500))
      .onConflict(on => on.columns(['sc_code_type', 'sc_code_item']).doUpdateSet(row => ({ name: row.ref('excluded.name'), order: row.ref('excluded.order') })))
      .execute()
  }
}

/** The shipped rows that are not so already: a start writes nothing when nothing is new. */
function differing<T>(shipped: readonly T[], known: readonly T[], wordsOf: (row: T) => readonly unknown[]): T[] {
  const there = new Set(known.map(row => JSON.stringify(wordsOf(row))))
  return shipped.filter(row => !there.has(JSON.stringify(wordsOf(row))))
}

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
  await db
    .insertInto('dictionary_type')
    .values(types)
    .onConflict(on => on.column('sc_code_type').doUpdateSet(row => ({ title: row.ref('excluded.title'), editable: row.ref('excluded.editable') })))
    .execute()
  for (let at = 0; at < items.length; at += 500) {
    await db
      .insertInto('dictionary_item')
      .values(items.slice(at, at + 500))
      .onConflict(on => on.columns(['sc_code_type', 'sc_code_item']).doUpdateSet(row => ({ name: row.ref('excluded.name'), order: row.ref('excluded.order') })))
      .execute()
  }
}

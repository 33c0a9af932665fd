import { createHash } from 'node:crypto'
import type { Dictionaries, DictionaryItem } from '@campus/school/contract'
import { commonErrors, fail } from '@kit/contract'
import type { z } from 'zod'
import type { SchoolCtx } from './db.ts'

type Item = z.output<typeof DictionaryItem>

/** Every dictionary entry the school sees, or `unchanged` for a caller that holds this version. */
export async function readAllDictionaries(ctx: SchoolCtx, school_id: number, held?: string): Promise<z.output<typeof Dictionaries>> {
  if (school_id !== ctx.school_id) throw fail(commonErrors.notFound)
  const list = (await items(ctx).execute()).map(toItem)
  const version = createHash('sha256').update(JSON.stringify(list)).digest('hex').slice(0, 16)
  return held === version ? { version, unchanged: 1 } : { version, list }
}

/** Entries of one type, or the one entry asked for. */
export async function readDictionaryItems(ctx: SchoolCtx, sc_code_type: string, sc_code_item?: string): Promise<{ list: Item[] }> {
  const all = items(ctx).where('sc_code_type', '=', sc_code_type)
  const rows = await (sc_code_item === undefined ? all : all.where('sc_code_item', '=', sc_code_item)).execute()
  return { list: rows.map(toItem) }
}

function toItem({ enabled, ...item }: Item & { enabled: boolean }): Item {
  return enabled ? item : { ...item, disabled: 1 }
}

function items(ctx: SchoolCtx) {
  return ctx.db
    .selectFrom('dictionary_v')
    .where('school_id', '=', ctx.school_id)
    .select(['sc_code_type', 'sc_code_item', 'name', 'order', 'enabled'])
    .orderBy('sc_code_type')
    .orderBy('order')
    .orderBy('sc_code_item')
}

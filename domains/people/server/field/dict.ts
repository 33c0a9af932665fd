import { peopleErrors } from '@campus/people/contract'
import { fail } from '@kit/contract'
import type { Db } from '../db.ts'

type OfDict = { dict_code: string | null }
/** A dictionary of the school: every name by code, and the names that may be chosen in their order. */
export type Dict = { names: ReadonlyMap<string, string>; live: readonly string[] }

/** The dictionaries these fields choose from, by type. */
export async function dictsOf(db: Db, school_id: number, fields: readonly OfDict[]): Promise<Map<string, Dict>> {
  const types = [...new Set(fields.flatMap(field => field.dict_code ?? []))]
  if (types.length === 0) return new Map()
  const items = await db.selectFrom('dictionary_v').select(['sc_code_type', 'sc_code_item', 'name', 'enabled']).where('school_id', '=', school_id).where('sc_code_type', 'in', types).orderBy('order').orderBy('sc_code_item').execute()
  return new Map([...Map.groupBy(items, item => item.sc_code_type)].map(([type, list]) => {
    const names = new Map(list.map(item => [item.sc_code_item, item.name]))
    return [type, { names, live: list.flatMap(item => (item.enabled ? [item.name] : [])) }]
  }))
}

/** A field with the options that may be chosen today. */
export function withOptions<F extends OfDict & { options: string[] | null }>(field: F, dicts: ReadonlyMap<string, Dict>): F {
  return field.dict_code === null ? field : { ...field, options: [...(dicts.get(field.dict_code)?.live ?? [])] }
}

/** @throws Refusal 422 beside `dict_code` for a dictionary that does not exist */
export async function refuseDicts(db: Db, school_id: number, fields: readonly OfDict[]): Promise<void> {
  const dicts = await dictsOf(db, school_id, fields)
  if (fields.some(({ dict_code }) => dict_code !== null && !dicts.has(dict_code))) throw fail(peopleErrors.fieldDict, { errors: [{ field: 'dict_code', msg: peopleErrors.fieldDict.msg }] })
}

import { api, download, filled, filter, get, post, put } from '@kit/contract'
import { z } from 'zod'
import { DictionaryItem } from './dictionary.ts'

const Type = z.string().regex(/^[A-Z][A-Z0-9_]{0,39}$/)
const Item = z.string().regex(/^[0-9A-Za-z]{1,20}$/, '代码只能由字母和数字组成')

/** `editable` types may be added to and renamed by a school; standard ones are read only. */
export const DictionaryType = z.object({ sc_code_type: z.string(), title: z.string(), editable: z.boolean(), items: z.number().int(), own: z.number().int() })
export type DictionaryType = z.output<typeof DictionaryType>

/** `own`: the school has added it or said something else of it; `standard_name` what it is called without that. */
export const DictionaryLine = DictionaryItem.omit({ disabled: true }).extend({ enabled: z.boolean(), own: z.boolean(), standard_name: z.string().nullable() })
export type DictionaryLine = z.output<typeof DictionaryLine>

const Names = { name: filled({ kind: 'text', max: 60 }), order: z.number().int().min(0).max(9999), enabled: z.boolean() }

export const dictionaryEditApi = api('web', 'school.dictionary_edit', {
  types: get('code/type', { reply: z.object({ list: z.array(DictionaryType) }), need: 'school.dict.view', within: 'school' }),
  lines: get('code/item', { query: z.object({ sc_code_type: Type }), reply: z.object({ list: z.array(DictionaryLine) }), need: 'school.dict.view', within: 'school' }),
  /** one type, or all of them, as a sheet */
  export: post('code/export', { body: z.object({ sc_code_type: filter(Type) }), reply: download, need: 'school.dict.export', within: 'school', op: 7 }),
  add: post('code/item', { body: z.strictObject({ sc_code_type: Type, sc_code_item: Item, ...Names }), reply: DictionaryLine, need: 'school.dict.edit', within: 'school' }),
  change: put('code/item', { body: z.strictObject({ sc_code_type: Type, sc_code_item: Item, ...Names }), reply: DictionaryLine, need: 'school.dict.edit', within: 'school' }),
})

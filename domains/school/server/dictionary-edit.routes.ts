import { dictionaryEditApi } from '@campus/school/contract'
import { implement } from './db.ts'
import { exportDictionary } from './dictionary-edit.export.ts'
import { addItem, changeItem, readLines, readTypes } from './dictionary-edit.service.ts'

export const dictionaryEditRoutes = implement(dictionaryEditApi, {
  types: ctx => readTypes(ctx),
  lines: (ctx, input) => readLines(ctx, input.sc_code_type),
  export: { outside: (pre, input) => exportDictionary(pre, input) },
  add: (ctx, input) => addItem(ctx, input),
  change: (ctx, input) => changeItem(ctx, input),
})

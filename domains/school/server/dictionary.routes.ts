import { dictionaryApi } from '@campus/school/contract'
import { implement } from './db.ts'
import { readAllDictionaries, readDictionaryItems } from './dictionary.service.ts'

export const dictionaryRoutes = implement(dictionaryApi, {
  all: (ctx, input) => readAllDictionaries(ctx, input.school_id, input.version),
  item: (ctx, input) => readDictionaryItems(ctx, input.sc_code_type, input.sc_code_item),
})

import { fieldApi } from '@campus/people/contract'
import { implement } from '../db.ts'
import { listFields, saveFields } from './field.service.ts'

export const fieldRoutes = implement(fieldApi, {
  list: (ctx, asked) => listFields(ctx, asked),
  save: (ctx, list) => saveFields(ctx, list),
})

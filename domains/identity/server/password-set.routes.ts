import { passwordSetApi } from '@campus/identity/contract'
import { implement } from './db.ts'
import { readPasswordRow, savePasswordSet } from './password-set.service.ts'

export const passwordSetRoutes = implement(passwordSetApi, {
  detail: ctx => readPasswordRow(ctx),
  add: (ctx, draft) => savePasswordSet(ctx, draft),
  update: (ctx, draft) => savePasswordSet(ctx, draft),
})

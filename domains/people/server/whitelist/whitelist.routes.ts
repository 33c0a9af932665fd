import { whitelistApi } from '@campus/people/contract'
import { implement } from '../db.ts'
import { addWhitelist, approveWhitelist, listPayers, listWhitelist, removeWhitelist } from './whitelist.service.ts'

export const whitelistRoutes = implement(whitelistApi, {
  page: (ctx, query) => listWhitelist(ctx, query),
  payers: (ctx, asked) => listPayers(ctx, asked),
  add: (ctx, draft) => addWhitelist(ctx, draft),
  approve: (ctx, asked) => approveWhitelist(ctx, asked),
  remove: (ctx, asked) => removeWhitelist(ctx, asked),
})

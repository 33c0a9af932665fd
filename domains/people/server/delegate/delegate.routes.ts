import { delegateApi } from '@campus/people/contract'
import { implement } from '../db.ts'
import { addDelegation, listDelegations, listMine, updateDelegation } from './delegate.service.ts'

export const delegateRoutes = implement(delegateApi, {
  list: (ctx, query) => listDelegations(ctx, query),
  add: (ctx, draft) => addDelegation(ctx, draft),
  update: (ctx, patch) => updateDelegation(ctx, patch),
  mine: ctx => listMine(ctx),
})

import { parentApi } from '@campus/people/contract'
import { implement } from './db.ts'
import { listParents } from './parent.service.ts'

export const parentRoutes = implement(parentApi, {
  list: (ctx, query) => listParents(ctx, query),
})

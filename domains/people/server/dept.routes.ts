import { deptApi } from '@campus/people/contract'
import { implement } from './db.ts'
import { readLevel, readTree } from './dept.service.ts'

export const deptRoutes = implement(deptApi, {
  tree: (ctx, query) => readTree(ctx, query),
  lazyTree: (ctx, query) => readLevel(ctx, query),
})

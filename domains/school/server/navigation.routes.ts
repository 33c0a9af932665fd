import { navigationApi } from '@campus/school/contract'
import { implement } from './db.ts'
import { readNavigations } from './navigation.service.ts'

export const navigationRoutes = implement(navigationApi, {
  list: (ctx, input) => readNavigations(ctx, input.role_id),
})

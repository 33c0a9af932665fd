import { navigationApi } from '@campus/school/contract'
import { implement } from './db.ts'
import { readBadges } from './navigation.badges.ts'
import { readNavigations } from './navigation.service.ts'

export const navigationRoutes = implement(navigationApi, {
  list: (ctx, input) => readNavigations(ctx, input.role_id),
  badges: ctx => readBadges(ctx),
})

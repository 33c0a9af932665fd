import { syncApi } from '@campus/people/contract'
import { implement } from '../db.ts'
import { listSyncs, syncRoster } from './roster.service.ts'

export const syncRoutes = implement(syncApi, {
  dept: { before: (pre, input) => syncRoster(pre, 'dept', input) },
  user: { before: (pre, input) => syncRoster(pre, 'user', input) },
  logs: (ctx, query) => listSyncs(ctx, query),
})

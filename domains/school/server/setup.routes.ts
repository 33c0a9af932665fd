import { setupApi } from '@campus/school/contract'
import { implement } from './db.ts'
import { hideSetup, readSetup } from './setup.service.ts'

export const setupRoutes = implement(setupApi, {
  list: ctx => readSetup(ctx),
  hide: (ctx, { hidden }) => hideSetup(ctx, hidden),
})

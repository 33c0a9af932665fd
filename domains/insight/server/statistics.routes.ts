import { statisticsApi } from '@campus/insight/contract'
import { implement } from './db.ts'
import { readOverview, readRows } from './statistics.service.ts'

export const statisticsRoutes = implement(statisticsApi, {
  overview: ctx => readOverview(ctx),
  rows: (ctx, query) => readRows(ctx, query),
})

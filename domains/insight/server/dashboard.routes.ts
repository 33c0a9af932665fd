import { dashboardApi } from '@campus/insight/contract'
import { publishLayout, readCards, readLayout, readPublished, resetLayout, saveLayout, withdrawLayout } from './dashboard.service.ts'
import { implement } from './db.ts'

export const dashboardRoutes = implement(dashboardApi, {
  widgets: ctx => readCards(ctx),
  layout: (ctx, { route }) => readLayout(ctx, route),
  save: (ctx, input) => saveLayout(ctx, input),
  reset: (ctx, { route }) => resetLayout(ctx, route),
  published: (ctx, { route }) => readPublished(ctx, route),
  publish: (ctx, input) => publishLayout(ctx, input),
  withdraw: (ctx, { layout_id }) => withdrawLayout(ctx, layout_id),
})

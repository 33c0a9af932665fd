import { floorPlanApi } from '@campus/devices/contract'
import { implement } from './db.ts'
import { dropPlan, keepPlan, pin, readPlan, unpin } from './place/plan.service.ts'

export const floorPlanRoutes = implement(floorPlanApi, {
  read: (ctx, { id }) => readPlan(ctx, id),
  save: { before: (pre, asked) => keepPlan(pre, asked) },
  remove: (ctx, { id }) => dropPlan(ctx, id),
  pin: (ctx, asked) => pin(ctx, asked),
  unpin: (ctx, asked) => unpin(ctx, asked),
})

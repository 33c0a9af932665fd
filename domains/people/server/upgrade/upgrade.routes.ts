import { upgradeApi, upgradeRunApi } from '@campus/people/contract'
import { implement } from '../db.ts'
import { listGraduateDepts } from './graduate.service.ts'
import { createPlan, currentPlan, readDiff, signPlan, simulatePlan, updatePlan } from './plan.service.ts'
import { rollbackPlan } from './rollback.service.ts'
import { runPlan } from './run.service.ts'

export const upgradeRoutes = [
  ...implement(upgradeApi, {
    current: ctx => currentPlan(ctx),
    create: (ctx, asked) => createPlan(ctx, asked),
    update: (ctx, asked) => updatePlan(ctx, asked),
    simulate: (ctx, asked) => simulatePlan(ctx, asked),
    diff: (ctx, asked) => readDiff(ctx, asked),
    sign: (ctx, asked) => signPlan(ctx, asked),
    rollback: (ctx, asked) => rollbackPlan(ctx, asked),
  }),
  ...implement(upgradeRunApi, {
    run: (ctx, asked) => runPlan(ctx, asked),
    graduates: (ctx, query) => listGraduateDepts(ctx, query),
  }),
]

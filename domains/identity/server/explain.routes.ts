import { explainApi } from '@campus/identity/contract'
import { implement } from './db.ts'
import { listPast } from './explain.past.ts'
import { explain } from './explain.service.ts'

export const explainRoutes = implement(explainApi, { explain: (ctx, query) => explain(ctx, query), past: (ctx, query) => listPast(ctx, query) })

import { erasureApi } from '@campus/devices/contract'
import { implement } from './db.ts'
import { issueErasure } from './erasure/erasure.service.ts'

export const erasureRoutes = implement(erasureApi, { issue: (ctx, asked) => issueErasure(ctx, asked) })

import { syncApi } from '@campus/devices/contract'
import { implement } from './db.ts'
import { listStateRows } from './state/state.service.ts'

export const syncRoutes = implement(syncApi, { state_rows: (ctx, asked) => listStateRows(ctx, asked) })

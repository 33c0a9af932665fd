import { syncApi } from '@campus/devices/contract'
import { implement } from './db.ts'
import { confirmHold, listHolds } from './proof/hold.service.ts'
import { listDrift, resendRows, resolveDrift, resync } from './proof/proof.service.ts'
import { listStateRows } from './state/state.service.ts'

export const syncRoutes = implement(syncApi, {
  state_rows: (ctx, asked) => listStateRows(ctx, asked),
  resync: (ctx, asked) => resync(ctx, asked),
  resend: (ctx, asked) => resendRows(ctx, asked),
  drift: (ctx, asked) => listDrift(ctx, asked),
  drift_resolve: (ctx, asked) => resolveDrift(ctx, asked),
  holds: ctx => listHolds(ctx),
  hold_confirm: (ctx, asked) => confirmHold(ctx, asked),
})

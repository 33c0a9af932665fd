import { banApi, temporaryApi } from '@campus/access/contract'
import { implement } from '../db.ts'
import { addBans, liftBans, listBans } from './ban.service.ts'
import { addTemporary, listTemporaries, revokeTemporaries, temporaryReceipts, updateTemporary } from './temporary.service.ts'

export const temporaryRoutes = [
  ...implement(temporaryApi, {
    list: (ctx, asked) => listTemporaries(ctx, asked),
    receipts: (ctx, asked) => temporaryReceipts(ctx, asked),
    add: (ctx, draft) => addTemporary(ctx, draft),
    update: (ctx, patch) => updateTemporary(ctx, patch),
    revoke: (ctx, asked) => revokeTemporaries(ctx, asked),
  }),
  ...implement(banApi, { list: (ctx, asked) => listBans(ctx, asked), add: (ctx, draft) => addBans(ctx, draft), lift: (ctx, asked) => liftBans(ctx, asked) }),
]

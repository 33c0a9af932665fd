import { receiptApi } from '@campus/messages/contract'
import { implement } from './db.ts'
import { takeReceipts } from './receipt.service.ts'

export const receiptRoutes = implement(receiptApi, {
  take: { outside: (pre, input) => takeReceipts(pre, input) },
})

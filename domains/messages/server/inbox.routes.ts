import { inboxApi } from '@campus/messages/contract'
import { implement } from './db.ts'
import { countInbox, listInbox, readInbox } from './inbox.service.ts'

export const inboxRoutes = implement(inboxApi, {
  list: (ctx, query) => listInbox(ctx, query),
  count: ctx => countInbox(ctx),
  read: (ctx, body) => readInbox(ctx, body),
})

import { realtimeApi } from '@campus/identity/contract'
import { implement } from './db.ts'
import { issueRealtimeTicket, pollFrames, watchChannels } from './realtime.service.ts'

export const realtimeRoutes = implement(realtimeApi, {
  ticket: { outside: (pre, query) => issueRealtimeTicket(pre, query) },
  watch: watchChannels,
  poll: { outside: (pre, query) => pollFrames(pre, query) },
})

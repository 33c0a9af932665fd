import { personHistoryApi, personLookupApi, personPageApi } from '@campus/people/contract'
import { implement } from '../db.ts'
import { readHead } from './head.service.ts'
import { readHistory } from './history.service.ts'
import { byIdentity, byName, byNumber, byPhone } from './lookup.service.ts'
import { readCredentials, readTimeline, readToday } from './timeline.service.ts'

export const personPageRoutes = [
  ...implement(personPageApi, {
    head: (ctx, asked) => readHead(ctx, asked),
    today: { outside: (pre, asked) => readToday(pre, asked) },
    credentials: { outside: (pre, asked) => readCredentials(pre, asked) },
    timeline: { outside: (pre, asked) => readTimeline(pre, asked) },
  }),
  ...implement(personHistoryApi, { history: (ctx, asked) => readHistory(ctx, asked) }),
  ...implement(personLookupApi, {
    number: (ctx, asked) => byNumber(ctx, asked),
    name: (ctx, asked) => byName(ctx, asked),
    identity: (ctx, asked) => byIdentity(ctx, asked),
    phone: (ctx, asked) => byPhone(ctx, asked),
  }),
]

import { archiveFeedApi, asOfApi } from '@campus/people/contract'
import { readFeed } from './archive-feed.service.ts'
import { readAsOf } from './as-of.service.ts'
import { implement } from './db.ts'

export const archiveFeedRoutes = [
  ...implement(archiveFeedApi, {
    student: (ctx, query) => readFeed(ctx, 'student', query),
    teacher: (ctx, query) => readFeed(ctx, 'staff', query),
  }),
  ...implement(asOfApi, { asOf: (ctx, asked) => readAsOf(ctx, asked) }),
]

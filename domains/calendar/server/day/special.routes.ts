import { specialApi } from '@campus/calendar/contract'
import { implement } from '../db.ts'
import { makeFeed, readFeed } from './feed.service.ts'
import { importNational } from './national.service.ts'
import { addSpecial, correctDays, followDay, listDays, listSpecials, removeSpecial, updateSpecial } from './special.service.ts'

export const specialRoutes = implement(specialApi, {
  days: (ctx, asked) => listDays(ctx, asked),
  list: (ctx, asked) => listSpecials(ctx, asked),
  add: (ctx, draft) => addSpecial(ctx, draft),
  update: (ctx, patch) => updateSpecial(ctx, patch),
  remove: (ctx, asked) => removeSpecial(ctx, asked),
  makeUp: (ctx, asked) => followDay(ctx, asked),
  national: (ctx, asked) => importNational(ctx, asked),
  correct: (ctx, asked) => correctDays(ctx, asked),
  feed: ctx => makeFeed(ctx),
  ics: { outside: (pre, { token }) => readFeed(pre, token) },
})

import { quitApi } from '@campus/people/contract'
import { implement } from '../db.ts'
import { listQuit, quitYears, readQuit } from './quit.service.ts'

export const quitRoutes = implement(quitApi, {
  page: (ctx, query) => listQuit(ctx, query),
  years: (ctx, query) => quitYears(ctx, query),
  detail: (ctx, asked) => readQuit(ctx, asked),
})

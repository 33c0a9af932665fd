import { quitApi } from '@campus/people/contract'
import { implement } from '../db.ts'
import { exportQuit } from './quit.export.ts'
import { listQuit, quitYears, readQuit } from './quit.service.ts'

export const quitRoutes = implement(quitApi, {
  page: (ctx, query) => listQuit(ctx, query),
  years: (ctx, query) => quitYears(ctx, query),
  export: { before: async (pre, input) => exportQuit(pre, input) },
  detail: (ctx, asked) => readQuit(ctx, asked),
})

import { quitApi, quitList } from '@campus/people/contract'
import { exportHandler } from '@kit/server/export'
import { implement } from '../db.ts'
import { listQuit, quitYears, readQuit } from './quit.service.ts'

export const quitRoutes = implement(quitApi, {
  page: (ctx, query) => listQuit(ctx, query),
  years: (ctx, query) => quitYears(ctx, query),
  export: exportHandler(quitApi.export, quitList, listQuit),
  detail: (ctx, asked) => readQuit(ctx, asked),
})

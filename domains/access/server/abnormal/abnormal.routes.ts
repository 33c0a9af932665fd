import { abnormalApi, abnormalList } from '@campus/access/contract'
import { exportHandler } from '@kit/server/export'
import type { AccessCtx } from '../db.ts'
import { implement } from '../db.ts'
import { countAbnormals, handleAbnormals, listAbnormals } from './abnormal.service.ts'

export const abnormalRoutes = implement(abnormalApi, {
  list: (ctx, query) => listAbnormals(ctx, query),
  export: exportHandler(abnormalApi.export, abnormalList, (ctx: AccessCtx, query) => listAbnormals(ctx, query)),
  count: ctx => countAbnormals(ctx),
  handle: (ctx, asked) => handleAbnormals(ctx, asked),
})

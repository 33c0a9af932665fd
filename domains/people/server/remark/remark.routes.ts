import { remarkApi } from '@campus/people/contract'
import { implement } from '../db.ts'
import { listRemarks, saveRemarks } from './remark.service.ts'
import { remarkStatis } from './remark.statis.ts'

export const remarkRoutes = implement(remarkApi, {
  config: ctx => listRemarks(ctx),
  save: (ctx, list) => saveRemarks(ctx, list),
  statis: (ctx, asked) => remarkStatis(ctx, asked),
})

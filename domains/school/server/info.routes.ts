import { schoolInfoApi } from '@campus/school/contract'
import { implement } from './db.ts'
import { changeInfo, readDetail } from './info.service.ts'

export const infoRoutes = implement(schoolInfoApi, { detail: ctx => readDetail(ctx), update: (ctx, input) => changeInfo(ctx, input) })

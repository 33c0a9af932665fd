import { clientErrorApi, schoolApi } from '@campus/school/contract'
import { implement } from './db.ts'
import { readConfig, readFace, readInfo } from './school.service.ts'

export const schoolRoutes = implement(schoolApi, {
  face: { outside: (pre, input) => readFace(pre, input.id) },
  config: (ctx, input) => readConfig(ctx, input.id),
  info: ctx => readInfo(ctx),
})

export const clientErrorRoutes = implement(clientErrorApi, {
  report: {
    outside: async (pre, input) => {
      pre.log.warn({ page_error: input }, 'console page failed')
      return {}
    },
  },
})

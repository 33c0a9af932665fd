import { configApi } from '@campus/school/contract'
import { changeConfig } from './config.service.ts'
import { implement } from './db.ts'

export const configRoutes = implement(configApi, { update: (ctx, input) => changeConfig(ctx, input) })

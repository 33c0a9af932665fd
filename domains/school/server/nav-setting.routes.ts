import { moduleApi, navSettingApi } from '@campus/school/contract'
import { implement } from './db.ts'
import { changeModule, readModules } from './module.service.ts'
import { changeNavTree, readNavTree } from './nav-setting.service.ts'

export const navSettingRoutes = [
  ...implement(navSettingApi, { read: ctx => readNavTree(ctx), save: (ctx, input) => changeNavTree(ctx, input) }),
  ...implement(moduleApi, { list: ctx => readModules(ctx), save: (ctx, input) => changeModule(ctx, input) }),
]

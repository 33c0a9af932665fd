import { appRoleApi, appRoleGroupApi } from '@campus/identity/contract'
import { implement } from '../db.ts'
import { readAppMatrix, saveAppMatrix } from './app-role.matrix.ts'
import { listAppRoles, viewAppRole } from './app-role.read.ts'
import { createAppRole, removeAppRole, updateAppRole } from './app-role.write.ts'
import { createAppGroup, listAppGroups, removeAppGroup, sortAppGroups, updateAppGroup } from './app-role-group.service.ts'
import { bindAll, bindDepts, bindRoleGroups, unbindDepts, unbindRoleGroups } from './bind.group.ts'
import { bindModules, unbindModules } from './bind.module.ts'
import { bindUsers, unbindUsers } from './bind.people.ts'
import { readReach } from './reach.read.ts'

export const appRoleRoutes = [
  ...implement(appRoleApi, {
    list: (ctx, query) => listAppRoles(ctx, query),
    one: (ctx, which) => viewAppRole(ctx, which),
    create: (ctx, draft) => createAppRole(ctx, draft),
    update: (ctx, patch) => updateAppRole(ctx, patch),
    remove: (ctx, which) => removeAppRole(ctx, which),
    bindUser: (ctx, draft) => bindUsers(ctx, draft),
    unbindUser: (ctx, draft) => unbindUsers(ctx, draft),
    bindModule: (ctx, draft) => bindModules(ctx, draft),
    unbindModule: (ctx, draft) => unbindModules(ctx, draft),
    bindRoleGroup: (ctx, draft) => bindRoleGroups(ctx, draft),
    unbindRoleGroup: (ctx, draft) => unbindRoleGroups(ctx, draft),
    bindDept: (ctx, draft) => bindDepts(ctx, draft),
    unbindDept: (ctx, draft) => unbindDepts(ctx, draft),
    bindAll: (ctx, draft) => bindAll(ctx, draft),
    reach: (ctx, query) => readReach(ctx, query),
    matrix: (ctx, which) => readAppMatrix(ctx, which),
    saveMatrix: (ctx, change) => saveAppMatrix(ctx, change),
  }),
  ...implement(appRoleGroupApi, {
    list: (ctx, query) => listAppGroups(ctx, query),
    create: (ctx, draft) => createAppGroup(ctx, draft),
    update: (ctx, patch) => updateAppGroup(ctx, patch),
    remove: (ctx, which) => removeAppGroup(ctx, which),
    sort: (ctx, order) => sortAppGroups(ctx, order),
  }),
]

import { roleApi, roleGroupApi } from '@campus/identity/contract'
import { implement } from './db.ts'
import { exportMatrix } from './role.export.ts'
import { previewRole, readMatrix, saveMatrix } from './role.matrix.ts'
import { diffRoles, listRoles } from './role.read.ts'
import { addRole, copyRole, editRole, removeRole } from './role.write.ts'
import { addGroup, editGroup, removeGroup, sortGroups } from './role-group.service.ts'

export const roleRoutes = [
  ...implement(roleApi, {
    list: (ctx, query) => listRoles(ctx, query),
    add: (ctx, draft) => addRole(ctx, draft),
    edit: (ctx, patch) => editRole(ctx, patch),
    remove: (ctx, which) => removeRole(ctx, which),
    copy: (ctx, which) => copyRole(ctx, which),
    matrix: (ctx, which) => readMatrix(ctx, which),
    saveMatrix: (ctx, change) => saveMatrix(ctx, change),
    exportMatrix: { outside: pre => exportMatrix(pre) },
    diff: (ctx, which) => diffRoles(ctx, which),
    preview: (ctx, change) => previewRole(ctx, change),
  }),
  ...implement(roleGroupApi, {
    add: (ctx, draft) => addGroup(ctx, draft),
    edit: (ctx, patch) => editGroup(ctx, patch),
    remove: (ctx, which) => removeGroup(ctx, which),
    sort: (ctx, order) => sortGroups(ctx, order),
  }),
]

import { pages } from '@kit/web'

/** Screens of the identity domain. */
export const identityPages = pages({
  '/RoleGroupSet': () => import('./group/role-group-set.page.tsx'),
  '/RoleMemberSet': () => import('./member/role-member-set.page.tsx'),
  '/TeacherRoleGroup': () => import('./app-role/app-role-group.page.tsx'),
  '/TeacherRole': () => import('./app-role/app-role.page.tsx'),
  '/ParentRoleGroup': () => import('./app-role/app-role-group.page.tsx'),
  '/ParentRole': () => import('./app-role/app-role.page.tsx'),
  '/StudentRoleGroup': () => import('./app-role/app-role-group.page.tsx'),
  '/StudentRole': () => import('./app-role/app-role.page.tsx'),
  '/RoleOpeate': () => import('./matrix/role-opeate.page.tsx'),
  '/PwdConfig': () => import('./password/pwd-config.page.tsx'),
})

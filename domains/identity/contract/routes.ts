import { routes } from '@kit/contract'

/** Console routes of the identity domain. */
export const identityRoutes = routes([
  { id: 1401, path: '/RoleGroupSet', code: 'RoleGroupSet', title: '角色组设置', group: 'role', icon: 'ClusterOutlined', order: 1, school_types: [1, 2], need: 'identity.role.view' },
  { id: 1402, path: '/RoleMemberSet', code: 'RoleMemberSet', title: '角色成员设置', group: 'role', icon: 'UserSwitchOutlined', order: 2, school_types: [1, 2], need: 'identity.member.view' },
  {
    id: 1403, path: '/TeacherRoleGroup', code: 'TeacherRoleGroup', title: '教职工角色组',
    group: 'role', icon: 'TeamOutlined', order: 3, family: { name: '用户角色组', tab: '教职工' },
    school_types: [1, 2], need: 'identity.app_role.view',
  },
  {
    id: 1404, path: '/TeacherRole', code: 'TeacherRole', title: '教职工角色',
    group: 'role', icon: 'UserOutlined', order: 4, family: { name: '用户角色', tab: '教职工' },
    school_types: [1, 2], need: 'identity.app_role.view',
  },
  {
    id: 1405, path: '/ParentRoleGroup', code: 'ParentRoleGroup', title: '家长角色组',
    group: 'role', icon: 'TeamOutlined', order: 5, family: { name: '用户角色组', tab: '家长' },
    school_types: [1], need: 'identity.app_role.view',
  },
  {
    id: 1406, path: '/ParentRole', code: 'ParentRole', title: '家长角色',
    group: 'role', icon: 'UserOutlined', order: 6, family: { name: '用户角色', tab: '家长' },
    school_types: [1], need: 'identity.app_role.view',
  },
  {
    id: 1407, path: '/StudentRoleGroup', code: 'StudentRoleGroup', title: '学生角色组',
    group: 'role', icon: 'TeamOutlined', order: 7, family: { name: '用户角色组', tab: '学生' },
    school_types: [1], need: 'identity.app_role.view',
  },
  {
    id: 1408, path: '/StudentRole', code: 'StudentRole', title: '学生角色',
    group: 'role', icon: 'UserOutlined', order: 8, family: { name: '用户角色', tab: '学生' },
    school_types: [1], need: 'identity.app_role.view',
  },
  { id: 1409, path: '/RoleOpeate', code: 'RoleOpeate', title: '角色权限配置', group: 'role', icon: 'ControlOutlined', order: 9, hidden: true, active_menu: '/RoleGroupSet', school_types: [1, 2], need: 'identity.role.edit' },
  { id: 1503, path: '/PwdConfig', code: 'PwdConfig', title: '密码设置', group: 'system', icon: 'KeyOutlined', order: 3, school_types: [1, 2], need: 'identity.password.view' },
])

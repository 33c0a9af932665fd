import { routes } from '@kit/contract'

const group = 'access'
const assigned = (name: string, tab: string) => ({ group, icon: 'LoginOutlined', family: { name, tab } })

/** Console routes of the access domain. */
export const accessRoutes = routes([
  { id: 701, path: '/StuRuleTime', code: 'StuRuleTime', title: '学生通行时段', group, icon: 'ClockCircleOutlined', order: 1, school_types: [1], need: 'access.rule.view' },
  { id: 702, path: '/StudentAccess', code: 'StudentAccess', title: '学生通行规则', order: 2, school_types: [1], need: 'access.dept_rule.view', ...assigned('通行规则', '学生') },
  { id: 703, path: '/TeacherAccess', code: 'TeacherAccess', title: '教职工通行规则', order: 3, school_types: [1, 2], need: 'access.dept_rule.view', ...assigned('通行规则', '教职工') },
  { id: 704, path: '/ParentSend', code: 'ParentSend', title: '家长接送规则', order: 4, school_types: [1], need: 'access.dept_rule.view', ...assigned('通行规则', '家长接送') },
  { id: 705, path: '/ParentDorm', code: 'ParentDorm', title: '家长进宿舍规则', order: 5, school_types: [1], need: 'access.dept_rule.view', ...assigned('通行规则', '家长进宿舍') },
  { id: 706, path: '/TemporaryRule', code: 'TemporaryRule', title: '教职工临时规则', order: 7, school_types: [1, 2], need: 'access.temp.view', group, icon: 'FieldTimeOutlined', family: { name: '临时规则', tab: '教职工' } },
  { id: 707, path: '/TemporaryRuleStudent', code: 'TemporaryRuleStudent', title: '学生临时规则', order: 6, school_types: [1], need: 'access.temp.view', group, icon: 'FieldTimeOutlined', family: { name: '临时规则', tab: '学生' } },
])

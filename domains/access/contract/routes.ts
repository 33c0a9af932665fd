import { routes } from '@kit/contract'

const turnover = { name: '进出记录', group: 'statistics', icon: 'SwapOutlined', need: 'access.report.view' } as const
const family = (tab: string) => ({ family: { name: turnover.name, tab }, group: turnover.group, icon: turnover.icon, need: turnover.need })
const group = 'access'
const assigned = (name: string, tab: string) => ({ group, icon: 'UnlockOutlined', family: { name, tab } })

/** Console routes of the access domain. */
export const accessRoutes = routes([
  { id: 521, path: '/SchoolEnterExit', code: 'SchoolEnterExit', title: '进出校实时监控', group: 'device', icon: 'DesktopOutlined', order: 21, school_types: [1, 2], need: 'access.live.view' },
  { id: 523, path: '/DoorControl', code: 'DoorControl', title: '远程门控', group: 'device', icon: 'UnlockOutlined', order: 23, school_types: [1, 2], need: 'access.door.view' },
  { id: 531, path: '/StudentsTurnover', code: 'StudentsTurnover', title: '学生进出记录', order: 31, school_types: [1], ...family('学生') },
  { id: 532, path: '/TeacherTurnover', code: 'TeacherTurnover', title: '教职工进出记录', order: 32, school_types: [1, 2], ...family('教职工') },
  { id: 533, path: '/StrangerTurnover', code: 'StrangerTurnover', title: '陌生人进出记录', order: 33, school_types: [1, 2], ...family('陌生人') },
  { id: 534, path: '/VisitorTurnover', code: 'VisitorTurnover', title: '访客进出记录', order: 34, school_types: [1, 2], ...family('访客') },
  { id: 522, path: '/VisitorEnterExit', code: 'VisitorEnterExit', title: '访客进出监控', group: 'device', icon: 'IdcardOutlined', order: 22, school_types: [1, 2], need: 'access.visitor.view' },
  { id: 541, path: '/VisitorPass', code: 'VisitorPass', title: '访客通行审核', group: 'service', icon: 'SolutionOutlined', order: 41, school_types: [1, 2], need: 'access.visitor.view' },
  { id: 542, path: '/VisitorReason', code: 'VisitorReason', title: '访客事由', group: 'service', icon: 'TagsOutlined', order: 42, school_types: [1, 2], need: 'access.visitor_set.view' },
  { id: 543, path: '/VisitorReceiver', code: 'VisitorReceiver', family: { name: '被访人设置', tab: '接待' }, title: '被访人设置', group: 'service', icon: 'TeamOutlined', order: 43, school_types: [1, 2], need: 'access.visitor_set.view' },
  { id: 544, path: '/VisitorReceiverMobile', code: 'VisitorReceiverMobile', family: { name: '被访人设置', tab: '自助预约' }, title: '移动端被访人设置', group: 'service', icon: 'TeamOutlined', order: 44, school_types: [1, 2], need: 'access.visitor_set.view' },
  { id: 545, path: '/VisitorWeChat', code: 'VisitorWeChat', title: '微信访客设置', group: 'service', icon: 'QrcodeOutlined', order: 45, school_types: [1, 2], need: 'access.visitor_set.view' },
  { id: 701, path: '/StuRuleTime', code: 'StuRuleTime', title: '学生通行时段', group, icon: 'ClockCircleOutlined', order: 1, school_types: [1], need: 'access.rule.view' },
  { id: 702, path: '/StudentAccess', code: 'StudentAccess', title: '学生通行规则', order: 2, school_types: [1], need: 'access.dept_rule.view', ...assigned('通行规则', '学生') },
  { id: 703, path: '/TeacherAccess', code: 'TeacherAccess', title: '教职工通行规则', order: 3, school_types: [1, 2], need: 'access.dept_rule.view', ...assigned('通行规则', '教职工') },
  { id: 704, path: '/ParentSend', code: 'ParentSend', title: '家长接送规则', order: 4, school_types: [1], need: 'access.dept_rule.view', ...assigned('通行规则', '家长接送') },
  { id: 705, path: '/ParentDorm', code: 'ParentDorm', title: '家长进宿舍规则', order: 5, school_types: [1], need: 'access.dept_rule.view', ...assigned('通行规则', '家长进宿舍') },
  { id: 706, path: '/TemporaryRule', code: 'TemporaryRule', title: '教职工临时规则', order: 7, school_types: [1, 2], need: 'access.temp.view', group, icon: 'FieldTimeOutlined', family: { name: '临时规则', tab: '教职工' } },
  { id: 707, path: '/TemporaryRuleStudent', code: 'TemporaryRuleStudent', title: '学生临时规则', order: 6, school_types: [1], need: 'access.temp.view', group, icon: 'FieldTimeOutlined', family: { name: '临时规则', tab: '学生' } },
])

import { routes } from '@kit/contract'

const turnover = { name: '进出记录', group: 'statistics', icon: 'SwapOutlined', need: 'access.report.view' } as const
const family = (tab: string) => ({ family: { name: turnover.name, tab }, group: turnover.group, icon: turnover.icon, need: turnover.need })

/** Console routes of the access domain. */
export const accessRoutes = routes([
  { id: 521, path: '/SchoolEnterExit', code: 'SchoolEnterExit', title: '进出校实时监控', group: 'device', icon: 'DesktopOutlined', order: 21, school_types: [1, 2], need: 'access.live.view' },
  { id: 531, path: '/StudentsTurnover', code: 'StudentsTurnover', title: '学生进出记录', order: 31, school_types: [1], ...family('学生') },
  { id: 532, path: '/TeacherTurnover', code: 'TeacherTurnover', title: '教职工进出记录', order: 32, school_types: [1, 2], ...family('教职工') },
  { id: 533, path: '/StrangerTurnover', code: 'StrangerTurnover', title: '陌生人进出记录', order: 33, school_types: [1, 2], ...family('陌生人') },
  { id: 534, path: '/VisitorTurnover', code: 'VisitorTurnover', title: '访客进出记录', order: 34, school_types: [1, 2], ...family('访客') },
])

import { routes } from '@kit/contract'

/** Console routes of the calendar domain. */
export const calendarRoutes = routes([
  { id: 801, path: '/TermManage', code: 'TermManage', title: '学期管理', group: 'education', icon: 'CalendarOutlined', order: 1, school_types: [1], need: 'calendar.semester.view' },
  { id: 802, path: '/SchoolCalendar', code: 'SchoolCalendar', title: '校历管理', group: 'education', icon: 'ScheduleOutlined', order: 2, school_types: [1], need: 'calendar.day.view' },
  { id: 803, path: '/ClassTime', code: 'ClassTime', title: '作息时间', group: 'education', icon: 'ClockCircleOutlined', order: 3, school_types: [1], need: 'calendar.bell.view' },
])

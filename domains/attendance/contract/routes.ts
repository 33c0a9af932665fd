import { routes } from '@kit/contract'
import { resultRoutes } from './result-routes.ts'

/** Console routes of the attendance domain. */
export const attendanceRoutes = routes([
  {
    id: 901, path: '/AttendanceRule', code: 'AttendanceRule', title: '考勤规则', group: 'attendance', icon: 'FileSearchOutlined', order: 1,
    school_types: [1, 2], need: 'attendance.rule.view',
  },
  {
    id: 902, path: '/AttendanceArrange', code: 'AttendanceArrange', title: '考勤安排', group: 'attendance', icon: 'ScheduleOutlined', order: 2,
    school_types: [1, 2], need: 'attendance.arrange.view',
  },
  {
    id: 903, path: '/ClassClock', code: 'ClassClock', title: '班级打卡', group: 'attendance', icon: 'CheckCircleOutlined', order: 3,
    hidden: true, school_types: [1], need: 'attendance.clock.view',
  },
  ...resultRoutes,
])

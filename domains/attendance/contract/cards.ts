import { cards } from '@kit/contract'

/** Attendance on the dashboards. */
export const attendanceCards = cards([
  {
    code: 'attendance.now', title: '本节到课', sentence: '此刻这节课（或打卡时段）各班应到、已到、迟到、缺勤、请假和未到的人数', shelf: '今日', need: ['attendance.clock.view'],
    usual: [4, 2], least: [3, 2], school_types: [1], boards: [], path: '/ClassClock',
  },
])

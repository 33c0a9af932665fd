import { cards } from '@kit/contract'

/** The gates on the dashboards. */
export const accessCards = cards([
  {
    code: 'access.campus', title: '在校情况', sentence: '此刻在校的学生、教职工和访客，今天进出校门的人次和被拒绝的通行', shelf: '今日', need: ['access.live.view'],
    usual: [4, 2], least: [3, 2], school_types: [1, 2], boards: [], path: '/SchoolEnterExit',
  },
])

import { cards } from '@kit/contract'

/** Cards of the school for the dashboards. */
export const schoolCards = cards([
  {
    code: 'school.modules', title: '功能到期提醒', sentence: '30天内到期、已到期或未开通的功能模块与应用', shelf: '系统', need: ['school.nav.edit'],
    usual: [4, 3], least: [3, 2], school_types: [1, 2], boards: ['cus'], path: '/SchoolRecord?tab=nav',
  },
])

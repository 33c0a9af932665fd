import { cards } from '@kit/contract'

/** Leave on the dashboards. */
export const leaveCards = cards([
  {
    code: 'leave.today', title: '今日请假', sentence: '今天请假的人数，其中已离校、等待审批和逾期未归的', shelf: '今日', need: ['leave.apply.view'],
    usual: [4, 2], least: [3, 2], school_types: [1], boards: [], path: '/StuLeaveRecord',
  },
])

import { approvalApi } from '@campus/approval/contract'
import { app } from '../shell/app.ts'

/** 审批中心: what waits for me in all domains, decided through their own calls (chapter 80 §5, 4). */
export const approve = app({
  code: 'approve',
  audience: ['everybody'],
  calls: { list: approvalApi.list, count: approvalApi.count, act: approvalApi.act },
  pages: ['待我审批'],
  features: [],
})

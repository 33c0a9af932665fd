import { mineApi, taskApi } from '@campus/leave/contract'
import { subAppApi } from '@campus/identity/contract'
import { app } from '../shell/app.ts'

/** 请假管理: asking for oneself or one's child, following it, deciding, and the class of today (chapter 80 §5, 3). */
export const leave = app({
  code: 'leave',
  audience: ['everybody'],
  calls: {
    options: mineApi.options, mine: mineApi.list, read: mineApi.read, preview: mineApi.preview, add: mineApi.add, uploadForm: mineApi.uploadForm, withdraw: mineApi.withdraw, cancel: mineApi.cancel, change: mineApi.change, endEarly: mineApi.endEarly, today: mineApi.today,
    tasks: taskApi.page, task: taskApi.read, pass: taskApi.pass, refuse: taskApi.refuse, sendBack: taskApi.sendBack, batchPass: taskApi.batchPass, end: subAppApi.leave,
  },
  pages: ['申请', '我的请假', '审批', '班级今日'],
  features: [],
})

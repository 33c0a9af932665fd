import { subAppApi } from '@campus/identity/contract'
import { readerApi } from '@campus/publishing/contract'
import { app } from '../shell/app.ts'

/** 消息推送: reading notices, confirming, signing and filling them in for each child (chapter 80 §5, 5). */
export const pushMessage = app({
  code: 'pushMessage',
  audience: ['everybody'],
  calls: {
    inbox: readerApi.inbox,
    unread: readerApi.unread,
    mustRead: readerApi.mustRead,
    open: readerApi.open,
    confirm: readerApi.confirm,
    submit: readerApi.submit,
    end: subAppApi.leave,
  },
  pages: ['收件箱', '待办', '作业', '正文'],
  features: [],
})

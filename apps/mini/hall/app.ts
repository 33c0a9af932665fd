import { cardApi } from '@campus/cards/contract'
import { presenceApi, resultApi, reviewApi, swapApi } from '@campus/exams/contract'
import { faceConsentApi } from '@campus/faces/contract'
import { subAppApi } from '@campus/identity/contract'
import { inboxApi } from '@campus/messages/contract'
import { changeApi, choiceApi, lessonApi } from '@campus/teaching/contract'
import { app } from '../shell/app.ts'

/** 办事大厅: the phone's home of everybody (chapter 80 §5, 8). What rests on domains that are not there yet has no page. */
export const hall = app({
  code: 'hall',
  audience: ['everybody'],
  calls: {
    manifest: subAppApi.manifest, link: subAppApi.link, leave: subAppApi.leave, inbox: inboxApi.list, unread: inboxApi.count, read: inboxApi.read,
    electives: choiceApi.tasks, offers: choiceApi.offers, pick: choiceApi.pick, drop: choiceApi.drop, wish: choiceApi.wishes,
      lessons: lessonApi.mine, askedCovers: changeApi.mine, answerCover: changeApi.answer,
    changeRequests: changeApi.requests, changePartners: changeApi.partners, askChange: changeApi.add, withdrawChange: changeApi.withdraw,
    cards: cardApi.selfCards, loseCard: cardApi.selfLoss, faces: faceConsentApi.mine, answerFace: faceConsentApi.answer,
    scores: resultApi.mine, askReview: reviewApi.ask,
    duties: swapApi.mine, fitting: swapApi.fit, askSwap: swapApi.ask, acceptSwap: swapApi.accept, withdrawSwap: swapApi.withdraw,
    presence: presenceApi.read, sign: presenceApi.sign, confirmRoom: presenceApi.confirm,
  },
  pages: ['首页', '服务目录', '消息', '我的', '校园卡', '人脸授权', '选课', '课表', '我的成绩', '我的监考'],
  features: [],
})

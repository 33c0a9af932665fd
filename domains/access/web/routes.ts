import { pages } from '@kit/web'

/** Screens of the access domain. */
export const accessPages = pages({
  '/DoorControl': () => import('./door/door-control.page.tsx'),
  '/SchoolEnterExit': () => import('./pass/school-wall.page.tsx'),
  '/StudentsTurnover': () => import('./pass/turnover.page.tsx').then(part => ({ default: part.StudentsTurnover })),
  '/TeacherTurnover': () => import('./pass/turnover.page.tsx').then(part => ({ default: part.TeacherTurnover })),
  '/StrangerTurnover': () => import('./pass/turnover.page.tsx').then(part => ({ default: part.StrangerTurnover })),
  '/VisitorTurnover': () => import('./pass/turnover.page.tsx').then(part => ({ default: part.VisitorTurnover })),
  '/VisitorEnterExit': () => import('./visitor/visitor-board.page.tsx'),
  '/VisitorPass': () => import('./visitor/visitor-pass.page.tsx'),
  '/VisitorReason': () => import('./visitor/visitor-reason.page.tsx'),
  '/VisitorReceiver': () => import('./visitor/visitor-receiver.page.tsx').then(part => ({ default: part.VisitorReceiver })),
  '/VisitorReceiverMobile': () => import('./visitor/visitor-receiver.page.tsx').then(part => ({ default: part.VisitorReceiverMobile })),
  '/VisitorWeChat': () => import('./visitor/visitor-wechat.page.tsx'),
  '/StuRuleTime': () => import('./rule/stu-rule-time.page.tsx'),
  '/StudentAccess': () => import('./grant/assign.page.tsx').then(part => ({ default: part.StudentAccess })),
  '/TeacherAccess': () => import('./grant/assign.page.tsx').then(part => ({ default: part.TeacherAccess })),
  '/ParentSend': () => import('./grant/assign.page.tsx').then(part => ({ default: part.ParentSend })),
  '/ParentDorm': () => import('./grant/assign.page.tsx').then(part => ({ default: part.ParentDorm })),
  '/TemporaryRule': () => import('./temporary/temporary.page.tsx').then(part => ({ default: part.TeacherTemporary })),
  '/TemporaryRuleStudent': () => import('./temporary/temporary.page.tsx').then(part => ({ default: part.StudentTemporary })),
})

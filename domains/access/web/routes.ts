import { pages } from '@kit/web'

/** Screens of the access domain. */
export const accessPages = pages({
  '/StuRuleTime': () => import('./rule/stu-rule-time.page.tsx'),
  '/StudentAccess': () => import('./grant/assign.page.tsx').then(part => ({ default: part.StudentAccess })),
  '/TeacherAccess': () => import('./grant/assign.page.tsx').then(part => ({ default: part.TeacherAccess })),
  '/ParentSend': () => import('./grant/assign.page.tsx').then(part => ({ default: part.ParentSend })),
  '/ParentDorm': () => import('./grant/assign.page.tsx').then(part => ({ default: part.ParentDorm })),
  '/TemporaryRule': () => import('./temporary/temporary.page.tsx').then(part => ({ default: part.TeacherTemporary })),
  '/TemporaryRuleStudent': () => import('./temporary/temporary.page.tsx').then(part => ({ default: part.StudentTemporary })),
})

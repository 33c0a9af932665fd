import { pages } from '@kit/web'

/** Screens of the cards domain; the three lists of holders are one page. */
export const cardsPages = pages({
  '/CardManagement': () => import('./card-people.page.tsx').then(part => ({ default: part.StudentCards })),
  '/CardTeacher': () => import('./card-people.page.tsx').then(part => ({ default: part.TeacherCards })),
  '/CardParent': () => import('./card-people.page.tsx').then(part => ({ default: part.ParentCards })),
  '/SocialCard': () => import('./social-card.page.tsx'),
  '/BlankCard': () => import('./blank-card.page.tsx'),
  '/CardRecord': () => import('./card-record.page.tsx'),
})

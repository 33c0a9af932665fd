import { pages } from '@kit/web'

/** Screens of the publishing domain; variants of one thing are one page. */
export const publishingPages = pages({
  '/CustomNotice': () => import('./post/post.list.tsx').then(part => ({ default: part.FamilyNotices })),
  '/CustomNoticeTeacher': () => import('./post/post.list.tsx').then(part => ({ default: part.StaffNotices })),
  '/Information': () => import('./post/post.list.tsx').then(part => ({ default: part.Collections })),
  '/InformationBefore': () => import('./post/post.list.tsx').then(part => ({ default: part.OldCollections })),
  '/AddNotice': () => import('./post/post-editor.page.tsx').then(part => ({ default: part.AddFamilyNotice })),
  '/AddNoticeTeacher': () => import('./post/post-editor.page.tsx').then(part => ({ default: part.AddStaffNotice })),
  '/AddInformation': () => import('./post/post-editor.page.tsx').then(part => ({ default: part.AddCollection })),
  '/AddInformationBefore': () => import('./post/post-editor.page.tsx').then(part => ({ default: part.AddOldCollection })),
  '/NoticeDetail': () => import('./post/post-detail.page.tsx').then(part => ({ default: part.FamilyDetail })),
  '/NoticeDetailTeacher': () => import('./post/post-detail.page.tsx').then(part => ({ default: part.StaffDetail })),
  '/CustomDetail': () => import('./post/post-detail.page.tsx').then(part => ({ default: part.FamilyStats })),
  '/CustomDetailTeacher': () => import('./post/post-detail.page.tsx').then(part => ({ default: part.StaffStats })),
  '/InformationDetail': () => import('./post/post-detail.page.tsx').then(part => ({ default: part.CollectionDetail })),
  '/InformationDetailBefore': () => import('./post/post-detail.page.tsx').then(part => ({ default: part.OldCollectionDetail })),
  '/ClassHonour': () => import('./honour/honour.page.tsx').then(part => ({ default: part.ClassHonours })),
  '/AddHonour': () => import('./honour/honour.page.tsx').then(part => ({ default: part.AddClassHonour })),
  '/DeptHonor': () => import('./honour/honour.page.tsx').then(part => ({ default: part.DeptHonours })),
  '/AddDeptHonor': () => import('./honour/honour.page.tsx').then(part => ({ default: part.AddDeptHonour })),
  '/Information/crowd': () => import('./crowd/crowd.page.tsx'),
  '/Information/user': () => import('./crowd/crowd-user.page.tsx'),
})

import { pages } from '@kit/web'

const list = () => import('./post/post.list.tsx')
const editor = () => import('./post/post-editor.page.tsx')
const detail = () => import('./post/post-detail.page.tsx')
const honour = () => import('./honour/honour.page.tsx')

/** Screens of the publishing domain; variants of one thing are one page. */
export const publishingPages = pages({
  '/CustomNotice': () => list().then(part => ({ default: part.FamilyNotices })),
  '/CustomNoticeTeacher': () => list().then(part => ({ default: part.StaffNotices })),
  '/Information': () => list().then(part => ({ default: part.Collections })),
  '/InformationBefore': () => list().then(part => ({ default: part.OldCollections })),
  '/AddNotice': () => editor().then(part => ({ default: part.AddFamilyNotice })),
  '/AddNoticeTeacher': () => editor().then(part => ({ default: part.AddStaffNotice })),
  '/AddInformation': () => editor().then(part => ({ default: part.AddCollection })),
  '/AddInformationBefore': () => editor().then(part => ({ default: part.AddOldCollection })),
  '/NoticeDetail': () => detail().then(part => ({ default: part.FamilyDetail })),
  '/NoticeDetailTeacher': () => detail().then(part => ({ default: part.StaffDetail })),
  '/CustomDetail': () => detail().then(part => ({ default: part.FamilyStats })),
  '/CustomDetailTeacher': () => detail().then(part => ({ default: part.StaffStats })),
  '/InformationDetail': () => detail().then(part => ({ default: part.CollectionDetail })),
  '/InformationDetailBefore': () => detail().then(part => ({ default: part.OldCollectionDetail })),
  '/ClassHonour': () => honour().then(part => ({ default: part.ClassHonours })),
  '/AddHonour': () => honour().then(part => ({ default: part.AddClassHonour })),
  '/DeptHonor': () => honour().then(part => ({ default: part.DeptHonours })),
  '/AddDeptHonor': () => honour().then(part => ({ default: part.AddDeptHonour })),
  '/Information/crowd': () => import('./crowd/crowd.page.tsx'),
  '/Information/user': () => import('./crowd/crowd-user.page.tsx'),
})

import { pages } from '@kit/web'

/** Screens of the people domain. */
export const peoplePages = pages({
  '/Organization': () => import('./organization/organization.page.tsx'),
  '/OrganizationTeacher': () => import('./organization-teacher/organization-teacher.page.tsx'),
  '/ParentsRecord': () => import('./parents-record.page.tsx'),
  '/TeachersRecord': () => import('./staff/teachers-record.page.tsx'),
  '/TagManage': () => import('./tag/tag-manage.page.tsx'),
  '/AddrBookSetting': () => import('./book/addr-book.page.tsx'),
  '/StudentsArchive': () => import('./archive/students-archive.page.tsx'),
  '/TeacherArchive': () => import('./archive/teacher-archive.page.tsx'),
  '/SignManage': () => import('./sign/sign-manage.page.tsx'),
  '/SignManageTeacher': () => import('./sign/sign-manage-teacher.page.tsx'),
  '/WhiteList': () => import('./whitelist/white-list.page.tsx'),
  '/RechargeConfig': () => import('./recharge/recharge-config.page.tsx'),
  '/QuitRecord': () => import('./quit/quit-record.page.tsx'),
  '/UserDeleteDetail': () => import('./deletion/user-delete-detail.page.tsx'),
  '/UserDelConfig': () => import('./deletion/user-del-config.page.tsx'),
  '/ChangeRecord': () => import('./change/change-record.page.tsx'),
  '/CollectInformation': () => import('./register/collect-information.page.tsx'),
  '/InformationDialog': () => import('./collect/information-dialog.page.tsx'),
  '/PersonDetail': () => import('./person-page/person-detail.page.tsx'),
  '/PersonMerge': () => import('./merge/person-merge.page.tsx'),
  '/FreshmenConfig': () => import('./freshmen/freshmen-config.page.tsx'),
  '/FreshmenReview': () => import('./freshmen/freshmen-review.page.tsx'),
  '/FreshmenList': () => import('./freshmen/freshmen-list.page.tsx'),
  '/UpgradeClass': () => import('./upgrade/upgrade-class.page.tsx'),
})

import { pages } from '@kit/web'

/** Screens of the people domain. */
export const peoplePages = pages({
  '/Organization': () => import('./organization/organization.page.tsx'),
  '/ParentsRecord': () => import('./parents-record.page.tsx'),
  '/TeachersRecord': () => import('./staff/teachers-record.page.tsx'),
  '/TagManage': () => import('./tag/tag-manage.page.tsx'),
  '/AddrBookSetting': () => import('./book/addr-book.page.tsx'),
  '/StudentsArchive': () => import('./archive/students-archive.page.tsx'),
  '/TeacherArchive': () => import('./archive/teacher-archive.page.tsx'),
  '/QuitRecord': () => import('./quit/quit-record.page.tsx'),
  '/UserDeleteDetail': () => import('./deletion/user-delete-detail.page.tsx'),
  '/UserDelConfig': () => import('./deletion/user-del-config.page.tsx'),
  '/ChangeRecord': () => import('./change/change-record.page.tsx'),
  '/CollectInformation': () => import('./register/collect-information.page.tsx'),
  '/PersonDetail': () => import('./person-page/person-detail.page.tsx'),
  '/PersonMerge': () => import('./merge/person-merge.page.tsx'),
  '/UpgradeClass': () => import('./upgrade/upgrade-class.page.tsx'),
})

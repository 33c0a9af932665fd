const original = () => import('./result/original.page.tsx')
const personal = () => import('./result/personal-detail.page.tsx')
const report = () => import('./result/gather.page.tsx')

/** Original records, details and gathers, each of pupils and of teachers. */
export const result_pages = {
  '/OriginalRecordStudent': () => original().then(part => ({ default: part.OriginalRecordStudent })),
  '/OriginalRecordTeacher': () => original().then(part => ({ default: part.OriginalRecordTeacher })),
  '/PersonalDetailStudent': () => personal().then(part => ({ default: part.PersonalDetailStudent })),
  '/PersonalDetailTeacher': () => personal().then(part => ({ default: part.PersonalDetailTeacher })),
  '/CourseDetailStudent': () => report().then(part => ({ default: part.CourseDetailStudent })),
  '/CourseDetailTeacher': () => report().then(part => ({ default: part.CourseDetailTeacher })),
  '/ClassroomDetailStudent': () => report().then(part => ({ default: part.ClassroomDetailStudent })),
  '/ClassroomDetailTeacher': () => report().then(part => ({ default: part.ClassroomDetailTeacher })),
  '/CourseGatherStudent': () => report().then(part => ({ default: part.CourseGatherStudent })),
  '/CourseGatherTeacher': () => report().then(part => ({ default: part.CourseGatherTeacher })),
  '/PersonalGatherStudent': () => report().then(part => ({ default: part.PersonalGatherStudent })),
  '/PersonalGatherTeacher': () => report().then(part => ({ default: part.PersonalGatherTeacher })),
  '/PersonalSectionGatherStudent': () => report().then(part => ({ default: part.PersonalSectionGatherStudent })),
  '/PersonalSectionGatherTeacher': () => report().then(part => ({ default: part.PersonalSectionGatherTeacher })),
  '/PersonalCourseGatherStudent': () => report().then(part => ({ default: part.PersonalCourseGatherStudent })),
  '/PersonalCourseGatherTeacher': () => report().then(part => ({ default: part.PersonalCourseGatherTeacher })),
  '/ClassroomGatherStudent': () => report().then(part => ({ default: part.ClassroomGatherStudent })),
  '/ClassroomGatherTeacher': () => report().then(part => ({ default: part.ClassroomGatherTeacher })),
  '/ClassroomCourseGatherStudent': () => report().then(part => ({ default: part.ClassroomCourseGatherStudent })),
  '/ClassroomCourseGatherTeacher': () => report().then(part => ({ default: part.ClassroomCourseGatherTeacher })),
  '/ClassroomSectionGatherStudent': () => report().then(part => ({ default: part.ClassroomSectionGatherStudent })),
  '/ClassroomSectionGatherTeacher': () => report().then(part => ({ default: part.ClassroomSectionGatherTeacher })),
}

import { pages } from '@kit/web'

/** Screens of the teaching domain. */
export const teachingPages = pages({
  '/CourseSubjects': () => import('./course/course-subjects.page.tsx'),
  '/TeacherTeaching': () => import('./plan/teacher-teaching.page.tsx'),
  '/LayoutCourseTerm': () => import('./timetable/layout-course.page.tsx').then(part => ({ default: part.TermTimetables })),
  '/LayoutCourseYear': () => import('./timetable/layout-course.page.tsx').then(part => ({ default: part.YearTimetables })),
  '/SelectCourseManage': () => import('./elective/select-course-manage.page.tsx'),
  '/SelectStudentManage': () => import('./elective/select-student-manage.page.tsx'),
  '/SelectCourseTerm': () => import('./timetable/layout-course.page.tsx').then(part => ({ default: part.WalkingTermTimetables })),
  '/SelectCourseYear': () => import('./timetable/layout-course.page.tsx').then(part => ({ default: part.WalkingYearTimetables })),
  '/ScheduleMonitor': () => import('./lesson/schedule-monitor.page.tsx'),
  '/PlaceTimeTable': () => import('./lesson/timetable-query.page.tsx').then(part => ({ default: part.PlaceTimeTable })),
  '/TeacherTimeTable': () => import('./lesson/timetable-query.page.tsx').then(part => ({ default: part.TeacherTimeTable })),
  '/ClassTimeTable': () => import('./lesson/timetable-query.page.tsx').then(part => ({ default: part.ClassTimeTable })),
})

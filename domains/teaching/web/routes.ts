import { pages } from '@kit/web'

/** Screens of the teaching domain. */
export const teachingPages = pages({
  '/CourseSubjects': () => import('./course/course-subjects.page.tsx'),
  '/TeacherTeaching': () => import('./plan/teacher-teaching.page.tsx'),
  '/LayoutCourseTerm': async () => ({ default: (await import('./timetable/layout-course.page.tsx')).TermTimetables }),
  '/LayoutCourseYear': async () => ({ default: (await import('./timetable/layout-course.page.tsx')).YearTimetables }),
  '/ScheduleMonitor': () => import('./lesson/schedule-monitor.page.tsx'),
  '/PlaceTimeTable': async () => ({ default: (await import('./lesson/timetable-query.page.tsx')).PlaceTimeTable }),
  '/TeacherTimeTable': async () => ({ default: (await import('./lesson/timetable-query.page.tsx')).TeacherTimeTable }),
  '/ClassTimeTable': async () => ({ default: (await import('./lesson/timetable-query.page.tsx')).ClassTimeTable }),
})

import { routes } from '@kit/contract'

const day = { name: '课表查询', group: 'education', need: 'teaching.lesson.view' } as const

/** Console routes of the teaching domain; the timetable of a term and of a year are one page, so are the three queries. */
export const teachingRoutes = routes([
  { id: 804, path: '/CourseSubjects', code: 'CourseSubjects', title: '课程科目', group: 'education', icon: 'BookOutlined', order: 4, school_types: [1], need: 'teaching.course.view' },
  { id: 805, path: '/TeacherTeaching', code: 'TeacherTeaching', title: '教师任课', group: 'education', icon: 'UserOutlined', order: 5, school_types: [1], need: 'teaching.teaching.view' },
  { id: 806, path: '/LayoutCourseTerm', code: 'LayoutCourseTerm', family: { name: '课表管理', tab: '按学期' }, title: '课表管理(按学期)', group: 'education', icon: 'TableOutlined', order: 6, school_types: [1], need: 'teaching.timetable.view' },
  { id: 807, path: '/LayoutCourseYear', code: 'LayoutCourseYear', family: { name: '课表管理', tab: '按学年' }, title: '课表管理(按学年)', group: 'education', icon: 'TableOutlined', order: 7, school_types: [1], need: 'teaching.timetable.view' },
  { id: 808, path: '/SelectCourseManage', code: 'SelectCourseManage', title: '走班教学班管理', group: 'education', icon: 'ApartmentOutlined',
    order: 8, school_types: [1], need: 'teaching.elective.view' },
  { id: 809, path: '/SelectStudentManage', code: 'SelectStudentManage', title: '走班学生管理', group: 'education', icon: 'TeamOutlined',
    order: 9, school_types: [1], need: 'teaching.elective.view' },
  { id: 810, path: '/SelectCourseTerm', code: 'SelectCourseTerm', family: { name: '走班课表', tab: '按学期' }, title: '走班课表(按学期)',
    group: 'education', icon: 'InsertRowAboveOutlined', order: 10, school_types: [1], need: 'teaching.timetable.view' },
  { id: 811, path: '/SelectCourseYear', code: 'SelectCourseYear', family: { name: '走班课表', tab: '按学年' }, title: '走班课表(按学年)',
    group: 'education', icon: 'InsertRowAboveOutlined', order: 11, school_types: [1], need: 'teaching.timetable.view' },
  { id: 812, path: '/ScheduleMonitor', code: 'ScheduleMonitor', title: '课表总览', group: 'education', icon: 'FundViewOutlined', order: 12, school_types: [1], need: day.need },
  { id: 813, path: '/PlaceTimeTable', code: 'PlaceTimeTable', family: { name: day.name, tab: '场所' }, title: '场所课表查询', group: day.group, icon: 'EnvironmentOutlined', order: 15, school_types: [1], need: day.need },
  { id: 814, path: '/TeacherTimeTable', code: 'TeacherTimeTable', family: { name: day.name, tab: '教师' }, title: '教师课表查询', group: day.group, icon: 'SolutionOutlined', order: 14, school_types: [1], need: day.need },
  { id: 815, path: '/ClassTimeTable', code: 'ClassTimeTable', family: { name: day.name, tab: '班级' }, title: '班级课表查询', group: day.group, icon: 'ScheduleOutlined', order: 13, school_types: [1], need: day.need },
])

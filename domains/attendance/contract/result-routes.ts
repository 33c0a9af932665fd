import type { RouteFact } from '@kit/contract'
import { view_needs } from './gather.ts'

type Pair = { id: number; code: string; name: string; icon: string; order: number }

/** Eleven reports, each of pupils and of teachers: the pupils' one is the menu entry, the teachers' one lights it. */
const pairs: readonly Pair[] = [
  { id: 904, code: 'OriginalRecord', name: '原始打卡记录', icon: 'ProfileOutlined', order: 4 },
  { id: 906, code: 'PersonalDetail', name: '个人考勤明细', icon: 'UserOutlined', order: 6 },
  { id: 908, code: 'CourseDetail', name: '课程考勤明细', icon: 'BookOutlined', order: 8 },
  { id: 910, code: 'ClassroomDetail', name: '教室考勤明细', icon: 'EnvironmentOutlined', order: 10 },
  { id: 912, code: 'CourseGather', name: '课程考勤汇总', icon: 'BarChartOutlined', order: 12 },
  { id: 914, code: 'PersonalGather', name: '个人考勤汇总', icon: 'BarChartOutlined', order: 14 },
  { id: 916, code: 'PersonalSectionGather', name: '个人节次汇总', icon: 'BarChartOutlined', order: 16 },
  { id: 918, code: 'PersonalCourseGather', name: '个人课程汇总', icon: 'BarChartOutlined', order: 18 },
  { id: 920, code: 'ClassroomGather', name: '教室考勤汇总', icon: 'BarChartOutlined', order: 20 },
  { id: 922, code: 'ClassroomCourseGather', name: '教室课程汇总', icon: 'BarChartOutlined', order: 22 },
  { id: 924, code: 'ClassroomSectionGather', name: '教室节次汇总', icon: 'BarChartOutlined', order: 24 },
]

export const resultRoutes: readonly RouteFact[] = pairs.flatMap(({ id, code, name, icon, order }) => {
  const shared = { group: 'attendance', icon, school_types: [1] as const }
  const path = `/${code}Student`
  return [
    { ...shared, id, path, code: `${code}Student`, title: `学生${name}`, order, family: { name, tab: '学生' }, need: view_needs.student },
    {
      ...shared,
      id: id + 1,
      path: `/${code}Teacher`,
      code: `${code}Teacher`,
      title: `教师${name}`,
      order: order + 1,
      family: { name, tab: '教师' },
      hidden: true,
      active_menu: path,
      need: view_needs.teacher,
    },
  ]
})

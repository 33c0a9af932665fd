import { routes } from '@kit/contract'

const group = 'education'

/** Console routes of the exams domain. */
export const examsRoutes = routes([
  { id: 816, path: '/ExamManage', code: 'ExamManage', title: '考试管理', group, icon: 'EditOutlined', order: 16, school_types: [1], need: 'exams.exam.view' },
  { id: 817, path: '/ExamPlan', code: 'ExamPlan', title: '考场安排', group, icon: 'PartitionOutlined', order: 17, school_types: [1], need: 'exams.plan.view' },
  { id: 818, path: '/ExamResult', code: 'ExamResult', title: '成绩管理', group, icon: 'BarChartOutlined', order: 18, school_types: [1], need: 'exams.score.view' },
])

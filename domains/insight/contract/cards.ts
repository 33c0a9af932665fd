import { cards } from '@kit/contract'
import { stat_view } from './statistics.ts'

const schools = [1] as const
const everywhere = [1, 2] as const
const pupils = [stat_view, 'people.student.view']
const shelf = '人员概况'

/** The figures of the morning as cards. */
export const insightCards = cards([
  { code: 'insight.students', title: '在读学生', sentence: '今天在读、已编入班级的学生，其中男女、住校；休学、停学等另计', shelf, need: pupils, usual: [4, 2], least: [3, 2], school_types: schools, boards: ['cus'], path: '/ParentsRecord' },
  { code: 'insight.classes', title: '班级', sentence: '今天存在的行政班，不含已毕业班级', shelf, need: [stat_view, 'people.dept.view'], usual: [2, 2], least: [2, 2], school_types: schools, boards: ['cus'], path: '/Organization' },
  { code: 'insight.staff', title: '教职工', sentence: '今天在职的教职工，每人只计一次', shelf, need: [stat_view, 'people.staff.view'], usual: [2, 2], least: [2, 2], school_types: everywhere, boards: ['cus'] },
  { code: 'insight.changes', title: '近7天变动', sentence: '近7天（含今天）的新增、调班与离校，以及已安排、明天起生效的', shelf, need: pupils, usual: [4, 2], least: [3, 2], school_types: schools, boards: ['cus'] },
  { code: 'insight.gaps', title: '资料缺失', sentence: '在读学生中缺监护人、缺证件号、无照片的人数', shelf, need: pupils, usual: [4, 2], least: [3, 2], school_types: schools, boards: ['cus'], path: '/ParentsRecord' },
  { code: 'insight.grades', title: '年级与班级', sentence: '各年级在读人数（男、女）与各班人数，虚线框为未设班主任的班级', shelf, need: pupils, usual: [8, 8], least: [6, 4], school_types: schools, boards: ['cus'], path: '/Organization' },
  { code: 'insight.depts', title: '各部门员工', sentence: '按本人所在部门统计的在职员工，每人只计一次', shelf, need: [stat_view, 'people.staff.view'], usual: [8, 6], least: [4, 3], school_types: [2], boards: ['cus'] },
  { code: 'insight.todo', title: '待我处理', sentence: '等待确认的导入、近3天失败的任务、尚未完成的设置', shelf: '待办', need: [stat_view], usual: [4, 6], least: [3, 2], school_types: everywhere, boards: ['cus'] },
])

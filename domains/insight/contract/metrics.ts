/** One figure of the school: what it is called, who may know it, and what exactly is counted. */
type Metric = { title: string; unit: string; need: string; sentence: string }

const students = 'people.student.view'
const staff = 'people.staff.view'
const depts = 'people.dept.view'

/** Every figure of the morning, in the order of the page. */
export const metric_codes = [
  'student_total', 'student_boys', 'student_girls', 'student_boarders', 'student_suspended', 'student_stopped', 'student_reserved',
  'staff_total', 'class_total', 'class_headless', 'class_overfull',
  'enrolled_week', 'moved_week', 'left_week', 'enrolled_next', 'moved_next', 'left_next',
  'missing_guardian', 'missing_id_no', 'missing_photo',
] as const
export type MetricCode = (typeof metric_codes)[number]

/** What the figures mean. None is without a need of its own: whoever may not see the rows sees no number. */
export const metrics: Readonly<Record<MetricCode, Metric>> = {
  student_total: { title: '在读学生', unit: '人', need: students, sentence: '今天在读、已编入班级的学生' },
  student_boys: { title: '男生', unit: '人', need: students, sentence: '在读学生中性别为男的人数' },
  student_girls: { title: '女生', unit: '人', need: students, sentence: '在读学生中性别为女的人数' },
  student_boarders: { title: '住校', unit: '人', need: students, sentence: '在读学生中就读方式为住校的人数' },
  student_suspended: { title: '休学', unit: '人', need: students, sentence: '保留学籍、今天处于休学状态的学生' },
  student_stopped: { title: '停学', unit: '人', need: students, sentence: '保留学籍、今天处于停学状态的学生' },
  student_reserved: { title: '保留入学资格', unit: '人', need: students, sentence: '今天处于保留入学资格状态的学生' },
  staff_total: { title: '教职工', unit: '人', need: staff, sentence: '今天在职的教职工，每人只计一次' },
  class_total: { title: '班级', unit: '个', need: depts, sentence: '今天存在的行政班，不含已毕业班级' },
  class_headless: { title: '未设班主任', unit: '个', need: depts, sentence: '今天没有班主任任职记录的行政班' },
  class_overfull: { title: '超过人数上限', unit: '个', need: depts, sentence: '在读人数超过班级人数上限的行政班，没有设上限的不计' },
  enrolled_week: { title: '新增', unit: '人次', need: students, sentence: '近7天（含今天）开始在读，此前未在册的学生' },
  moved_week: { title: '调班', unit: '人次', need: students, sentence: '近7天（含今天）由一个班转入另一个班的学生' },
  left_week: { title: '离校', unit: '人次', need: students, sentence: '近7天（含今天）起不再在册的学生' },
  enrolled_next: { title: '待新增', unit: '人次', need: students, sentence: '已安排、明天起生效的新增' },
  moved_next: { title: '待调班', unit: '人次', need: students, sentence: '已安排、明天起生效的调班' },
  left_next: { title: '待离校', unit: '人次', need: students, sentence: '已安排、明天起生效的离校' },
  missing_guardian: { title: '缺监护人', unit: '人', need: students, sentence: '在读学生中没有任何家长关系的人数' },
  missing_id_no: { title: '缺证件号', unit: '人', need: students, sentence: '在读学生中没有登记证件号的人数' },
  missing_photo: { title: '无照片', unit: '人', need: students, sentence: '在读学生中没有照片的人数' },
}

/** Figures whose rows stand in no list of their owner; `statistics/rows` answers them. */
export const row_metrics = [
  'staff_total', 'class_headless', 'class_overfull', 'enrolled_week', 'moved_week', 'left_week', 'enrolled_next', 'moved_next', 'left_next',
] as const satisfies readonly MetricCode[]
export type RowMetric = (typeof row_metrics)[number]

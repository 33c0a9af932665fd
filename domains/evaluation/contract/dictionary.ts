/** Whom a star is given to. */
export const subject_names = { 1: '学生', 2: '班级' } as const
export const subject = { pupil: 1, class: 2 } as const
/** How the worth of a star goes down (chapter 55 rule 43). */
export const decay_names = { 0: '不衰减', 1: '半衰期', 2: '学期末清零' } as const
export const evidence_names = { 0: '不要求', 1: '文字说明', 2: '图片' } as const
export const giver_names = { 1: '任课教师', 2: '班主任', 3: '德育处' } as const
export const giver = { teacher: 1, head: 2, office: 3 } as const
export const source_names = { 1: '教师', 2: '班委提名', 3: '自动', 4: '导入', 5: '班牌' } as const
export const source = { teacher: 1, committee: 2, rule: 3, import: 4 } as const
/** Levels of an indicator: the first star, then by its cuts (chapter 55 rule 43). */
export const level_names: Readonly<Record<number, string>> = { 1: '铜', 2: '银', 3: '金' }
/** Facts that give a star by themselves (chapter 55 rule 45). */
export const auto_names = { attend_week: '每周全勤', homework_week: '每周作业全部按时提交' } as const
/** Life of a record (chapter 55 §2.7). */
export const record_names = { 0: '待审核', 1: '有效', 2: '已驳回', 3: '申诉中', 4: '已撤销', 5: '已更正' } as const
export const record_state = { waiting: 0, counts: 1, refused: 2, appealed: 3, revoked: 4, replaced: 5 } as const
export const appeal_names = { 0: '受理中', 1: '维持', 2: '撤销', 3: '改判', 4: '超时撤销' } as const
export const appeal_state = { open: 0, upheld: 1, revoked: 2, replaced: 3, late: 4 } as const
export const step_names = { 1: '班主任', 2: '德育处' } as const
export const name_modes = { 1: '全名', 2: '姓氏+同学', 3: '学号尾号' } as const
export const period_names = { 1: '周', 2: '月', 3: '学期' } as const
export const elected_names = { 1: '选举', 2: '任命', 3: '轮值' } as const
export const star_icons = {
  star: '星星',
  flag: '红旗',
  heart: '爱心',
  book: '书本',
  trophy: '奖杯',
  medal: '奖牌',
  leaf: '绿叶',
  broom: '值日',
} as const
export const star_colours = { gold: '金', red: '红', green: '绿', blue: '蓝', purple: '紫', cyan: '青' } as const

/** Posts of a class committee, with how many may hold each at a time (chapter 55 §1.3). */
export const post_names = {
  1: '班长',
  2: '副班长',
  3: '学习委员',
  4: '纪律委员',
  5: '体育委员',
  6: '文艺委员',
  7: '劳动委员',
  8: '生活委员',
  9: '组织委员',
  10: '宣传委员',
  11: '课代表',
} as const
export const course_post = '11'
const most_of: Readonly<Record<string, number>> = { 1: 2, 2: 2, 11: 2 }
const usual_holders = 3
/** How many may hold a post of one class (one course) at a time, by the school's limits. */
export const mostHolders = (post_code: string, limits: Readonly<Record<string, number>>): number =>
  limits[post_code] ?? most_of[post_code] ?? usual_holders

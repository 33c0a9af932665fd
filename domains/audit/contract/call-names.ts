import { noun_names } from './noun-names.ts'

/**
 * Chinese names of what the operation log speaks of. A call is `module.noun.verb`; here stand the modules and the nouns, while the kind of operation
 * says the verb. Every call of the product has its name here and nothing else has one: a test compares both ways, and with the words of the
 * permissions where both name the same thing.
 */
export const module_names: Readonly<Record<string, string>> = {
  audit: '日志审计',
  calendar: '校历',
  cards: '卡务',
  leave: '请假',
  faces: '人脸',
  access: '出入管理',
  teaching: '排课选课',
  exams: '考试成绩',
  attendance: '考勤',
  evaluation: '德育评价',
  publishing: '信息发布',
  canteen: '食堂',
  approval: '审批',
  files: '文件',
  identity: '角色权限',
  insight: '统计',
  jobs: '任务中心',
  messages: '消息',
  people: '人员档案',
  places: '场所',
  devices: '设备',
  school: '学校设置',
}

/**
 * Calls that pages make by themselves: what an open page listens to, that a session goes on, where columns and recent pages are kept. Each makes its
 * line like every write, but /SystemLog leaves those that succeeded out until they are asked for. A test compares the names with the calls.
 */
export const routine_calls: readonly string[] = ['identity.login.refresh', 'identity.realtime.watch', 'identity.sub_app.refresh', 'school.preference.save']

/** Fields of a change that is about no person; those of persons bring their label with them in the archive journal. */
export const field_names: Readonly<Record<string, string>> = {
  balance_cap_fen: '余额上限（分）',
  capacity: '班额',
  channels: '页面订阅',
  class_no: '班号',
  class_type: '班级类型',
  day_limit_fen: '每日限额（分）',
  dept_name: '名称',
  effective_on: '生效日期',
  event: '事项',
  fields: '查看的字段',
  is_open: '是否开放',
  leaders: '负责人',
  made: '新建部门',
  max_fen: '单笔最高（分）',
  min_fen: '单笔最低（分）',
  parent_id: '上级',
  path: '所在位置',
  pay_channels: '支付渠道',
  place: '位次',
  quick_fen: '快捷金额（分）',
  refund_to_source: '原路退回',
  school_year: '学年',
  show_order: '排序',
  subject_count: '人数',
  substitutes: '一并结束的代办',
}

/** The module of a call in words; the code itself when nobody has named it. */
export function moduleName(module_code: string): string {
  return module_names[module_code] ?? module_code
}

/** What a call is about in words: `people.student.update` → 学生档案. */
export function nounName(call: string): string {
  const noun = call.split('.').slice(0, 2).join('.')
  return noun_names[noun] ?? noun
}

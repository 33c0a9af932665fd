/**
 * Chinese names of everything a role may do: the one place where permission codes get their words. A code is `module.noun.verb`; a domain that
 * adds a code adds its noun here (apps/server/suites/permission-names.test.ts fails on a code without one).
 */
const module_names: Readonly<Record<string, string>> = {
  audit: '日志审计',
  calendar: '校历',
  cards: '卡务',
  leave: '请假',
  faces: '人脸',
  access: '出入管理',
  teaching: '排课选课',
  publishing: '信息发布',
  canteen: '食堂',
  approval: '审批',
  files: '文件',
  identity: '角色权限',
  insight: '统计',
  job: '后台任务',
  jobs: '任务中心',
  messages: '消息',
  people: '人员档案',
  places: '场所',
  devices: '设备',
  school: '学校设置',
}

const noun_names: Readonly<Record<string, string>> = {
  'audit.archive': '档案操作日志',
  'audit.system': '系统操作日志',
  'calendar.bell': '作息时间',
  'calendar.day': '校历',
  'calendar.semester': '学期',
  'cards.blank': '白卡',
  'cards.card': '校园卡',
  'cards.deposit': '押金',
  'cards.log': '卡操作记录',
  'cards.setting': '卡务设置',
  'cards.social': '社保卡',
  'publishing.crowd': '通知人群',
  'publishing.homework': '作业时长',
  'publishing.information': '信息收集',
  'publishing.notice': '通知',
  'files.file': '文件',
  'identity.account': '账号',
  'identity.app_role': '移动端角色',
  'identity.password': '密码规则',
  'identity.role': '角色',
  'identity.member': '角色成员',
  'identity.explain': '权限诊断',
  'insight.dashboard': '看板',
  'insight.layout': '看板布局',
  'insight.stat': '首页统计',
  'job.job': '后台任务',
  'jobs.batch': '导入批次',
  'messages.message': '发送记录',
  'messages.setting': '通道与模板',
  'people.addr': '通讯录',
  'people.archive': '档案变更',
  'people.change': '异动办理',
  'people.collect': '信息采集',
  'people.delegate': '部门委托',
  'people.delete': '人员删除',
  'people.dept': '部门班级',
  'people.export': '档案导出',
  'people.field': '自定义字段',
  'people.freshmen': '新生报名',
  'people.merge': '查重合并',
  'people.parent': '家长档案',
  'people.password': '初始密码',
  'people.person': '敏感信息',
  'people.picker': '人员选择',
  'people.quit': '离校人员',
  'people.register': '开放登记',
  'people.sync': '名册同步',
  'people.staff': '教职工档案',
  'people.student': '学生档案',
  'people.sign': '支付签约',
  'people.recharge': '充值配置',
  'people.tag': '人员标签',
  'people.whitelist': '支付宝白名单',
  'places.place': '场所',
  'devices.board': '屏幕',
  'devices.camera': '摄像机',
  'devices.ai': 'AI预警',
  'devices.card': '刷卡监控',
  'devices.config': '设备配置',
  'devices.device': '设备',
  'devices.firmware': '设备固件',
  'devices.reader': '读卡器',
  'devices.rule': '设备规则',
  'devices.secret': '设备密码',
  'devices.setting': '设备学校设置',
  'devices.sync': '设备数据',
  'people.upgrade': '学年升级',
  'school.config': '系统配置',
  'school.dict': '字典',
  'school.info': '学校信息',
  'school.provider': '登录方式',
  'school.nav': '导航与应用',
  'school.school': '学校',
}

/** What belongs to the platform: super accounts alone have these codes, no role of a school can be given one. */
export const platform_codes: ReadonlySet<string> = new Set(['school.school.manage'])

/** Columns of the permission matrix, in their order (chapter 10 §5). */
export const matrix_columns = { view: '查看', add: '新增', edit: '编辑', delete: '删除', import: '导入', export: '导出', audit: '审核', other: '其他' } as const
export type MatrixColumn = keyof typeof matrix_columns

const verb_names: Readonly<Record<string, readonly [name: string, column: MatrixColumn]>> = {
  view: ['查看', 'view'],
  view_all: ['查看全部', 'other'],
  add: ['新增', 'add'],
  edit: ['编辑', 'edit'],
  delete: ['删除', 'delete'],
  import: ['导入', 'import'],
  upload: ['上传', 'add'],
  issue: ['发卡', 'add'],
  loss: ['挂失', 'other'],
  cancel_loss: ['解挂', 'other'],
  reissue: ['补卡', 'other'],
  revoke: ['退卡', 'delete'],
  export: ['导出', 'export'],
  export_full: ['导出完整信息', 'export'],
  bulk: ['批量导出', 'export'],
  publish: ['发布', 'other'],
  audit: ['审核', 'audit'],
  decide: ['处理', 'audit'],
  admin: ['全权处理', 'other'],
  approve: ['复核', 'audit'],
  terminate: ['解约与提醒', 'other'],
  manage: ['管理', 'other'],
  use: ['使用', 'other'],
  config: ['设置', 'other'],
  run: ['办理', 'other'],
  remind: ['提醒', 'other'],
  override: ['超时布置', 'other'],
  undo: ['撤销', 'other'],
  grave: ['办理死亡与开除', 'other'],
  overfill: ['超员办理', 'other'],
  backdate: ['追溯生效日期', 'other'],
  correct: ['更正过去日期', 'other'],
  place: ['分班', 'edit'],
  checkin: ['报到', 'other'],
  plan: ['制定方案', 'edit'],
  sign: ['签署', 'audit'],
  rollback: ['回滚', 'other'],
  retry: ['重新发送', 'other'],
  control: ['远程控制', 'other'],
  live: ['看实时画面', 'other'],
  confirm: ['确认大量删除', 'other'],
  lookup: ['查询', 'view'],
  review: ['审核', 'audit'],
  reveal: ['查看完整号码', 'other'],
  sensitive: ['查看敏感标签', 'other'],
}

/** A permission code in words; `column` is where the matrix shows it. */
export type PermissionName = { code: string; module: string; module_name: string; noun: string; noun_name: string; verb: string; verb_name: string; column: MatrixColumn }

/** The words of a code; null for one that nobody has named. */
export function permissionName(code: string): PermissionName | null {
  const [module = '', ...rest] = code.split('.')
  const verb = rest.at(-1) ?? ''
  const noun = [module, ...rest.slice(0, -1)].join('.')
  const [verb_name, column] = verb_names[verb] ?? []
  const module_name = module_names[module]
  const noun_name = noun_names[noun]
  if (module_name === undefined || noun_name === undefined || verb_name === undefined || column === undefined) return null
  return { code, module, module_name, noun, noun_name, verb, verb_name, column }
}

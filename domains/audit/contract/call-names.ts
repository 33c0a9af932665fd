/**
 * Chinese names of what the operation log speaks of. A call is `module.noun.verb`; here stand the modules and the nouns, while the kind of operation
 * says the verb. Every call of the product has its name here and nothing else has one: a test compares both ways, and with the words of the
 * permissions where both name the same thing.
 */
export const module_names: Readonly<Record<string, string>> = {
  audit: '日志审计',
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

export const noun_names: Readonly<Record<string, string>> = {
  'audit.archive': '档案操作日志',
  'audit.integrity': '日志完整性',
  'audit.system': '系统操作日志',
  'files.file': '文件',
  'files.token': '上传凭证',
  'files.upload': '文件上传',
  'identity.account': '账号',
  'identity.app_role': '移动端角色',
  'identity.app_role_group': '移动端角色组',
  'identity.ai_help': '智能帮助',
  'identity.cloud_fee': '云收费开通',
  'identity.explain': '权限诊断',
  'identity.login': '登录',
  'identity.member': '角色成员',
  'identity.password': '密码规则',
  'identity.provider': '登录方式',
  'identity.provider_login': '第三方登录',
  'identity.realtime': '实时连接',
  'identity.role': '角色',
  'identity.role_group': '角色组',
  'identity.session': '会话与密码',
  'identity.sub_app': '子应用',
  'insight.dashboard': '看板',
  'insight.statistics': '首页统计',
  'jobs.import': '导入批次',
  'jobs.job': '后台任务',
  'messages.channel': '消息通道',
  'messages.inbox': '收件箱',
  'messages.message': '发送记录',
  'messages.receipt': '送达回执',
  'messages.template': '消息模板',
  'people.archive': '档案变更',
  'people.book': '通讯录',
  'people.change': '异动办理',
  'people.delete': '人员删除',
  'people.collect': '信息采集',
  'people.collect_answer': '采集答复',
  'people.collect_review': '采集审核',
  'people.delegate': '部门委托',
  'people.dept': '部门班级',
  'people.field': '自定义字段',
  'people.freshmen': '新生报名',
  'people.freshmen_arrival': '新生报到',
  'people.freshmen_place': '新生分班',
  'people.freshmen_season': '新生报名设置',
  'people.lookup': '人员查对',
  'people.member': '批量调动',
  'people.merge': '查重合并',
  'people.merge_run': '合并人员',
  'people.overview': '人员概况',
  'people.page': '人员详情',
  'people.parent': '家长档案',
  'people.password_lookup': '初始密码',
  'people.person': '敏感信息',
  'people.photo': '照片导入',
  'people.picker': '人员选择',
  'people.quit': '离校人员',
  'people.register': '开放登记',
  'people.register_entry': '登记审核',
  'people.register_field': '登记字段',
  'people.register_public': '访客登记',
  'people.staff': '教职工档案',
  'people.student': '学生档案',
  'people.sign': '支付签约',
  'people.recharge': '充值配置',
  'people.tag': '人员标签',
  'people.remark': '部门备注',
  'people.whitelist': '支付宝白名单',
  'places.place': '场所',
  'devices.card': '刷卡监控',
  'devices.command': '设备命令',
  'devices.device': '设备',
  'devices.rule': '设备规则',
  'devices.secret': '设备密码',
  'devices.sync': '设备数据',
  'people.upgrade': '学年升级',
  'people.upgrade_run': '学年升级执行',
  'people.user_delete': '人员删除批次',
  'school.client_error': '页面错误上报',
  'school.config': '系统配置',
  'school.dictionary': '字典',
  'school.dictionary_edit': '字典维护',
  'school.info': '学校信息',
  'school.module': '功能模块',
  'school.nav': '导航与应用',
  'school.navigation': '导航菜单',
  'school.picture': '学校图片',
  'school.preference': '个人设置',
  'school.school': '学校',
  'school.school_manage': '学校管理',
  'school.setup': '开始使用清单',
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

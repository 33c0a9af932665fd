/** Words for tables and columns of what is held about a person; what has none keeps its own name. */
export const table_labels: Readonly<Record<string, string>> = {
  account: '登录账号', archive_log: '档案操作日志', change_effect: '变更事项的影响', change_subject: '变更事项', dept_duty: '部门职务', dept_member: '部门成员', external_bind: '第三方账号绑定', file_object: '上传的文件',
  guardian_link: '家长关联', import_row: '导入记录', job: '任务', message_delivery: '消息发送', message_person: '消息', operation_log: '系统操作日志', parent: '家长档案', person: '个人信息', person_vehicle: '车辆', role_member: '角色成员',
  school_user: '姓名与编号', scope_fact: '职责范围', session: '登录设备', staff: '教职工档案', staff_span: '任职经历', student: '学生档案', student_span: '学籍经历', user_pref: '个人设置',
}

export const column_labels: Readonly<Record<string, string>> = {
  user_id: '人员标识', user_name: '姓名', user_no: '编号', name_py: '姓名拼音', name_initials: '拼音首字母', sex: '性别', birthday: '出生日期', id_type: '证件类型', id_no: '证件号', id_no_mask: '证件号（掩码）', nation: '民族', country: '国籍', political: '政治面貌',
  mobile: '手机号', tel: '电话', email: '邮箱', qq: 'QQ', address: '住址', mail_address: '通信地址', home_address: '家庭地址', postcode: '邮编', photo_file_key: '照片', student_no: '学号', school_roll_no: '学籍号', enrol_month: '入学年月', health: '健康状况',
  blood: '血型', former_name: '曾用名', native_place: '籍贯', hukou: '户口', remark: '备注', teacher_no: '工号', work: '工作单位', edu: '学历', relation: '关系', parent_user_id: '家长标识', student_user_id: '学生标识', dept_id: '部门', valid_from: '开始', valid_to: '结束',
  created_at: '创建时间', updated_at: '更新时间', happened_at: '时间', op_type: '操作类型', module_code: '模块', changes: '变更内容', before: '变更前', after: '变更后', ip: 'IP', device_label: '设备', started_at: '开始时间', seen_at: '最近使用', state: '状态', reason: '原因',
  username: '登录账号', pwd_set_at: '密码设置时间', enabled: '启用', role_id: '角色', target_name: '对象', person_name: '姓名', dept_name: '部门名称', source: '来源', msg: '结果', pref_key: '设置项', value: '值', read_at: '阅读时间', plate_no: '车牌号',
}

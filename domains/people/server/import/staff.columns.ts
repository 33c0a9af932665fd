import type { Field } from './field.ts'

/** Where the value of a column lives: on the person, on the staff, as departments, as plates, or in a domain that takes it over later. */
export type StaffColumn = Field & { home: 'person' | 'staff' | 'dept' | 'state' | 'plate' | 'later' }

/** Columns of the staff template, in the order of the sheet (30 columns, 10 of them required). */
export const staff_columns = [
  { prop: 'user_name', label: '姓名', kind: 'name', home: 'person', required: true, sample: '陈晓华' },
  { prop: 'sex', label: '性别', kind: 'dict', home: 'person', required: true, dict: 'SEX', sample: '女' },
  { prop: 'teacher_no', label: '工号', kind: 'alnum_1_50', home: 'staff', required: true, sample: 'T2025001', note: '全校唯一，含离职人员' },
  { prop: 'mobile', label: '手机号', kind: 'mobile', home: 'person', required: true, sample: '16910000001', note: '登录账号；与本校家长同号同名时合并为同一人' },
  { prop: 'dept', label: '部门', kind: 'dept', home: 'dept', required: true, sample: '启明实验学校/教研组/语文教研组', note: '部门全路径，多个部门用；分隔，第一个为主部门' },
  { prop: 'id_type', label: '身份证件类型', kind: 'dict', home: 'person', required: true, dict: 'ID_TYPE', sample: '居民身份证' },
  { prop: 'id_no', label: '身份证件号', kind: 'id_no', home: 'person', required: true, sample: '370200198506150024' },
  { prop: 'birthday', label: '出生日期', kind: 'date', home: 'person', sample: '19850615', note: '19850615 或 1985-06-15，应与身份证号一致' },
  { prop: 'nation', label: '民族', kind: 'dict', home: 'person', dict: 'NATION', sample: '汉族' },
  { prop: 'political', label: '政治面貌', kind: 'dict', home: 'person', dict: 'POLITICAL_SHORT', sample: '中共党员' },
  { prop: 'kind', label: '教职工类别', kind: 'dict', home: 'staff', required: true, dict: 'STAFF_KIND', sample: '专任教师' },
  { prop: 'bz', label: '编制类别', kind: 'dict', home: 'staff', dict: 'STAFF_BZ_K12', sample: '专任教师' },
  { prop: 'post', label: '岗位类别', kind: 'dict', home: 'staff', dict: 'POST_CATEGORY', sample: '专业技术岗位' },
  { prop: 'employ', label: '用人形式', kind: 'dict', home: 'staff', dict: 'EMPLOY_FORM', sample: '编制内' },
  { prop: 'state', label: '当前状态', kind: 'dict', home: 'state', required: true, dict: 'STAFF_STATE', sample: '在职' },
  { prop: 'edu', label: '学历', kind: 'dict', home: 'staff', dict: 'EDU_LEVEL', sample: '大学本科毕业' },
  { prop: 'degree', label: '学位', kind: 'dict', home: 'staff', dict: 'DEGREE', sample: '学士' },
  { prop: 'title', label: '职称', kind: 'dict', home: 'staff', dict: 'TITLE_K12', sample: '一级教师' },
  { prop: 'stage', label: '任课学段', kind: 'dict', home: 'staff', dict: 'TEACH_STAGE', sample: '小学' },
  { prop: 'subject', label: '任教学科', kind: 'dict', home: 'staff', dict: 'SUBJECT', sample: '语文' },
  { prop: 'cert', label: '教师资格证种类', kind: 'dict', home: 'staff', dict: 'TEACHER_CERT', sample: '小学教师资格' },
  { prop: 'mandarin', label: '普通话等级', kind: 'dict', home: 'staff', dict: 'MANDARIN', sample: '二级甲等' },
  { prop: 'work_month', label: '参加工作年月', kind: 'month', home: 'staff', sample: '200707', note: '如 200707' },
  { prop: 'join_month', label: '来校年月', kind: 'month', home: 'staff', required: true, sample: '201208', note: '如 201208' },
  { prop: 'plate', label: '车牌号', kind: 'plate', home: 'plate', sample: '鲁B00000' },
  { prop: 'email', label: '电子信箱', kind: 'email', home: 'person', sample: 'chen@example.com' },
  { prop: 'qq', label: 'QQ', kind: 'qq', home: 'person' },
  { prop: 'card_no', label: '卡号', kind: 'later', home: 'later', note: '8位或10位数字，或8位十六进制' },
  { prop: 'roles', label: '角色', kind: 'later', home: 'later', sample: '任课教师；班主任', note: '多个角色用；分隔，导入后在角色管理中授予' },
  { prop: 'remark', label: '备注', kind: 'text', home: 'staff', max: 200 },
] as const satisfies readonly StaffColumn[]

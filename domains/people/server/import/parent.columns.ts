import type { Field } from './field.ts'

/** Columns of the parent template, in the order of the sheet (13 columns, 6 of them required). */
export const parent_columns = [
  { prop: 'student_no', label: '学生学号', kind: 'student_no', required: true, sample: '20250101', note: '全校唯一，含离校学生' },
  { prop: 'student_name', label: '学生姓名', kind: 'name', required: true, sample: '王子涵' },
  { prop: 'name', label: '家长姓名', kind: 'name', required: true, sample: '王志强' },
  { prop: 'relation', label: '关系', kind: 'dict', required: true, dict: 'PICKUP_RELATION', sample: '父亲' },
  { prop: 'mobile', label: '手机号', kind: 'mobile', required: true, sample: '16900000002', note: '一个手机号对应一位家长' },
  { prop: 'is_first', label: '是否第一联系人', kind: 'dict', required: true, dict: 'YES_NO', sample: '是' },
  { prop: 'is_guardian', label: '是否监护人', kind: 'dict', dict: 'YES_NO', sample: '是' },
  { prop: 'id_type', label: '身份证件类型', kind: 'dict', dict: 'ID_TYPE', sample: '居民身份证' },
  { prop: 'id_no', label: '身份证件号', kind: 'id_no' },
  { prop: 'work', label: '工作单位', kind: 'text', max: 100 },
  { prop: 'edu', label: '学历', kind: 'dict', dict: 'EDU_LEVEL', sample: '大学本科毕业' },
  { prop: 'card_no', label: '卡号', kind: 'later', note: '8位或10位数字，或8位十六进制' },
  { prop: 'pickup', label: '是否可接送', kind: 'dict', dict: 'YES_NO', sample: '是' },
] as const satisfies readonly Field[]

export type ParentProp = (typeof parent_columns)[number]['prop']

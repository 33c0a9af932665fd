import type { Field } from './field.ts'

/** Columns of the department sheet, in its order (12 columns, 4 of them required). */
export const dept_columns = [
  { prop: 'parent_path', label: '上级部门全路径', kind: 'text', max: 300, required: true, sample: '启明实验学校/小学部/一年级', note: '各级之间用/分隔；上级可以是本表前面的行新建的部门' },
  { prop: 'dept_name', label: '部门名称', kind: 'text', max: 30, required: true, sample: '1班', note: '班级可以只写“1班”，自动补上年级' },
  { prop: 'dept_type', label: '部门类型', kind: 'dict', dict: 'DEPT_TYPE', required: true, sample: '班级' },
  { prop: 'is_grade', label: '是否年级', kind: 'dict', dict: 'YES_NO', required: true, sample: '否' },
  { prop: 'grade', label: '年级代码', kind: 'dict', dict: 'GRADE', note: '部门类型为年级时必填' },
  { prop: 'enrol_year', label: '入学年份', kind: 'text', max: 4, sample: '2025', note: '四位年份；不填时按年级推算' },
  { prop: 'class_type', label: '班级类型', kind: 'dict', dict: 'CLASS_TYPE', sample: '普通小学班' },
  { prop: 'head_no', label: '班主任工号', kind: 'text', max: 50, sample: 'T2025001', note: '年级填年级组长，其他部门填负责人；须为在职教职工' },
  { prop: 'vice_no', label: '副班主任工号', kind: 'text', max: 255, note: '多人用；分隔，最多5人' },
  { prop: 'place', label: '教室', kind: 'later', note: '请在场所管理中设置班级的教室' },
  { prop: 'order', label: '显示顺序', kind: 'text', max: 4, sample: '1', note: '1-9999，用于新部门之间；已有部门请在组织架构中排序' },
  { prop: 'remark', label: '备注', kind: 'text', max: 100, note: '本校的部门备注，例如 校区：东校区；班级性质：普通班' },
] as const satisfies readonly Field[]

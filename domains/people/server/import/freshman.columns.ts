import type { Field } from './field.ts'

/** Columns of the sheet of freshmen, in its order (10 columns, 7 of them required). */
export const freshman_columns = [
  { prop: 'user_name', label: '姓名', kind: 'name', required: true, sample: '陈一诺' },
  { prop: 'sex', label: '性别', kind: 'dict', dict: 'SEX', required: true, sample: '女', note: '应与身份证号一致' },
  { prop: 'id_type', label: '身份证件类型', kind: 'dict', dict: 'ID_TYPE', required: true, sample: '居民身份证' },
  { prop: 'id_no', label: '身份证件号', kind: 'id_no', required: true, sample: '370200201907080025', note: '居民身份证号为18位；同一次报名中每个证件号只能报一次' },
  { prop: 'stage', label: '报名学段', kind: 'dict', dict: 'STAGE', required: true, sample: '小学', note: '报名进入该学段最近一次尚未分班的新生报名' },
  { prop: 'hukou_division', label: '户口所在地行政区划码', kind: 'division', sample: '370200', note: '六位区划码或省市区名称' },
  { prop: 'guardian', label: '监护人姓名', kind: 'name', required: true, sample: '陈立新' },
  { prop: 'guardian_mobile', label: '监护人手机号', kind: 'mobile', required: true, sample: '16900000009' },
  { prop: 'from_school', label: '毕业学校', kind: 'text', max: 100, sample: '(虚构)阳光幼儿园' },
  { prop: 'board', label: '是否住校', kind: 'dict', dict: 'YES_NO', sample: '否' },
] as const satisfies readonly Field[]

import { FreshmanRow } from '@campus/people/contract'
import { dictionaryName, fields, selectFilter, textFilter } from '@kit/web'
import type { Fields } from '@kit/web'
import { Tag } from 'antd'
import { state_colors, state_names, state_options } from './freshmen-words.ts'

type FreshmanField = 'keyword' | 'state' | 'apply_no' | 'user_name' | 'sex' | 'birthday' | 'id_no' | 'guardian' | 'guardian_mobile' | 'score' | 'dept_name' | 'student_no' | 'applied_at'

const none = <span className="kit-none">—</span>

/** Fields of an application in the list. */
export const freshmenFields: Fields<FreshmanRow, FreshmanField> = fields(FreshmanRow, 'id', {
  keyword: { label: '关键字', filter: textFilter('keyword', '姓名/报名编号/手机号/证件号') },
  state: { label: '状态', width: 96, cell: row => <Tag color={state_colors[row.state]} title={row.reason ?? undefined}>{state_names[row.state]}</Tag>, filter: selectFilter('state', state_options) },
  apply_no: { label: '报名编号', width: 144 },
  user_name: { label: '姓名', width: 84, default_action: true },
  sex: { label: '性别', width: 56, cell: row => dictionaryName('SEX', row.sex) },
  birthday: { label: '出生日期', width: 104, kind: 'day' },
  id_no: { label: '证件号', width: 160 },
  guardian: { label: '监护人', width: 76 },
  guardian_mobile: { label: '手机号', width: 112 },
  score: { label: '成绩', width: 72, kind: 'number' },
  dept_name: { label: '班级', width: 108, cell: row => row.dept_name ?? none },
  student_no: { label: '学号', width: 104, cell: row => row.student_no ?? none },
  applied_at: { label: '报名时间', width: 152, kind: 'instant' },
})

import { Semester, TERM } from '@campus/calendar/contract'
import { fields, textFilter } from '@kit/web'
import { Tag } from 'antd'

const state_names = { coming: '未开始', running: '进行中', over: '已结束', closed: '已归档' } as const
const state_colors = { coming: 'blue', running: 'green', over: 'default', closed: 'default' } as const

/** Fields of a term. */
export const semesterFields = fields(Semester, 'id', {
  school_year: { label: '学年', width: 104, default_action: true, filter: textFilter('school_year', '如 2026-2027') },
  term: { label: '学期', width: 96, cell: row => TERM.names[row.term] },
  name: { label: '名称', width: 208 },
  begin_date: { label: '开始日期', width: 108, kind: 'day' },
  end_date: { label: '结束日期', width: 108, kind: 'day' },
  register_date: { label: '报到日期', width: 108, kind: 'day' },
  weeks: { label: '周数', width: 64, kind: 'number' },
  exam_weeks: { label: '考试周', width: 104, cell: row => (row.exam_weeks.length === 0 ? '' : `第${row.exam_weeks.join('、')}周`) },
  state: { label: '状态', width: 80, cell: row => <Tag color={state_colors[row.state]}>{state_names[row.state]}</Tag> },
})

import { change_kinds, change_state_names, change_states, ChangeRow } from '@campus/people/contract'
import { daysFilter, fields, selectFilter, serverNow, textFilter } from '@kit/web'
import type { Fields } from '@kit/web'
import { Tag } from 'antd'
import { kindName, state_colors, undoText } from './change-words.ts'

type ChangeField = 'keyword' | 'kind' | 'state' | 'days' | 'effective_on' | 'subjects' | 'reason' | 'effects' | 'created_by' | 'created_at' | 'undo'

const kinds = change_kinds.map(value => ({ value, label: kindName(value) }))
const states = change_states.map(value => ({ value, label: change_state_names[value] }))

/** Fields of a line of the change record. */
export const changeFields: Fields<ChangeRow, ChangeField> = fields(ChangeRow, 'command_id', {
  keyword: { label: '关键字', filter: textFilter('keyword', '姓名/学号') },
  kind: { label: '类型', width: 80, default_action: true, filter: selectFilter('kind', kinds), cell: row => kindName(row.kind) },
  state: { label: '状态', width: 76, filter: selectFilter('state', states), cell: row => <Tag color={state_colors[row.state]}>{change_state_names[row.state]}</Tag> },
  days: { label: '生效日期', filter: daysFilter('from', 'to') },
  effective_on: { label: '生效日期', width: 96, kind: 'day' },
  subjects: { label: '人员', width: 176, cell: row => namesText(row) },
  reason: { label: '原因', width: 136 },
  effects: { label: '影响', width: 108, cell: row => countsText(row) },
  created_by: { label: '办理人', width: 76 },
  created_at: { label: '办理时间', width: 140, kind: 'instant' },
  undo: { label: '可撤销', width: 128, cell: row => undoText(row, serverNow()) ?? <span className="kit-none">—</span> },
})

function namesText({ subject_names, subject_count }: ChangeRow): string {
  const names = subject_names.join('、')
  return subject_count > subject_names.length ? `${names}等 ${subject_count} 人` : names
}

function countsText({ counts }: ChangeRow): string {
  const parts = [`${counts.done} 完成`, ...(counts.waiting > 0 ? [`${counts.waiting} 等待`] : []), ...(counts.failed > 0 ? [`${counts.failed} 失败`] : [])]
  return parts.join('，')
}

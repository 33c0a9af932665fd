import { closeName, quit_group_names, quit_groups, QuitRow } from '@campus/people/contract'
import { daysFilter, fields, selectFilter, textFilter } from '@kit/web'
import type { Fields } from '@kit/web'
import { Tag } from 'antd'
import { Avatar } from '../avatar.tsx'
import { state_colors, state_names } from '../deletion/delete-words.ts'
import { PersonLink } from '../person-page/person-link.tsx'
import { clearedText } from './quit-words.ts'

type QuitField = 'keyword' | 'kind' | 'group' | 'year' | 'days' | 'user_name' | 'user_no' | 'dept_name' | 'close_kind' | 'to_where' | 'left_on' | 'items' | 'kept_until' | 'cleared' | 'deletion'

const kinds = [{ value: 'student', label: '学生' }, { value: 'staff', label: '教职工' }]
const groups = quit_groups.map(value => ({ value, label: quit_group_names[value] }))
const pupil = 1
const none = <span className="kit-none">—</span>
const this_year = new Date().getFullYear()
const years = Array.from({ length: 12 }, (_, at) => ({ value: String(this_year - at), label: `${this_year - at}年` }))

/** Fields of somebody who left. */
export const quitFields: Fields<QuitRow, QuitField> = fields(QuitRow, 'user_id', {
  keyword: { label: '关键字', filter: textFilter('keyword', '姓名/学号/工号/证件号') },
  kind: { label: '类别', filter: selectFilter('kind', kinds) },
  group: { label: '离校类型', filter: selectFilter('group', groups) },
  year: { label: '年份', filter: selectFilter('year', years) },
  days: { label: '离校日期', filter: daysFilter('from', 'to') },
  user_name: { label: '姓名', width: 104, default_action: true, cell: row => <Name row={row} /> },
  user_no: { label: '编号', width: 96 },
  dept_name: { label: '原班级', width: 104 },
  close_kind: { label: '离校类型', width: 84, cell: row => closeName(row.close_kind) },
  to_where: { label: '去向', width: 108 },
  left_on: { label: '离校日期', width: 96, kind: 'day' },
  items: { label: '未结事项', width: 112, cell: row => (row.items.length === 0 ? none : row.items.map(item => <Tag key={item.code} color={item.level === 'block' ? 'red' : 'orange'} title={item.action}>{item.title}</Tag>)) },
  kept_until: { label: '数据保留至', width: 104, cell: row => row.kept_until ?? '长期' },
  cleared: { label: '设备清除', width: 84, cell: row => clearedText(row) ?? none },
  deletion: { label: '删除', width: 80, cell: row => (row.deletion === null ? none : <Tag color={state_colors[row.deletion.state]} title={row.deletion.batch_no}>{state_names[row.deletion.state]}</Tag>) },
})

function Name({ row }: { row: QuitRow }) {
  return (
    <span className="people-name quit-name">
      <Avatar name={row.user_name} photo_url={null} />
      {row.is_purged ? <span>{row.user_name}</span> : <PersonLink id={row.user_id} text={row.user_name} need={row.person_kind === pupil ? 'people.student.view' : 'people.staff.view'} />}
    </span>
  )
}

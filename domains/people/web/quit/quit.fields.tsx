import { quitList } from '@campus/people/contract'
import type { QuitRow } from '@campus/people/contract'
import { fieldsOf, selectFilter } from '@kit/web'
import { Tag } from 'antd'
import { Avatar } from '../avatar.tsx'
import { state_colors, state_names } from '../deletion/delete-words.ts'
import { PersonLink } from '../person-page/person-link.tsx'
import { clearedText } from './quit-words.ts'

const pupil = 1
const none = <span className="kit-none">—</span>
const this_year = new Date().getFullYear()
const years = Array.from({ length: 12 }, (_, at) => ({ value: String(this_year - at), label: `${this_year - at}年` }))

/** Fields of somebody who left. */
export const quitFields = fieldsOf(quitList, {
  year: { filter: selectFilter('year', years) },
  user_name: { default_action: true, cell: row => <Name row={row} /> },
  items: { cell: row => (row.items.length === 0 ? none : row.items.map(item => <Tag key={item.code} color={item.level === 'block' ? 'red' : 'orange'} title={item.action}>{item.title}</Tag>)) },
  cleared: { cell: row => clearedText(row) ?? none },
  deletion: { cell: row => (row.deletion === null ? none : <Tag color={state_colors[row.deletion.state]} title={row.deletion.batch_no}>{state_names[row.deletion.state]}</Tag>) },
})

function Name({ row }: { row: QuitRow }) {
  return (
    <span className="people-name quit-name">
      <Avatar name={row.user_name} photo_url={null} />
      {row.is_purged ? <span>{row.user_name}</span> : <PersonLink id={row.user_id} text={row.user_name} need={row.person_kind === pupil ? 'people.student.view' : 'people.staff.view'} />}
    </span>
  )
}

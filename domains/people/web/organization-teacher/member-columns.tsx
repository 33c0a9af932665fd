import type { StaffRow } from '@campus/people/contract'
import { dictionaryName } from '@kit/web'
import type { TableColumnsType } from 'antd'
import { Tag } from 'antd'
import type { ReactNode } from 'react'
import { PersonLink } from '../person-page/person-link.tsx'
import { StaffActions } from '../staff/staff-doors.tsx'
import type { StaffDoor } from '../staff/staff-doors.tsx'
import { duty_names } from '../staff/words.ts'

const view_code = 'people.staff.view'

/** Columns of the members of a department; with the departments below, where each of them stands too. */
export function memberColumns(dept_id: string, below: boolean, door: StaffDoor): TableColumnsType<StaffRow> {
  return [
    { title: '姓名', key: 'user_name', width: 92, render: (_, { user_id, user_name }) => <PersonLink id={user_id} text={user_name} need={view_code} /> },
    { title: '工号', dataIndex: 'teacher_no', width: 88, ellipsis: true },
    { title: '任职', key: 'post', width: below ? 148 : 64, ellipsis: true, render: (_, row) => <Posts row={row} dept_id={dept_id} below={below} /> },
    { title: '岗位', key: 'position', width: 104, ellipsis: true, render: (_, row) => positionOf(row, dept_id) },
    { title: '职务', key: 'duties', ellipsis: true, render: (_, row) => row.duties.map(({ duty, dept_name }) => `${dept_name}${duty_names[duty]}`).join('、') || '—' },
    { title: '操作', key: 'act', width: 196, render: (_, row) => <span className="team-acts"><StaffActions row={row} door={door} /></span> },
  ]
}

function Posts({ row, dept_id, below }: { row: StaffRow; dept_id: string; below: boolean }): ReactNode {
  const here = row.depts.find(dept => dept.dept_id === dept_id)
  const shown = here ?? (below ? row.depts[0] : undefined)
  if (!shown) return '—'
  return (
    <span title={row.depts.map(dept => `${dept.dept_name}（${dept.is_primary ? '主' : '兼'}）`).join('；')}>
      <Tag color={shown.is_primary ? 'blue' : 'default'}>{shown.is_primary ? '主' : '兼'}</Tag>
      {!here && shown.dept_name}
    </span>
  )
}

function positionOf({ depts, post }: StaffRow, dept_id: string): string {
  const said = depts.find(dept => dept.dept_id === dept_id)?.position
  return said || (post ? dictionaryName('POST_CATEGORY', post) : '—')
}

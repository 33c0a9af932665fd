import { ParentRow } from '@campus/people/contract'
import { dictionaryName, fields, selectFilter, textFilter } from '@kit/web'
import type { Fields } from '@kit/web'
import { Tag } from 'antd'
import { Avatar } from './avatar.tsx'
import { PersonLink } from './person-page/person-link.tsx'
import { deptFilter } from './dept-filter.ts'

const yes_no = [
  { value: '1', label: '是' },
  { value: '0', label: '否' },
]

type ParentField = 'keyword' | 'dept_id' | 'user_name' | 'mobile' | 'children' | 'relation' | 'is_guardian' | 'updated_at'

/** Fields of a parent. `nameOf` tells the name of a department of the tree. */
export function parentFields(nameOf: (dept_id: string) => string | undefined): Fields<ParentRow, ParentField> {
  return fields(ParentRow, 'user_id', {
    keyword: { label: '关键字', filter: textFilter('keyword', '姓名/拼音/手机号/孩子') },
    dept_id: { label: '班级', filter: deptFilter(nameOf) },
    user_name: { label: '姓名', width: 140, default_action: true, cell: (row) => <NameCell row={row} /> },
    mobile: { label: '手机号', width: 120 },
    children: { label: '孩子', width: 300, cell: (row) => <Children row={row} /> },
    relation: { label: '关系', width: 120, cell: (row) => relationsOf(row) },
    is_guardian: { label: '监护人', filter: selectFilter('is_guardian', yes_no) },
    updated_at: { label: '更新时间', width: 144, kind: 'instant' },
  })
}

function NameCell({ row }: { row: ParentRow }) {
  return (
    <span className="people-name">
      <Avatar name={row.user_name} photo_url={null} />
      <PersonLink id={row.user_id} text={row.user_name} need="people.parent.view" />
    </span>
  )
}

function Children({ row }: { row: ParentRow }) {
  return (
    <span className="people-children">
      {row.children.map((child) => (
        <Tag key={child.user_id} title={`${child.user_name} ${child.student_no} ${child.dept_name ?? '未分班'}`}>
          {child.user_name} {child.dept_name}
        </Tag>
      ))}
    </span>
  )
}

function relationsOf(row: ParentRow): string {
  return [...new Set(row.children.map((child) => `${dictionaryName('PICKUP_RELATION', child.relation)}${child.is_guardian ? '（监护人）' : ''}`))].join('、')
}

import { duties, staff_states, StaffRow } from '@campus/people/contract'
import { dictionaryName, fields, selectFilter, textFilter, useDictionary } from '@kit/web'
import type { Fields, FilterControl } from '@kit/web'
import { Link } from '@tanstack/react-router'
import { Select, Tag } from 'antd'
import type { ReactNode } from 'react'
import { Avatar } from '../avatar.tsx'
import { deptFilter } from '../dept-filter.ts'
import type { FieldChoice } from '../field/field-choice.ts'
import { fieldFilter } from '../field/field-roll.tsx'
import type { TagChoice } from '../tag/tag-choice.ts'
import { tagFilter, TagMarks } from '../tag/tag-door.tsx'
import { duty_names } from './words.ts'

type StaffFieldName =
  | 'keyword' | 'dept_id' | 'user_name' | 'teacher_no' | 'depts' | 'post' | 'title' | 'subject' | 'heads' | 'state' | 'roles' | 'kind' | 'sex' | 'mobile' | 'duty' | 'tags' | 'tag_ids' | 'ext' | 'updated_at'

const duty_options = duties.map(value => ({ value, label: duty_names[value] }))

/** Fields of a member of staff. `nameOf` tells the name of a department of the tree; `tags` and `choices` may be filtered by. */
export function staffFields(nameOf: (dept_id: string) => string | undefined, tags: readonly TagChoice[], choices: readonly FieldChoice[]): Fields<StaffRow, StaffFieldName> {
  return fields(StaffRow, 'user_id', {
    keyword: { label: '关键字', filter: textFilter('keyword', '姓名/拼音/工号/手机号') },
    dept_id: { label: '部门', filter: deptFilter(nameOf) },
    user_name: { label: '姓名', width: 100, default_action: true, cell: row => <NameCell row={row} /> },
    teacher_no: { label: '工号', width: 88 },
    depts: { label: '部门(主/兼)', width: 148, cell: row => <Depts row={row} /> },
    post: { label: '岗位', width: 96, dictionary: 'POST_CATEGORY', cell: row => postOf(row) },
    title: { label: '职称', width: 84, dictionary: 'TITLE_K12' },
    subject: { label: '学科', width: 64, dictionary: 'SUBJECT' },
    heads: { label: '班主任班级', width: 100, cell: row => row.duties.filter(one => one.duty === 'head').map(one => one.dept_name).join('、') },
    state: { label: '状态', width: 64, dictionary: 'STAFF_STATE', filter: stateFilter },
    roles: { label: '角色', width: 108, cell: row => row.roles.map(role => role.name).join('、') },
    kind: { label: '类别', width: 96, dictionary: 'STAFF_KIND' },
    sex: { label: '性别', width: 48, dictionary: 'SEX' },
    mobile: { label: '手机号', width: 108 },
    duty: { label: '职务', filter: selectFilter('duty', duty_options) },
    tags: { label: '标签', width: 132, cell: row => <TagMarks tags={row.tags} /> },
    tag_ids: { label: '标签', filter: tagFilter(tags) },
    ext: { label: '自定义字段', filter: fieldFilter(choices) },
    updated_at: { label: '更新时间', width: 128, kind: 'instant' },
  })
}

/** Only states at work: whoever left stands in another list. */
const stateFilter: FilterControl = {
  names: ['state'],
  text: values => (values.state ? dictionaryName('STAFF_STATE', values.state) : undefined),
  Input: ({ id, values, change }) => {
    const options = useDictionary('STAFF_STATE').filter(({ value }) => staff_states.some(state => state === value))
    return <Select id={id} className="kit-fill" allowClear placeholder="全部" options={options} value={values.state} onChange={(state?: string) => change({ state })} />
  },
}

function NameCell({ row }: { row: StaffRow }): ReactNode {
  return (
    <span className="people-name">
      <Avatar name={row.user_name} photo_url={row.photo_url} />
      <Link className="kit-link" to="/PersonDetail" search={{ user_id: row.user_id }} title={row.user_name}>{row.user_name}</Link>
    </span>
  )
}

/** The primary department by name; how many others there are, by name on hover. */
function Depts({ row: { depts } }: { row: StaffRow }): ReactNode {
  const [main, ...others] = depts.toSorted((a, b) => Number(b.is_primary) - Number(a.is_primary))
  if (!main) return null
  return (
    <span className="people-children">
      <Tag color={main.is_primary ? 'blue' : undefined} title={`${main.is_primary ? '主部门' : '兼任部门'}：${main.dept_name}`}>{main.dept_name}</Tag>
      {others.length > 0 && <small className="people-more" title={`兼任：${others.map(dept => dept.dept_name).join('、')}`}>+{others.length}</small>}
    </span>
  )
}

/** What he is in his departments; else the category of his post. */
function postOf(row: StaffRow): string {
  const positions = row.depts.flatMap(dept => dept.position ?? [])
  return positions.length > 0 ? positions.join('、') : row.post === null ? '' : dictionaryName('POST_CATEGORY', row.post)
}

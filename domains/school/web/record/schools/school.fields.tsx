import { school_state_names, school_type_names, SchoolListRow } from '@campus/school/contract'
import { size } from '@kit/contract/checks'
import { fields, instantText, readStored, selectFilter, textFilter } from '@kit/web'
import type { Fields } from '@kit/web'
import { Tag } from 'antd'

type SchoolField = 'school_id' | 'school_name' | 'school_type' | 'state' | 'people' | 'online' | 'last_login_at' | 'storage_bytes'

const colours: Readonly<Record<number, string>> = { 1: 'blue', 2: 'green', 3: 'orange', 4: 'default' }
const options = (names: Readonly<Record<number, string>>) => Object.entries(names).map(([value, label]) => ({ value, label }))

/** Fields of a school in the platform's list. */
export const schoolFields: Fields<SchoolListRow, SchoolField> = fields(SchoolListRow, 'school_id', {
  school_id: { label: '编号', width: 96, kind: 'number' },
  school_name: { label: '学校名称', width: 220, default_action: true, filter: textFilter('keyword', '名称或编号'), cell: row => <>{row.school_name} {isHere(row) && <Tag color="blue">当前</Tag>}</> },
  school_type: { label: '类型', width: 72, filter: selectFilter('school_type', options(school_type_names)), cell: row => school_type_names[row.school_type] },
  state: { label: '状态', width: 176, filter: selectFilter('state', options(school_state_names)), cell: row => <><Tag color={colours[row.state]}>{school_state_names[row.state]}</Tag> {row.state > 2 && <small>{instantText(row.state_at)}</small>}</> },
  people: { label: '人数', width: 84, kind: 'number' },
  online: { label: '在线', width: 72, kind: 'number' },
  last_login_at: { label: '最近登录', width: 140, kind: 'instant' },
  storage_bytes: { label: '存储', width: 96, kind: 'number', cell: row => size(row.storage_bytes) },
})

/** Whether this session works in the school. */
export function isHere({ school_id }: Pick<SchoolListRow, 'school_id'>): boolean {
  return readStored('school_id') === String(school_id)
}

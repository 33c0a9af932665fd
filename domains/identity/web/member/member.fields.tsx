import { MemberRow } from '@campus/identity/contract'
import { fields, instantText, selectFilter, textFilter } from '@kit/web'
import type { Fields, FilterControl } from '@kit/web'
import { Select, Tag } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import { DeptSelect } from '../dept-select.tsx'
import { TermCell } from './term-cell.tsx'

type Row = z.output<typeof MemberRow>
export type MemberField = 'keyword' | 'dept_id' | 'state' | 'online' | 'user_name' | 'user_no' | 'dept_name' | 'user_dep' | 'term' | 'source' | 'account_state' | 'last_login_at' | 'reason'

const sources = { manual: '手工', import: '导入', rule: '规则', sync: '同步' } as const
const account_words = { normal: ['正常', 'green'], none: ['未发账号', undefined], disabled: ['已停用', 'red'], locked: ['已锁定', 'orange'], left: ['已离校', undefined] } as const
const states = [{ value: 'current', label: '当前' }, { value: 'future', label: '未来' }, { value: 'ended', label: '已结束' }]

const deptFilter: FilterControl = {
  names: ['dept_id'],
  text: values => (values.dept_id ? '所选部门' : undefined),
  Input: ({ id, values, change }) => <DeptSelect id={id} placeholder="全部" value={values.dept_id} onChange={dept_id => change({ dept_id })} />,
}

/** Without a choice the list holds who has the role now. */
const stateFilter: FilterControl = {
  names: ['state'],
  text: values => states.find(state => state.value === values.state)?.label,
  Input: ({ id, values, change }) => <Select id={id} className="kit-fill" allowClear placeholder="当前" options={states} value={values.state} onChange={(state?: string) => change({ state })} />,
}

/** Fields of a member of a role. */
export const memberFields: Fields<Row, MemberField> = fields(MemberRow, 'user_id', {
  keyword: { label: '姓名', filter: textFilter('keyword', '姓名/拼音/编号/手机尾号') },
  dept_id: { label: '部门', filter: deptFilter },
  state: { label: '状态', filter: stateFilter },
  online: { label: '在线', filter: selectFilter('online', [{ value: '1', label: '在线' }, { value: '0', label: '不在线' }]) },
  user_name: { label: '姓名', width: 140, default_action: true, cell: row => <NameCell row={row} /> },
  user_no: { label: '编号', width: 96 },
  dept_name: { label: '部门', width: 132 },
  user_dep: { label: '任职部门', width: 120, cell: ({ member }) => member?.user_dep_name ?? '本人所在部门' },
  term: { label: '有效期', width: 204, cell: ({ member }) => member && <TermCell member={member} /> },
  source: { label: '来源', width: 56, cell: ({ member }) => (member ? sources[member.source] : null) },
  account_state: { label: '账号状态', width: 96, cell: ({ account_state }) => <Tag color={account_words[account_state][1]}>{account_words[account_state][0]}</Tag> },
  last_login_at: { label: '最近登录', width: 136, cell: ({ member }) => (member?.last_login_at ? instantText(member.last_login_at) : '—') },
  reason: { label: '说明', width: 160, cell: ({ member }) => member?.reason ?? '—' },
})

function NameCell({ row: { user_name, user_photo, member } }: { row: Row }): ReactNode {
  const [broken, setBroken] = useState(false)
  return (
    <span className="role-name">
      {user_photo !== null && !broken ? <img className="member-photo" src={user_photo} alt="" loading="lazy" onError={() => setBroken(true)} /> : <span className="member-photo" aria-hidden>{[...user_name][0]}</span>}
      <span className="member-name" title={user_name}>{user_name}</span>
      {member && member.acted_for !== null && <Tag color="gold">{`代${member.acted_for_name ?? '他人'}`}</Tag>}
      {member?.online && <span className="member-online" title="在线"><span className="kit-hidden">在线</span></span>}
    </span>
  )
}

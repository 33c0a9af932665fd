import { whitelist_purposes, whitelist_states, WhitelistRow } from '@campus/people/contract'
import { fields, readStored, selectFilter, textFilter } from '@kit/web'
import type { Fields } from '@kit/web'
import { Tag } from 'antd'
import { PersonLink } from '../person-page/person-link.tsx'
import { purpose_names, state_colors, state_names } from './whitelist-words.ts'

type WhitelistField = 'keyword' | 'person_kind' | 'user_name' | 'user_no' | 'dept_name' | 'payer_name' | 'alipay_logon' | 'purpose' | 'state' | 'channel_msg' | 'created_by_name' | 'approved_by_name' | 'created_at'

const states = whitelist_states.map(value => ({ value, label: state_names[value] }))
const purposes = whitelist_purposes.map(value => ({ value, label: purpose_names[value] }))
const enterprise = '2'
const pupil = 1

/** Fields of a line of the whitelist; an enterprise has no pupils. */
export function whitelistFields(): Fields<WhitelistRow, WhitelistField> {
  const kinds = readStored('school_type') === enterprise ? [{ value: '6', label: '员工' }, { value: '7', label: '外聘人员' }] : [{ value: '1', label: '学生' }, { value: '2', label: '教职工' }]
  return fields(WhitelistRow, 'id', {
    keyword: { label: '关键字', filter: textFilter('keyword', '姓名/拼音/学号/工号') },
    person_kind: { label: '类别', filter: selectFilter('person_kind', kinds) },
    user_name: { label: '姓名', width: 84, default_action: true, cell: row => <PersonLink id={row.user_id} text={row.user_name} need={row.person_kind === pupil ? 'people.student.view' : 'people.staff.view'} /> },
    user_no: { label: '编号', width: 96 },
    dept_name: { label: '班级/部门', width: 108, cell: row => row.dept_name || '已离校' },
    payer_name: { label: '付款人', width: 76 },
    alipay_logon: { label: '支付宝账号', width: 144 },
    purpose: { label: '用途', width: 72, filter: selectFilter('purpose', purposes), cell: row => purpose_names[row.purpose] },
    state: { label: '状态', width: 72, filter: selectFilter('state', states), cell: row => <Tag color={state_colors[row.state]}>{state_names[row.state]}</Tag> },
    channel_msg: { label: '渠道结果', width: 148 },
    created_by_name: { label: '提交人', width: 72 },
    approved_by_name: { label: '复核人', width: 72 },
    created_at: { label: '提交时间', width: 128, kind: 'instant' },
  })
}

import { channel_names, pay_channels, sign_products, sign_states, SignRow } from '@campus/people/contract'
import { fields, selectFilter, textFilter } from '@kit/web'
import type { Fields, FilterControl } from '@kit/web'
import { Tag } from 'antd'
import { DeptSelect } from '../delegate/dept-select.tsx'
import { PersonLink } from '../person-page/person-link.tsx'
import { product_names, state_colors, state_names } from './sign-words.ts'
import type { Who } from './sign-words.ts'

type SignField = 'keyword' | 'dept_id' | 'user_name' | 'user_no' | 'dept_name' | 'signer_name' | 'channel' | 'product' | 'contract_no' | 'signed_at' | 'state' | 'fail_msg'

const channels = pay_channels.map(value => ({ value, label: channel_names[value] }))
const products = sign_products.map(value => ({ value, label: product_names[value] }))
const states = sign_states.map(value => ({ value, label: state_names[value] }))
const none = <span className="kit-none">—</span>

/** Fields of a contract, or of somebody without one; `nameOf` tells the name of a department of the tree. */
export function signFields(who: Who, nameOf: (dept_id: string) => string | undefined): Fields<SignRow, SignField> {
  const is_pupil = who === 'student'
  return fields(SignRow, 'row_id', {
    keyword: { label: '关键字', filter: textFilter('keyword', is_pupil ? '姓名/拼音/学号' : '姓名/拼音/工号') },
    dept_id: { label: is_pupil ? '班级' : '部门', filter: deptChoice(who, nameOf) },
    user_name: { label: '姓名', width: 88, default_action: true, cell: row => <PersonLink id={row.user_id} text={row.user_name} need={is_pupil ? 'people.student.view' : 'people.staff.view'} /> },
    user_no: { label: is_pupil ? '学号' : '工号', width: 96 },
    dept_name: { label: is_pupil ? '班级' : '部门', width: 108, cell: row => row.dept_name || '已离校' },
    signer_name: { label: '签约人', width: 84 },
    channel: { label: '渠道', width: 72, filter: selectFilter('channel', channels), cell: row => (row.channel === null ? none : channel_names[row.channel]) },
    product: { label: '产品', width: 84, filter: selectFilter('product', products), cell: row => (row.product === null ? none : product_names[row.product]) },
    contract_no: { label: '协议号', width: 156 },
    signed_at: { label: '签约时间', width: 132, kind: 'instant' },
    state: { label: '状态', width: 92, filter: selectFilter('state', states), cell: row => <Tag color={state_colors[row.state]} title={row.fail_msg ?? undefined}>{state_names[row.state]}</Tag> },
    fail_msg: { label: '渠道结果', width: 156 },
  })
}

function deptChoice(who: Who, nameOf: (dept_id: string) => string | undefined): FilterControl {
  return {
    names: ['dept_id'],
    text: values => (values.dept_id ? (nameOf(values.dept_id) ?? '所选部门') : undefined),
    Input: ({ id, values, change }) => <DeptSelect id={id} which={who} {...(values.dept_id ? { value: values.dept_id } : {})} onChange={dept_id => change({ dept_id })} />,
  }
}

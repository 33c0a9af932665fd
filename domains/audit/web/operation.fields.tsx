import { module_names, moduleName, nounName, OperationRow } from '@campus/audit/contract'
import { fields, selectFilter, textFilter } from '@kit/web'
import type { Fields } from '@kit/web'
import { Tag, Tooltip } from 'antd'
import type { ReactNode } from 'react'
import { op_options, OpTag } from './op-tag.tsx'
import { secondText } from './second-text.ts'

type OperationField = 'happened_at' | 'person' | 'op_type' | 'module' | 'target' | 'ok' | 'ip' | 'duration_ms' | 'batch_no' | 'reason' | 'device_label'

const modules = Object.entries(module_names).map(([value, label]) => ({ value, label }))
const results = [{ value: '1', label: '成功' }, { value: '0', label: '拒绝' }]

/** Fields of a line of the operation log. */
export const operationFields: Fields<OperationRow, OperationField> = fields(OperationRow, 'log_id', {
  happened_at: { label: '时间', width: 166, default_action: true, cell: row => <span className="kit-number">{secondText(row.happened_at)}</span> },
  person: { label: '操作人', width: 150, filter: textFilter('person', '姓名/工号'), cell: row => <Operator row={row} /> },
  op_type: { label: '操作类型', width: 122, filter: selectFilter('op_type', op_options), cell: row => <OpTag op_type={row.op_type} /> },
  module: { label: '模块', width: 80, filter: selectFilter('module', modules), cell: row => moduleName(row.module_code) },
  target: { label: '对象', width: 172, filter: textFilter('target', '名称/编号'), cell: targetText },
  ok: { label: '结果', width: 64, filter: selectFilter('ok', results), cell: row => <Result row={row} /> },
  ip: { label: 'IP', width: 112, filter: textFilter('ip', '开头几位即可') },
  duration_ms: { label: '耗时', width: 84, kind: 'number', cell: row => `${row.duration_ms.toLocaleString('en')} ms` },
  batch_no: { label: '批次', width: 100, filter: textFilter('batch', '批次号') },
  reason: { label: '原因', width: 140 },
  device_label: { label: '设备', width: 120 },
})

/** What was acted on: 学生档案 · 王子轩. */
export function targetText(row: OperationRow): string {
  const name = row.target_name ?? row.target_id
  return name === null ? nounName(row.call) : `${nounName(row.call)} · ${name}`
}

/** Who acted, as what, and for whom. */
export function Operator({ row }: { row: Pick<OperationRow, 'user_name' | 'user_no' | 'role_name' | 'acted_for' | 'acted_for_name'> }): ReactNode {
  const name = row.user_name ?? row.user_no
  if (name === null) return <span className="audit-quiet">未登录</span>
  return (
    <>
      {name}
      {row.role_name !== null && <span className="audit-role">{row.role_name}</span>}
      {row.acted_for !== null && <Tag color="gold">{row.acted_for_name === null ? '代办' : `代办 ${row.acted_for_name}`}</Tag>}
    </>
  )
}

/** 成功, or 拒绝 with its sentence. */
export function Result({ row }: { row: Pick<OperationRow, 'ok' | 'msg'> }): ReactNode {
  if (row.ok) return <Tag color="green">成功</Tag>
  return (
    <Tooltip title={row.msg}>
      <Tag color="red">拒绝</Tag>
    </Tooltip>
  )
}

import { delivery, delivery_states } from '@campus/publishing/contract'
import type { DeliveryRow } from '@campus/publishing/contract'
import { instantText } from '@kit/web'
import { size } from '@kit/contract/checks'
import { Table, Tag } from 'antd'
import type { TableColumnType } from 'antd'
import type { ReactNode } from 'react'

const colors: Readonly<Record<number, string>> = { 2: 'blue', 3: 'cyan', 4: 'green', 5: 'orange', 6: 'red', 7: 'orange' }
const words: Readonly<Record<string, string>> = delivery_states
type Props = { rows: readonly DeliveryRow[]; /** what the first column names */ by: 'board' | 'content' }

/** How far contents have come, by what boards have said; one that is away says until when it may still show what was taken down. */
export function DeliveryTable({ rows, by }: Props): ReactNode {
  const name: TableColumnType<DeliveryRow> =
    by === 'board'
      ? {
          title: '班牌',
          key: 'name',
          render: (_value, row) => (
            <span title={row.node_path_name ?? ''}>
              {row.device_name}
              <span className="brd-quiet"> {row.node_path_name?.split('/').at(-1)}</span>
            </span>
          ),
        }
      : { title: '内容', key: 'name', render: (_value, row) => row.title }
  return (
    <Table<DeliveryRow>
      size="small"
      rowKey={row => `${row.device_id} ${row.content_id}`}
      dataSource={[...rows]}
      columns={[name, ...columns]}
      pagination={{ pageSize: 20, hideOnSinglePage: true, showSizeChanger: false }}
    />
  )
}

const columns: TableColumnType<DeliveryRow>[] = [
  {
    title: '状态',
    key: 'state',
    width: 96,
    render: (_value, row) => <Tag color={colors[row.state] ?? 'default'}>{words[String(row.state)]}</Tag>,
  },
  {
    title: '大小',
    key: 'bytes',
    width: 130,
    render: (_value, row) =>
      row.bytes_total === 0
        ? ''
        : row.state === delivery.loading
          ? `${size(row.bytes_done)} / ${size(row.bytes_total)}`
          : size(row.bytes_total),
  },
  { title: '说明', key: 'why', render: (_value, row) => aboutOf(row) },
]

function aboutOf({ online, last_contact_at, state, fault_text, lease_until, last_played_at, stopped_at, erased_at }: DeliveryRow): string {
  if (state === delivery.erased && erased_at !== null) return `${instantText(erased_at)} 已清除`
  if (state === delivery.stopped && stopped_at !== null) return `${instantText(stopped_at)} 已停播`
  if (state === delivery.stopping && !online)
    return lease_until === null ? '离线班牌，恢复连接后先停播' : `离线班牌可能仍在显示，最迟 ${instantText(lease_until)} 自动停播`
  const parts = [
    fault_text,
    online ? null : last_contact_at === null ? '从未连接' : `离线，最后联系 ${instantText(last_contact_at)}`,
    last_played_at === null ? null : `最后显示 ${instantText(last_played_at)}`,
  ]
  return parts.filter(part => part !== null).join(' · ')
}

import { receipt_effects, receipt_states } from '@campus/access/contract'
import type { Receipts } from '@campus/access/contract'
import { instantText } from '@kit/web'
import { Table as Grid, Tag } from 'antd'
import type { ReactNode } from 'react'

type Row = Receipts['list'][number]
const [waits, done] = [0, 1] as const
const colors: Readonly<Record<number, string>> = { 0: 'orange', 1: 'green', 2: 'red', 3: 'default' }
const states: Readonly<Record<number, string>> = receipt_states
const columns = [
  { title: '设备', dataIndex: 'device_name', render: (name: string, row: Row) => <>{name} {!row.online && <Tag>离线</Tag>}</> },
  { title: '内容', dataIndex: 'people', render: (people: number, row: Row) => `${receipt_effects[row.effect]} ${people} 人` },
  { title: '状态', dataIndex: 'state', render: (state: number) => <Tag color={colors[state]}>{states[state]}</Tag> },
  { title: '时间', dataIndex: 'at', render: (at: string) => instantText(at) },
  { title: '说明', dataIndex: 'text', render: (text: string, row: Row) => text || (row.state === waits && !row.online ? '恢复连接后生效' : '') },
]

/** Which doors have taken a change of rights: `7 台设备，6 台完成，1 台等待：南门3号机` (chapter 35 §7). */
export function ReceiptTable({ receipts: { list } }: { receipts: Receipts }): ReactNode {
  const open = [...new Set(list.filter(row => row.state === waits).map(row => row.device_name))]
  const finished = list.filter(row => row.state === done).length
  return (
    <section aria-label="送达情况">
      <p>
        <b className="kit-number">{list.length}</b> 项，<b className="kit-number">{finished}</b> 项完成
        {open.length > 0 && `，${list.length - finished} 项等待：${open.join('、')}`}
      </p>
      <Grid
        size="small" rowKey={row => `${row.device_name} ${row.effect}`} columns={columns} dataSource={list}
        pagination={{ pageSize: 10, hideOnSinglePage: true, showSizeChanger: false }}
      />
    </section>
  )
}

import { blockChannel, cardLogApi } from '@campus/cards/contract'
import type { BlockRow, CardPerson, HeldCard } from '@campus/cards/contract'
import { AppDrawer, secondText, useChannel } from '@kit/web'
import { Loaded, useCall } from '@kit/web/part'
import { Progress, Table, Tag } from 'antd'
import type { TableColumnType } from 'antd'
import type { ReactNode } from 'react'
import { secondsText } from './card-words.ts'

const words: Readonly<Record<BlockRow['state'], { label: string; color: string }>> = {
  blocked: { label: '已阻断', color: 'green' },
  waiting: { label: '等待确认', color: 'blue' },
  failed: { label: '失败', color: 'red' },
  offline: { label: '设备离线，仍可能放行', color: 'orange' },
}

/** Every reader that had a lost card: those that have not confirmed first, then the slowest (chapter 40 §5). */
export function BlockDrawer({ op_id, card, person, onClose }: { op_id: string; card: HeldCard; person: CardPerson; onClose: () => void }): ReactNode {
  const query = useCall(cardLogApi.blocks, { op_id })
  const again = () => void query.refetch()
  useChannel(blockChannel, rows => rows.some(row => row.op_id === op_id) && again(), { onGap: again })
  return (
    <AppDrawer open size={880} title={`阻断进度 · ${person.user_name} ${card.card_no}`} onClose={onClose}>
      <Loaded query={query} empty="没有设备持有这张卡，无需阻断">
        {({ list }) => <Blocks list={list} />}
      </Loaded>
    </AppDrawer>
  )
}

function Blocks({ list }: { list: BlockRow[] }): ReactNode {
  const done = list.filter(row => row.state === 'blocked').length
  const slowest = Math.max(1, ...list.map(row => row.ms ?? 0))
  const columns: TableColumnType<BlockRow>[] = [
    { title: '设备', dataIndex: 'device_name', width: 160, ellipsis: true },
    { title: '位置', dataIndex: 'place_name', width: 184, ellipsis: true },
    { title: '状态', key: 'state', width: 168, render: (_, row) => <Tag color={words[row.state].color}>{words[row.state].label}</Tag> },
    { title: '用时', key: 'ms', width: 168, render: (_, row) => row.ms !== null && <Progress size="small" aria-label={`${row.device_name}用时`} percent={Math.round((row.ms / slowest) * 100)} status={row.is_slow ? 'exception' : 'normal'} format={() => secondsText(row.ms)} /> },
    { title: '确认时间', key: 'at', width: 96, render: (_, row) => row.acked_at && secondText(row.acked_at) },
  ]
  return (
    <>
      <p>已阻断 <b className="kit-number">{done}/{list.length}</b> 台，最慢 {secondsText(list.reduce<number | null>((most, row) => (row.ms !== null && row.ms > (most ?? 0) ? row.ms : most), null))}</p>
      <Table<BlockRow> size="small" rowKey="device_id" pagination={false} columns={columns} dataSource={list} />
    </>
  )
}

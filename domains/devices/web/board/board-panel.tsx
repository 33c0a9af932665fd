import { boardApi, content_words } from '@campus/devices/contract'
import type { BoardContentRow } from '@campus/devices/contract'
import { call, instantText } from '@kit/web'
import { PartState } from '@kit/web/part'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Empty, Table, Tag } from 'antd'
import type { TableColumnType } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { BoardTile } from './board-tile.tsx'

const page_size = 20
const kibibyte = 1024
const colors = { accepted: 'blue', downloading: 'blue', staged: 'green', playing: 'green', stopped: 'default', erased: 'default', fault: 'red' } as const
const sources = { publishing: '信息发布', voice: '广播' } as const
const kinds: readonly (readonly [RegExp, string])[] = [[/^plan$/u, '播放计划'], [/^ring$/u, '响铃计划'], [/^revoke:/u, '撤回'], [/^urgent:/u, '紧急信息'], [/^file:/u, '文件'], [/^clip:/u, '音频']]
const faults: Readonly<Record<string, string>> = { expired: '下载地址已过期，将重新下发', broken: '下载中断，将重新下发', corrupt: '文件校验失败，将重新下发', storage: '存储空间不足', decode: '播放器不能播放此文件' }

/** 屏幕: one board with what it is to hold and what it said of each row. */
export function BoardPanel({ device_id }: { device_id: string }): ReactNode {
  const [page_index, turn] = useState(1)
  const query = useQuery({ queryKey: [boardApi.content_rows.call, device_id, page_index], queryFn: ({ signal }) => call(boardApi.content_rows, { id: device_id, page_index, page_size }, { signal, quiet: true }), placeholderData: keepPreviousData })
  const { data } = query
  return (
    <div className="board-panel">
      <BoardTile device_id={device_id} />
      {!query.data && <PartState query={query} rows={4} />}
      {data && (
        <Table<BoardContentRow>
          size="small" rowKey="row_key" columns={columns} dataSource={data.list} loading={query.isPlaceholderData}
          locale={{ emptyText: <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有给这块屏幕下发内容" /> }}
          pagination={{ current: page_index, pageSize: page_size, total: data.total, showSizeChanger: false, hideOnSinglePage: true, onChange: turn }}
        />
      )}
    </div>
  )
}

const columns: TableColumnType<BoardContentRow>[] = [
  { title: '内容', key: 'row', render: (_value, row) => <span title={row.row_key}>{kindOf(row.row_key)}{tailOf(row.row_key) !== '' && <small className="device-quiet">{tailOf(row.row_key)}</small>}</span> },
  { title: '来源', key: 'source', width: 90, render: (_value, row) => sources[row.source] },
  { title: '状态', key: 'state', width: 120, render: (_value, row) => <Tag color={row.reported === null ? 'default' : colors[row.reported]}>{stateOf(row)}</Tag> },
  { title: '大小', key: 'bytes', width: 130, render: (_value, row) => sizeOf(row) },
  { title: '说明', key: 'why', render: (_value, row) => row.detail ?? faults[row.fault_code ?? ''] ?? row.fault_code },
  { title: '时间', key: 'at', width: 140, render: (_value, row) => row.reported_at && instantText(row.reported_at) },
]

function kindOf(row_key: string): string {
  return kinds.find(([shape]) => shape.test(row_key))?.[1] ?? row_key
}

function tailOf(row_key: string): string {
  const tail = row_key.slice(row_key.indexOf(':') + 1)
  return row_key.includes(':') ? tail.slice(0, 12) : ''
}

function stateOf({ reported, is_declared, state }: BoardContentRow): string {
  if (!is_declared && reported !== 'erased') return '等待删除'
  if (reported !== null) return content_words[reported]
  return state === 'refused' ? '设备拒绝' : '等待下发'
}

function sizeOf({ bytes_total, bytes_done, reported }: BoardContentRow): string {
  if (bytes_total === 0) return ''
  const text = (bytes: number) => (bytes < kibibyte * kibibyte ? `${Math.ceil(bytes / kibibyte)} KB` : `${(bytes / kibibyte / kibibyte).toFixed(1)} MB`)
  return reported === 'downloading' && bytes_done > 0 ? `${text(bytes_done)} / ${text(bytes_total)}` : text(bytes_total)
}

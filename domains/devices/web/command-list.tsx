import { command_names, command_states, commandApi } from '@campus/devices/contract'
import type { CommandState, DeviceCommand } from '@campus/devices/contract'
import { call, instantText } from '@kit/web'
import { PartState } from '@kit/web/part'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Empty, Table, Tag } from 'antd'
import type { TableColumnType } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'

const page_size = 20
const again_ms = 1000
const colors: Readonly<Record<CommandState, string>> = { QUEUED: 'blue', SENT: 'blue', SUCCESSFUL: 'green', FAILED: 'red', TIMEOUT: 'orange', EXPIRED: 'default' }
const reasons: Readonly<Record<string, string>> = { unsupported: '设备不支持这个命令', expired: '到达设备时已过期，没有执行', body: '设备没有看懂这个命令' }

const columns: TableColumnType<DeviceCommand>[] = [
  { title: '命令', key: 'command', width: 120, render: (_value, row) => command_names[row.command] },
  { title: '状态', key: 'state', width: 140, render: (_value, row) => <Tag color={colors[row.state]}>{command_states[row.state]}</Tag> },
  { title: '说明', key: 'reply', render: (_value, row) => row.reply_text ?? reasons[row.reply_code ?? ''] ?? '' },
  { title: '操作人', key: 'who', width: 110, render: (_value, row) => row.asked_by_name ?? '系统' },
  { title: '时间', key: 'asked_at', width: 140, render: (_value, row) => instantText(row.asked_at) },
]

/** 命令记录: what a device was told to do, and whether it did; looks again while something is on its way. */
export function CommandList({ device_id }: { device_id: string }): ReactNode {
  const [page_index, setPage] = useState(1)
  const query = useQuery({
    queryKey: [commandApi.list.call, device_id, page_index],
    queryFn: ({ signal }) => call(commandApi.list, { id: device_id, page_index, page_size }, { signal, quiet: true }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.list.some(row => row.state === 'QUEUED' || row.state === 'SENT') ? again_ms : false),
  })
  const { data } = query
  return (
    <>
      {!query.data && <PartState query={query} />}
      {data && (
        <Table<DeviceCommand>
          size="small" rowKey="command_id" columns={columns} dataSource={data.list} loading={query.isPlaceholderData}
          locale={{ emptyText: <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有对这台设备下过命令，可以在列表的“更多”中重启或校时" /> }}
          pagination={{ current: page_index, pageSize: page_size, total: data.total, showSizeChanger: false, hideOnSinglePage: true, onChange: setPage }}
        />
      )}
    </>
  )
}

import { firmwareApi } from '@campus/devices/contract'
import type { UpgradeLine } from '@campus/devices/contract'
import { AppDrawer, call, instantText } from '@kit/web'
import { PartState } from '@kit/web/part'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Alert, Table } from 'antd'
import type { TableColumnType } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { TaskBar, UpgradeState } from './upgrade-state.tsx'

const page_size = 20
const columns: TableColumnType<UpgradeLine>[] = [
  { title: '设备', dataIndex: 'device_name', render: (name: string, row) => <>{name}<small className="device-quiet">{row.node_path_name ?? '未绑定场所'}</small></> },
  { title: '批次', dataIndex: 'wave', width: 60 },
  { title: '版本', key: 'versions', width: 150, render: (_value, row) => `${row.from_version ?? '未知'} → ${row.to_version}` },
  { title: '状态', key: 'state', width: 170, render: (_value, row) => <UpgradeState line={row} /> },
  { title: '更新于', dataIndex: 'changed_at', width: 130, render: (at: string) => instantText(at) },
]

/** One task, device by device. */
export function TaskDrawer({ task_id, onClose }: { task_id: string; onClose: () => void }): ReactNode {
  const [page_index, setPage] = useState(1)
  const query = useQuery({ queryKey: [firmwareApi.task.call, task_id, page_index], queryFn: ({ signal }) => call(firmwareApi.task, { id: task_id, page_index, page_size }, { signal, quiet: true }), placeholderData: keepPreviousData })
  const { data } = query
  return (
    <AppDrawer size={760} title={data ? `升级到 ${data.task.version}` : '升级任务'} onClose={onClose}>
      {!query.data && <PartState query={query} />}
      {data?.task.held_reason && <Alert className="config-trial" type="warning" showIcon title={`已自动暂停：${data.task.held_reason}`} description="查看失败原因，处理后点“重试”继续，或取消任务。" />}
      {data && <TaskBar task={data.task} />}
      {data && <Table<UpgradeLine> size="small" rowKey="device_id" columns={columns} dataSource={data.list} pagination={{ current: page_index, pageSize: page_size, total: data.total, hideOnSinglePage: true, showSizeChanger: false, onChange: setPage }} />}
    </AppDrawer>
  )
}

import { firmwareApi } from '@campus/devices/contract'
import type { Device, UpgradeLine } from '@campus/devices/contract'
import { call, instantText } from '@kit/web'
import { PartState } from '@kit/web/part'
import { useQuery } from '@tanstack/react-query'
import { Empty, Table } from 'antd'
import type { TableColumnType } from 'antd'
import type { ReactNode } from 'react'
import { UpgradeState } from './upgrade-state.tsx'
import { useFollow } from './use-firmware.ts'

const running: readonly string[] = ['INITIATED', 'DOWNLOADING', 'DOWNLOADED', 'VERIFIED', 'UPDATING']
const columns: TableColumnType<UpgradeLine>[] = [
  { title: '版本', key: 'versions', render: (_value, row) => `${row.from_version ?? '未知'} → ${row.to_version}` },
  { title: '状态', key: 'state', width: 200, render: (_value, row) => <UpgradeState line={row} /> },
  { title: '更新于', dataIndex: 'changed_at', width: 140, render: (at: string) => instantText(at) },
]

/** 固件: the versions of a device and what it was brought. */
export function UpgradeHistory({ device }: { device: Device }): ReactNode {
  const query = useQuery({ queryKey: [firmwareApi.history.call, device.device_id], queryFn: ({ signal }) => call(firmwareApi.history, { id: device.device_id, page_size: 50 }, { signal, quiet: true }) })
  useFollow(query.data?.list.some(line => running.includes(line.state)) ?? false)
  return (
    <>
      <dl className="device-facts"><dt>系统固件</dt><dd>{device.firmware_version ?? '未报告'}</dd><dt>应用版本</dt><dd>{device.app_version ?? '未报告'}</dd></dl>
      {!query.data && <PartState query={query} rows={4} />}
      {query.data && <Table<UpgradeLine> size="small" rowKey="task_id" columns={columns} dataSource={query.data.list} pagination={false} locale={{ emptyText: <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有升级过，可以在列表中选中设备后点“升级”" /> }} />}
    </>
  )
}

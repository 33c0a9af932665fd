import { config_effects } from '@campus/devices/contract'
import type { ConfigPreview } from '@campus/devices/contract'
import { Empty, Table, Tag } from 'antd'
import type { ReactNode } from 'react'

const devices_shown = 8

/** What saving would do: devices × settings, and which of them restart. */
export function ProfilePreview({ seen: { devices, more } }: { seen: ConfigPreview }): ReactNode {
  const total = devices.length + more
  const restarts = devices.filter(device => device.effect === 'restart').length
  return (
    <>
      <h3>{`保存后将修改${total}台设备${restarts > 0 ? `，其中${restarts}台会自动重启` : ''}`}</h3>
      {total === 0 ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="没有设备会因此改变：适用范围内没有这类设备，或已被更具体的设置覆盖" /> : (
        <Table
          size="small" rowKey="device_id" dataSource={devices} pagination={{ pageSize: devices_shown, hideOnSinglePage: true, showSizeChanger: false }}
          columns={[
            { title: '设备', dataIndex: 'device_name' },
            { title: '场所', dataIndex: 'node_path_name', render: (path: string | null) => path ?? '未绑定场所' },
            { title: '改变的设置', dataIndex: 'titles', render: (titles: string[], { keys }) => `${titles.join('、')}${keys > titles.length ? `等${keys}项` : ''}` },
            { title: '生效方式', dataIndex: 'effect', width: 92, render: (effect: keyof typeof config_effects) => <Tag color={effect === 'none' ? 'default' : 'orange'}>{config_effects[effect]}</Tag> },
            { title: '当前', dataIndex: 'online', width: 110, render: (online: boolean) => (online ? '在线' : '离线，恢复后生效') },
          ]}
        />
      )}
    </>
  )
}

import { sessionApi } from '@campus/identity/contract'
import type { Reply } from '@kit/contract'
import { AppModal, call, confirmDanger, instantText, toast } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Button, Table, Tag } from 'antd'
import type { TableColumnType } from 'antd'
import type { ReactNode } from 'react'
import { placeOf } from './ip-place.ts'

type Device = Reply<typeof sessionApi.mine>['list'][number]

/** 登录设备: where this account is signed in; any other device can be signed out. */
export function DevicesDialog({ onClose }: { onClose: () => void }): ReactNode {
  const devices = useQuery({ queryKey: [sessionApi.mine.call], queryFn: () => call(sessionApi.mine, {}) })
  const revoke = async (device: Device) => {
    const sure = await confirmDanger({ title: '确定让该设备下线吗？', touches: `${device.device_label}，下线后需要重新登录。`, ok: '下线' })
    if (!sure) return
    await call(sessionApi.revoke, { session_id: device.session_id }).then(() => toast.success(), () => undefined)
    await devices.refetch()
  }
  return (
    <AppModal open title="登录设备" width={800} footer={null} onCancel={onClose}>
      <Table<Device>
        size="small"
        rowKey="session_id"
        columns={columnsOf(revoke)}
        dataSource={devices.data?.list ?? []}
        loading={devices.isFetching}
        pagination={false}
        scroll={{ y: 420 }}
        locale={{ emptyText: devices.isError ? <Button onClick={() => void devices.refetch()}>重试</Button> : undefined }}
      />
    </AppModal>
  )
}

function columnsOf(revoke: (device: Device) => Promise<void>): TableColumnType<Device>[] {
  return [
    { title: '设备', dataIndex: 'device_label', ellipsis: true },
    { title: '网络', width: 150, render: (_, device) => `${device.ip}（${placeOf(device.ip)}）` },
    { title: '身份', dataIndex: 'role_name', width: 110, ellipsis: true },
    { title: '登录时间', width: 140, className: 'kit-number', render: (_, device) => instantText(device.started_at) },
    { title: '最近活动', width: 140, className: 'kit-number', render: (_, device) => instantText(device.seen_at) },
    {
      title: '操作',
      width: 72,
      render: (_, device) =>
        device.is_current ? <Tag color="green">本机</Tag> : <Button type="link" size="small" danger onClick={() => void revoke(device)}>下线</Button>,
    },
  ]
}

import { sessionApi } from '@campus/identity/contract'
import { OwnBinds } from '@campus/identity/web'
import type { Reply } from '@kit/contract'
import { AppModal, call, CallError, confirmDanger, instantText, toast } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Button, Table, Tag } from 'antd'
import type { TableColumnType } from 'antd'
import type { ReactNode } from 'react'
import { placeOf } from './ip-place.ts'

const list_id = 'own_devices'

type Device = Reply<typeof sessionApi.mine>['list'][number]

/** 登录设备: where this account is signed in; any other device can be signed out. */
export function DevicesDialog({ onClose }: { onClose: () => void }): ReactNode {
  const devices = useQuery({ queryKey: [sessionApi.mine.call], queryFn: () => call(sessionApi.mine, {}, { quiet: true }) })
  const again = async () => {
    await devices.refetch()
    // The button that asked is gone; what comes next is reached from the list.
    document.getElementById(list_id)?.focus()
  }
  const revoke = async (device: Device) => {
    const sure = await confirmDanger({ title: '确定让该设备下线吗？', touches: `${device.device_label}，下线后需要重新登录。`, ok: '下线' })
    if (!sure) return
    await call(sessionApi.revoke, { session_id: device.session_id }).then(() => toast.success(), () => undefined)
    await again()
  }
  return (
    <AppModal open title="登录设备" width={880} footer={null} onCancel={onClose}>
      <div id={list_id} tabIndex={-1} role="group" aria-label="设备列表">
        <Table<Device>
          size="small"
          rowKey="session_id"
          columns={columnsOf(device => void revoke(device))}
          dataSource={devices.data?.list ?? []}
          loading={devices.isFetching}
          pagination={false}
          scroll={{ y: 420 }}
          locale={{ emptyText: devices.isError ? <Failed error={devices.error} retry={() => void again()} /> : <Nothing waiting={devices.isPending} /> }}
        />
      </div>
      <OwnBinds />
    </AppModal>
  )
}

/** Under the turning wheel a place as high as a sentence, so that nothing claims that there is no device. */
function Nothing({ waiting }: { waiting: boolean }): ReactNode {
  return <div className="kit-failed" role="status" aria-busy={waiting}>{waiting ? null : '暂无数据'}</div>
}

function Failed({ error, retry }: { error: Error; retry: () => void }): ReactNode {
  return (
    <div className="kit-failed" role="alert">
      <p>{error instanceof CallError && error.msg !== '' ? error.msg : '网络异常，请检查网络'}</p>
      <Button onClick={retry}>重试</Button>
    </div>
  )
}

function columnsOf(revoke: (device: Device) => void): TableColumnType<Device>[] {
  return [
    { title: '设备', dataIndex: 'device_label', ellipsis: true },
    { title: '网络', width: 220, render: (_, device) => `${device.ip}（${placeOf(device.ip)}）` },
    { title: '身份', dataIndex: 'role_name', width: 110, ellipsis: true },
    { title: '登录时间', width: 140, className: 'kit-number', render: (_, device) => instantText(device.started_at) },
    { title: '最近活动', width: 140, className: 'kit-number', render: (_, device) => instantText(device.seen_at) },
    {
      title: '操作',
      width: 72,
      render: (_, device) =>
        device.is_current
          ? <Tag color="green">本机</Tag>
          : <Button type="link" size="small" danger aria-label={`下线 ${device.device_label}`} onClick={() => revoke(device)}>下线</Button>,
    },
  ]
}

import { erasureApi, withdrawal_days, withdrawalApi } from '@campus/devices/contract'
import type { Withholding } from '@campus/devices/contract'
import type { Reply } from '@kit/contract'
import { AppDrawer, call, Can, instantText, spanText, toast, useCan } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Empty, Table } from 'antd'
import type { TableColumnType } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { stateName } from './state-dot.tsx'

const ErasureDialog = lazy(() => import('./erasure/erasure-dialog.tsx').then(part => ({ default: part.ErasureDialog })))
type Told = Reply<typeof withdrawalApi.read>
const look_ms = 30_000
const online = '1'

const columns: TableColumnType<Withholding>[] = [
  { title: '设备', key: 'device', width: 200, render: (_value, row) => <>{row.device_name}<small className="device-quiet">{row.node_path_name ?? '未绑定场所'}</small></> },
  { title: '还能通行的人', key: 'persons', render: (_value, row) => <>{whoOf(row)}<small className="device-quiet">{`自 ${instantText(row.since)} 应停用`}</small></> },
  { title: '状态', key: 'state', width: 220, render: (_value, row) => <>{stateName(row.device_state)}<small className="device-quiet">{stepOf(row)}</small></> },
]

/** Which doors may still let in whoever has lost a card or left, and how fast doors forget; nothing for who may not see rows of devices. */
export function Withdrawals(): ReactNode {
  const sees = useCan(withdrawalApi.read)
  const [is_open, open] = useState(false)
  const { data } = useQuery({ queryKey: [withdrawalApi.read.call], queryFn: ({ signal }) => call(withdrawalApi.read, {}, { signal, quiet: true }), refetchInterval: look_ms, enabled: sees })
  if (!data) return null
  const { list } = data
  return (
    <>
      <Button size="small" shape="round" danger={list.length > 0} onClick={() => open(true)}>{list.length > 0 ? `停用未生效 ${list.length}台` : '挂失离校停用'}</Button>
      {is_open && <WithdrawalDrawer told={data} onClose={() => open(false)} />}
    </>
  )
}

function WithdrawalDrawer({ told: { list, time }, onClose }: { told: Told; onClose: () => void }): ReactNode {
  const lines = list.map(row => `${row.device_name}（${row.node_path_name ?? '未绑定场所'}，${stateName(row.device_state)}）：${whoOf(row)}`)
  const [is_certifying, certify] = useState(false)
  const copy = () => void navigator.clipboard.writeText(lines.join('\n')).then(() => toast.success('已复制，可以发给值班人员'), () => toast.error('浏览器不允许复制，请手工选择后复制'))
  return (
    <AppDrawer size={760} title="挂失和离校的停用" extra={<Can code={erasureApi.issue}><Button onClick={() => certify(true)}>人脸清除证明</Button></Can>} onClose={onClose}>
      <Suspense>{is_certifying && <ErasureDialog onClose={() => certify(false)} />}</Suspense>
      <div className="device-rows" data-ready="withdrawals">
        <Alert type="info" showIcon title={figureOf(time)} description="从登记挂失或离校起，到最后一台设备确认删除为止。" />
        {list.length > 0 && <Alert type="warning" showIcon title={`${list.length}台设备还没有确认，这些人在那里可能仍能通行，请通知值班人员留意`} action={<Button size="small" onClick={copy}>复制名单</Button>} />}
        <Table<Withholding> size="small" rowKey="device_id" columns={columns} dataSource={list} pagination={false} locale={{ emptyText: <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="没有未生效的停用：挂失的卡和离校的人已从所有设备上删除" /> }} />
      </div>
    </AppDrawer>
  )
}

function figureOf({ done, median_s, longest_s }: Told['time']): string {
  if (median_s === null || longest_s === null) return `最近${withdrawal_days}天没有挂失或离校的停用`
  return `最近${withdrawal_days}天停用${done}次，一半在${spanText(median_s)}内全部生效，最久${spanText(longest_s)}`
}

function whoOf({ names, persons }: Withholding): string {
  return `${names.join('、')}${persons > names.length ? `等${persons}人` : ''}`
}

function stepOf({ device_state, last_seen_at }: Withholding): string {
  if (device_state === online) return '正在删除；过几分钟仍在这里，请打开设备详情的“下发数据”看原因'
  return `${last_seen_at === null ? '' : `${instantText(last_seen_at)}后没有联系，`}请检查电源和网络，恢复后最先删除`
}

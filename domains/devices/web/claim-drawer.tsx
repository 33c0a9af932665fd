import { deviceApi } from '@campus/devices/contract'
import { AppDrawer, call, instantText, Loading, sentenceOf, useSaving } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Empty, InputNumber } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'

const poll_ms = 5000
const minutes = 60

/** Codes for devices that nobody has registered, and those that have knocked with one. */
export function ClaimDrawer({ onClaim, onClose }: { onClaim: (device_sn: string) => void; onClose: () => void }): ReactNode {
  const [count, setCount] = useState(1)
  const [codes, setCodes] = useState<readonly string[]>([])
  const { busy, refused, run } = useSaving()
  const waiting = useQuery({ queryKey: [deviceApi.unclaimed.call], queryFn: async ({ signal }) => (await call(deviceApi.unclaimed, {}, { signal, quiet: true })).list, refetchInterval: poll_ms })
  const make = () => run(async () => setCodes((await call(deviceApi.enrol_code, { count, expires_min: minutes }, { quiet: true })).codes), '登记码已生成')
  return (
    <AppDrawer size={520} title="认领设备" onClose={onClose}>
      <h3>第一步：生成登记码</h3>
      <p className="device-hint">在设备上把序列号填为用户名、登记码填为密码。登记码1小时内有效，每个只能用于一台设备。认领后设备会自动换上本校密钥，登记码随即作废；进度在设备详情的“概览”中查看。</p>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <div className="device-row"><InputNumber aria-label="登记码个数" min={1} max={50} precision={0} value={count} onChange={value => setCount(value ?? 1)} /><Button loading={busy} onClick={() => void make()}>生成登记码</Button></div>
      {codes.length > 0 && <ul className="device-codes" aria-label="登记码">{codes.map(code => <li key={code}><code>{code}</code></li>)}</ul>}
      <h3>第二步：认领已连接的设备</h3>
      {waiting.isPending && <Loading rows={2} />}
      {waiting.error && <Alert type="error" showIcon title={sentenceOf(waiting.error)} />}
      {waiting.data?.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有设备用登记码连接，连接后会自动出现在这里" />}
      {waiting.data?.map(({ device_sn, client_ip, at }) => (
        <div className="device-row" key={device_sn}><span>{device_sn}<small>{`${client_ip} · ${instantText(at)}`}</small></span><Button type="primary" onClick={() => onClaim(device_sn)}>认领</Button></div>
      ))}
    </AppDrawer>
  )
}

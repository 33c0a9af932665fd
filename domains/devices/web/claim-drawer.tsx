import { deviceApi } from '@campus/devices/contract'
import type { Reply } from '@kit/contract'
import { AppDrawer, call, instantText, Loading, sentenceOf, useSaving } from '@kit/web'
import { readNumber } from '@kit/web/number'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Empty, Input, InputNumber } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { SetupCode } from './setup-code.tsx'

const poll_ms = 5000
const [minutes, most_codes] = [60, 50]

/** Codes for devices that nobody has registered, and those that have knocked with one. */
export function ClaimDrawer({ onClaim, onClose }: { onClaim: (device_sn: string) => void; onClose: () => void }): ReactNode {
  const [count, setCount] = useState<number | null>(1)
  const [sn, setSn] = useState('')
  const [made, setMade] = useState<(Reply<typeof deviceApi.enrol_code> & { sn: string }) | null>(null)
  const { busy, refused, run } = useSaving()
  const waiting = useQuery({ queryKey: [deviceApi.unclaimed.call], queryFn: ({ signal }) => call(deviceApi.unclaimed, {}, { signal, quiet: true }), refetchInterval: poll_ms })
  const wrong = count === null || count < 1 || count > most_codes ? `登记码一次生成1到${most_codes}个` : null
  const make = () => wrong === null && run(async () => {
    const device_sn = sn.trim()
    setMade({ ...(await call(deviceApi.enrol_code, { count: count ?? 1, expires_min: minutes, ...(device_sn === '' ? {} : { device_sn }) }, { quiet: true })), sn: device_sn })
  }, '登记码已生成')
  return (
    <AppDrawer size={520} title="认领设备" onClose={onClose}>
      <h3>第一步：生成登记码</h3>
      <p className="device-hint">在设备上把序列号填为用户名、登记码填为密码。登记码1小时内有效，每个只能用于一台设备。认领后平台自动给设备换上接入密码，登记码随即作废；进度在设备详情的“概览”中查看。</p>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <div className="device-row"><InputNumber<number | string> aria-label="登记码个数" precision={0} parser={readNumber} value={count} status={wrong === null ? '' : 'error'} onChange={value => setCount(typeof value === 'number' ? value : null)} /><Button loading={busy} onClick={() => void make()}>生成登记码</Button></div>
      {waiting.data?.has_qr && <Input aria-label="VF105序列号" allowClear maxLength={64} placeholder="VF105可扫码接入：填写它的序列号再生成（可不填）" value={sn} onChange={event => setSn(event.target.value)} />}
      {wrong !== null && <p className="device-fault" role="alert">{wrong}</p>}
      {made && <ul className="device-codes" aria-label="登记码">{made.codes.map(code => <li key={code}><code>{code}</code></li>)}</ul>}
      {made && <p className="device-hint">{`服务器地址 ${made.server.host}，端口 ${made.server.port}${made.server.is_tls ? '（TLS加密）' : ''}；主题前缀 ${made.server.topic_prefix}，VF105 填 ${made.server.topic_prefix}/设备序列号。`}</p>}
      {made?.setup_qr !== undefined && <SetupCode text={made.setup_qr} sn={made.sn} />}
      <h3>第二步：认领已连接的设备</h3>
      {waiting.isPending && <Loading rows={2} />}
      {waiting.error && <Alert type="error" showIcon title={sentenceOf(waiting.error)} />}
      {waiting.data?.list.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有设备用登记码连接，连接后会自动出现在这里" />}
      {waiting.data?.list.map(({ device_sn, client_ip, at }) => (
        <div className="device-row" key={device_sn}><span>{device_sn}<small>{`${client_ip} · ${instantText(at)}`}</small></span><Button type="primary" onClick={() => onClaim(device_sn)}>认领</Button></div>
      ))}
    </AppDrawer>
  )
}

import { adoption_titles, deviceApi } from '@campus/devices/contract'
import type { Device, DeviceAdoption as Adoption } from '@campus/devices/contract'
import { call, instantText, useCan, useSaving } from '@kit/web'
import { Alert, Button, Steps } from 'antd'
import type { ReactNode } from 'react'
import { useDevicesChanged } from './use-devices.ts'

const looks = { done: 'finish', waiting: 'wait', refused: 'error' } as const

/** How far a device that came in with a one-time code has become the school's own: each step with what it waits for, or why it was refused and what to do. */
export function DeviceAdoption({ device, adoption }: { device: Device; adoption: Adoption | null }): ReactNode {
  const may = useCan(deviceApi.adopt)
  const changed = useDevicesChanged()
  const { busy, refused, run } = useSaving()
  const adopt = () => run(async () => {
    await call(deviceApi.adopt, { device_id: device.device_id }, { quiet: true })
    await changed()
  }, '设备会重新连接一次，随后自动继续')
  const button = (text: string) => may && <Button size="small" loading={busy} onClick={() => void adopt()}>{text}</Button>
  const failed = refused !== null && <Alert className="device-alarm" type="warning" showIcon title={refused} />
  if (adoption === null) {
    if (device.driver !== 'vf105' || device.lifecycle === 'pending' || device.lifecycle === 'retired') return null
    return <>{failed}<Alert className="device-alarm" type="info" showIcon title="这台设备还没有纳管" description="纳管会自动打开心跳，核对时区和通行记录设置，并把出厂的控制台密码换掉；期间设备会重新连接一两次，不影响刷卡。" action={button('开始纳管')} /></>
  }
  if (adoption.done_at !== null) return <p className="device-quiet">{`纳管完成：${instantText(adoption.done_at)}`}</p>
  const is_refused = adoption.steps.some(one => one.state === 'refused')
  const current = adoption.steps.findIndex(one => one.state !== 'done')
  return (
    <section className="device-adoption" aria-label="纳管进度">
      {failed}
      <div className="device-row"><h3>{is_refused ? '纳管没有完成' : '正在纳管'}</h3>{is_refused && button('重试')}</div>
      <Steps orientation="vertical" size="small" current={current} items={adoption.steps.map(({ step, state, sentence }, n) => ({ title: adoption_titles[step], status: n === current && state === 'waiting' ? 'process' : looks[state], ...(sentence === null ? {} : { content: sentence }) }))} />
    </section>
  )
}

import { wire_lease_s, wireApi, wireChannel } from '@campus/devices/contract'
import type { Device, WireLine } from '@campus/devices/contract'
import { call, sentenceOf, useChannel } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Alert, App, Button, Empty, Space, Switch } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { addLines, climb, ladderText } from './ladder.ts'
import { Rungs } from './rungs.tsx'
import './wire.css'

const gone = '0'
const most_lines = 200
/** Asked for again before the server stops to tell. */
const again_ms = (wire_lease_s - 60) * 1000

/** 报文: what server and device say to each other while somebody looks, as it happens. */
export function WireTab({ device }: { device: Pick<Device, 'device_id' | 'device_state'> }): ReactNode {
  const { device_id } = device
  const online = device.device_state !== gone
  const { message } = App.useApp()
  const [lines, setLines] = useState<readonly WireLine[]>([])
  const [is_on, turn] = useState(true)
  const [is_missed, miss] = useState(false)
  const query = useQuery({ queryKey: [wireApi.watch.call, device_id], queryFn: ({ signal }) => call(wireApi.watch, { id: device_id }, { signal, quiet: true }), enabled: is_on, refetchInterval: again_ms, staleTime: again_ms, gcTime: 0 })
  useChannel(wireChannel, fresh => setLines(before => addLines(before, fresh, most_lines)), { of: device_id, on: is_on, onGap: () => miss(true) })
  const rungs = climb(lines)
  const copy = () => navigator.clipboard.writeText(ladderText(rungs)).then(() => message.success('已复制'), () => message.error('浏览器不允许复制，请选中报文后复制'))
  const clear = () => {
    setLines([])
    miss(false)
  }
  return (
    <div className="wire">
      <div className="wire-bar">
        <Space><Switch checked={is_on} onChange={turn} aria-label="接收报文" />{is_on ? '正在接收' : '已暂停'}</Space>
        <Space><Button disabled={lines.length === 0} onClick={() => void copy()}>复制全部</Button><Button disabled={lines.length === 0} onClick={clear}>清空</Button></Space>
      </div>
      <small className="device-quiet">{`只显示打开后的报文，保留最近${most_lines}条；姓名、证件、卡号、密码和照片已隐去。`}</small>
      {query.error && <Alert type="error" showIcon title={sentenceOf(query.error)} action={<Button onClick={() => void query.refetch()}>重试</Button>} />}
      {is_missed && <Alert type="warning" showIcon title="报文太多或连接中断过，中间有一部分没有显示" />}
      {lines.length === 0 ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={online ? '还没有报文：设备约30秒上报一次状态，也可以在列表的“更多”中校时或校验' : '设备离线，连接后这里会显示它与服务器的对话'} /> : <Rungs rungs={rungs} />}
    </div>
  )
}

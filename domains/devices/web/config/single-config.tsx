import { useDeviceChoices } from '../rule/use-rules.ts'
import { Empty, Select } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { DeviceSettings } from './device-settings.tsx'

/** 单机配置: every setting of one device, what it is to have and what it says it has. */
export function SingleConfig({ device_id, choose, mark }: { device_id: string | null; choose: (device_id: string | null) => void; mark: (is_typed: boolean) => void }): ReactNode {
  const [keyword, setKeyword] = useState('')
  const found = (useDeviceChoices(keyword).data ?? []).filter(device => device.driver === 'jdev' || device.driver === 'vf105')
  return (
    <div className="config-single">
      <Select
        className="config-choice" allowClear aria-label="设备" placeholder="按名称搜索要设置的设备" value={device_id} showSearch={{ filterOption: false, onSearch: setKeyword }}
        options={found.map(device => ({ value: device.device_id, label: `${device.device_name}（${device.model_code}）` }))} labelRender={({ label, value }) => label ?? `设备 ${value}`} onChange={chosen => choose(chosen ?? null)}
      />
      {device_id === null ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="选择一台设备，查看它的每一项设置、来自哪里、设备实际是多少" /> : <DeviceSettings key={device_id} device_id={device_id} mark={mark} />}
    </div>
  )
}

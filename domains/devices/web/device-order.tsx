import { device_sorts } from '@campus/devices/contract'
import { Select } from 'antd'
import type { ReactNode } from 'react'

const first = 'trouble'
const options = Object.entries(device_sorts).map(([value, label]) => ({ value, label }))
const means = '故障优先：出入口设备的故障、离线、数据差异、待确认、积压排最前，其次是其他设备的，其余按类型和场所排列'

/** In which order the devices stand, which is said; 故障优先 unless somebody chooses otherwise. */
export function DeviceOrder({ sort, choose }: { sort: string | undefined; choose: (sort: string | undefined) => void }): ReactNode {
  return <Select className="device-order" prefix="排序" title={sort === undefined ? means : undefined} aria-label="排序" options={options} value={sort ?? first} onChange={(chosen: string) => choose(chosen === first ? undefined : chosen)} />
}

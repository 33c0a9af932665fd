import { call } from '@kit/web'
import { listAddress } from '@kit/web/find'
import type { Finder } from '@kit/web/find'

const devices: Finder = {
  kind: '设备',
  need: 'devices.device.view',
  find: async (keyword, most, signal) => {
    const { deviceApi } = await import('@campus/devices/contract')
    const { list, total } = await call(deviceApi.list, { keyword, page_index: 1, page_size: 20 }, { quiet: true, signal })
    const found = list.slice(0, most).map(one => ({
      key: one.device_id, title: one.device_name, about: [one.node_path_name, one.device_sn].filter(Boolean).join(' · '), address: listAddress('/DeviceControl', { keyword: one.device_sn }),
    }))
    return { found, total, all: listAddress('/DeviceControl', { keyword }) }
  },
}

/** What 快速查找 finds among devices. */
export const devicesFinders: readonly Finder[] = [devices]

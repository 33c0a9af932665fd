import { routes } from '@kit/contract'

/** Console routes of the devices domain. */
export const devicesRoutes = routes([
  { id: 601, path: '/DeviceControl', code: 'DeviceControl', title: '设备管理', group: 'device', icon: 'ControlOutlined', order: 1, school_types: [1, 2], need: 'devices.device.view' },
  { id: 604, path: '/CardMonitor', code: 'CardMonitor', title: '刷卡监控', group: 'device', icon: 'MonitorOutlined', order: 4, school_types: [1, 2], need: 'devices.card.view' },
])

import { cards } from '@kit/contract'

/** Devices on the dashboards. */
export const devicesCards = cards([
  {
    code: 'devices.state', title: '设备状态', sentence: '在线、离线、故障和其他状态的设备台数', shelf: '今日', need: ['devices.device.view'],
    usual: [4, 2], least: [3, 2], school_types: [1, 2], boards: [], path: '/DeviceControl',
  },
])

import { routes } from '@kit/contract'

/** Console routes of the devices domain. */
export const devicesRoutes = routes([
  { id: 601, path: '/DeviceControl', code: 'DeviceControl', title: '设备管理', group: 'device', icon: 'ControlOutlined', order: 1, school_types: [1, 2], need: 'devices.device.view' },
  { id: 604, path: '/CardMonitor', code: 'CardMonitor', title: '刷卡监控', group: 'device', icon: 'MonitorOutlined', order: 4, school_types: [1, 2], need: 'devices.card.view' },
  { id: 606, path: '/SmartCard', code: 'SmartCard', title: '智能卡管理', group: 'device', icon: 'NfcOutlined', order: 6, school_types: [1, 2], need: 'devices.reader.use' },
  { id: 607, path: '/DeviceRuleDoor', code: 'DeviceRuleDoor', title: '门禁规则', group: 'device', icon: 'LockOutlined', order: 7, school_types: [1, 2], need: 'devices.rule.view' },
  { id: 608, path: '/DeviceRuleClose', code: 'DeviceRuleClose', title: '关机规则', group: 'device', icon: 'PoweroffOutlined', order: 8, school_types: [1, 2], need: 'devices.rule.view' },
  { id: 609, path: '/DeviceRuleSleep', code: 'DeviceRuleSleep', title: '休眠规则', group: 'device', icon: 'PauseCircleOutlined', order: 9, school_types: [1, 2], need: 'devices.rule.view' },
  { id: 614, path: '/PwdSetting', code: 'PwdSetting', title: '设备密码设置', group: 'device', icon: 'KeyOutlined', order: 14, school_types: [1, 2], need: 'devices.secret.view' },
])

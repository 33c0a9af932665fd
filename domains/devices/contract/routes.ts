import { routes } from '@kit/contract'

/** Console routes of the devices domain. */
export const devicesRoutes = routes([
  { id: 601, path: '/DeviceControl', code: 'DeviceControl', title: '设备管理', group: 'device', icon: 'ControlOutlined', order: 1, school_types: [1, 2], need: 'devices.device.view' },
  { id: 602, path: '/DeviceConfig', code: 'DeviceConfig', title: '设备配置', group: 'device', icon: 'SettingOutlined', order: 2, school_types: [1, 2], need: 'devices.config.view' },
  { id: 604, path: '/CardMonitor', code: 'CardMonitor', title: '刷卡监控', group: 'device', icon: 'MonitorOutlined', order: 4, school_types: [1, 2], need: 'devices.card.view' },
  { id: 605, path: '/BoxMonitoring', code: 'BoxMonitoring', title: '盒子监控', group: 'device', icon: 'HddOutlined', order: 5, school_types: [1, 2], need: 'devices.device.view' },
  { id: 406, path: '/SmartCard', code: 'SmartCard', title: '智能卡管理', group: 'device', icon: 'NfcOutlined', order: 6, school_types: [1, 2], need: 'devices.reader.use' },
  { id: 606, path: '/VideoMonitoring', code: 'VideoMonitoring', title: '视频监控', group: 'device', icon: 'VideoCameraOutlined', order: 6, school_types: [1, 2], need: 'devices.camera.view' },
  {
    id: 607, path: '/DeviceRuleDoor', code: 'DeviceRuleDoor', title: '门禁规则',
    group: 'device', icon: 'LockOutlined', order: 7, family: { name: '设备规则', tab: '门禁规则' },
    school_types: [1, 2], need: 'devices.rule.view',
  },
  {
    id: 608, path: '/DeviceRuleClose', code: 'DeviceRuleClose', title: '关机规则',
    group: 'device', icon: 'PoweroffOutlined', order: 8, family: { name: '设备规则', tab: '关机规则' },
    school_types: [1, 2], need: 'devices.rule.view',
  },
  {
    id: 609, path: '/DeviceRuleSleep', code: 'DeviceRuleSleep', title: '休眠规则',
    group: 'device', icon: 'PauseCircleOutlined', order: 9, family: { name: '设备规则', tab: '休眠规则' },
    school_types: [1, 2], need: 'devices.rule.view',
  },
  { id: 614, path: '/PwdSetting', code: 'PwdSetting', title: '设备密码设置', group: 'device', icon: 'KeyOutlined', order: 14, school_types: [1, 2], need: 'devices.secret.view' },
  {
    id: 616, path: '/KuangshiAI', code: 'KuangshiAI', title: 'AI预警设备',
    group: 'device', icon: 'RobotOutlined', order: 16, family: { name: 'AI预警', tab: '预警设备' },
    school_types: [1, 2], need: 'devices.ai.view',
  },
  {
    id: 617, path: '/KuangshiAIRules', code: 'KuangshiAIRules', title: 'AI预警规则',
    group: 'device', icon: 'AlertOutlined', order: 17, family: { name: 'AI预警', tab: '预警规则' },
    school_types: [1, 2], need: 'devices.ai.view',
  },
  {
    id: 618, path: '/KuangshiAIRecord', code: 'KuangshiAIRecord', title: 'AI预警记录',
    group: 'device', icon: 'WarningOutlined', order: 18, family: { name: 'AI预警', tab: '预警记录' },
    school_types: [1, 2], need: 'devices.ai.view',
  },
])

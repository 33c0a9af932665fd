import { pages } from '@kit/web'

/** Screens of the devices domain. */
export const devicesPages = pages({
  '/DeviceControl': () => import('./device-control.page.tsx'),
  '/DeviceConfig': () => import('./config/device-config.page.tsx'),
  '/CardMonitor': () => import('./card/card-monitor.page.tsx'),
  '/SmartCard': () => import('./reader/smart-card.page.tsx'),
  '/BoxMonitoring': () => import('./box/box-monitoring.page.tsx'),
  '/VideoMonitoring': () => import('./video/video-monitoring.page.tsx'),
  '/PwdSetting': () => import('./password/password-setting.page.tsx'),
  '/DeviceRuleDoor': () => import('./rule/rule-door.page.tsx'),
  '/DeviceRuleClose': () => import('./rule/rule-close.page.tsx'),
  '/DeviceRuleSleep': () => import('./rule/rule-sleep.page.tsx'),
  '/KuangshiAI': () => import('./ai/boxes.page.tsx'),
  '/KuangshiAIRules': () => import('./ai/rules.page.tsx'),
  '/KuangshiAIRecord': () => import('./ai/record.page.tsx'),
})

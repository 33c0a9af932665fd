import type { Config } from '@kit/server/config'

const loopback = /^(127\.|localhost$|\[::1\]$)/

/** What the start says of each door for devices: where it is, who reaches it and whether what goes through can be read on the way (chapter 31 §1.7). */
export function doorLines({ config }: { config: Pick<Config, 'CAMPUS_MQTT_URL'> }, doors: readonly string[]): string[] {
  return doors.map(door => {
    const { protocol, hostname } = new URL(door)
    const is_secured = protocol === 'mqtts:'
    if (config.CAMPUS_MQTT_URL !== '') return `设备接入：${door}（外部消息服务${is_secured ? '，TLS加密' : ''}）`
    const reach = loopback.test(hostname) ? '仅本机' : '局域网'
    return `设备接入：${door}（${reach}，${is_secured ? 'TLS加密' : '未加密'}）`
  })
}

import type { DeviceSetup } from '@campus/devices/contract'
import type { App } from '@kit/server/http'
import { realtimePort } from '@kit/server/realtime'

/** What is typed into a device once so that it finds the school. */
export function setupOf(app: App, client_id: string, secret: string): DeviceSetup {
  const topic_prefix = realtimePort.one(app).prefix
  const host = brokerHost(app)
  const setup_text = [`服务器地址：${host}`, `端口：${app.config.CAMPUS_MQTT_PORT}`, `客户端编号和用户名：${client_id}`, `密码：${secret}`, `主题前缀：${topic_prefix}`].join('\n')
  return { client_id, secret, topic_prefix, setup_text }
}

/** The name under which devices reach this server. */
function brokerHost({ config }: App): string {
  if (config.CAMPUS_PUBLIC_URL !== undefined) return new URL(config.CAMPUS_PUBLIC_URL).hostname
  return config.CAMPUS_MQTT_HOST
}

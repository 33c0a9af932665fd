import type { DeviceSetup } from '@campus/devices/contract'
import type { App } from '@kit/server/http'
import { outsideAddress } from '@kit/server/mqtt'
import { realtimePort } from '@kit/server/realtime'
import { configQr, ownPrefix } from '@kit/terminal-protocol/vf105'

const here = /^(127\.|localhost$|\[::1\]$)/

/** What is typed into a device once so that it finds the school. */
export function setupOf(app: App, { client_id, secret, driver }: { client_id: string; secret: string; driver: string }): DeviceSetup {
  const { host, port, topic_prefix } = serverOf(app)
  const key = app.config.CAMPUS_VF105_QR_KEY
  const setup_text = [`服务器地址：${host}`, `端口：${port}`, `客户端编号和用户名：${client_id}`, `密码：${secret}`, `主题前缀：${topic_prefix}`].join('\n')
  if (driver !== 'vf105' || key === '') return { client_id, secret, topic_prefix, setup_text }
  return { client_id, secret, topic_prefix, setup_text, setup_qr: configQr({ addr: `mqtt://${host}:${port}`, username: client_id, password: secret, prefix: ownPrefix(topic_prefix, client_id) }, key) }
}

/** Where devices find the broker, and under which topics. */
export function serverOf(app: App): { host: string; port: string; topic_prefix: string } {
  return { ...brokerAt(app), topic_prefix: realtimePort.one(app).prefix }
}

/** Where devices reach the broker: an outside one by its own name, unless that is this machine. */
function brokerAt({ config }: App): { host: string; port: string } {
  const { CAMPUS_MQTT_URL, CAMPUS_MQTT_HOST, CAMPUS_MQTT_PORT, CAMPUS_PUBLIC_URL } = config
  const own = CAMPUS_PUBLIC_URL === undefined ? CAMPUS_MQTT_HOST : new URL(CAMPUS_PUBLIC_URL).hostname
  if (CAMPUS_MQTT_URL === '') return { host: own, port: String(CAMPUS_MQTT_PORT) }
  const { hostname, port } = new URL(outsideAddress(CAMPUS_MQTT_URL))
  return { host: here.test(hostname) ? own : hostname, port }
}

/** Where devices fetch packages. */
export function serverAddress(app: App): string {
  return app.config.CAMPUS_PUBLIC_URL?.replace(/\/$/u, '') ?? `http://${app.config.CAMPUS_MQTT_HOST}:${app.config.CAMPUS_PORT}`
}

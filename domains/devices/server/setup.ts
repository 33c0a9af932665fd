import type { DeviceSetup } from '@campus/devices/contract'
import type { App } from '@kit/server/http'
import { outsideAddress } from '@kit/server/mqtt'
import { realtimePort } from '@kit/server/realtime'
import { configQr, ownPrefix } from '@kit/terminal-protocol/vf105'

const here = /^(127\.|localhost$|\[::1\]$)/

/** What is typed into a device once so that it finds the school. */
export function setupOf(app: App, { client_id, secret, driver }: { client_id: string; secret: string; driver: string }): DeviceSetup {
  const { host, port, is_tls, topic_prefix } = serverOf(app)
  const setup_text = [`服务器地址：${host}`, `端口：${port}${is_tls ? '（TLS加密）' : ''}`, `客户端编号和用户名：${client_id}`, `密码：${secret}`, `主题前缀：${driver === 'vf105' ? ownPrefix(topic_prefix, client_id) : topic_prefix}`].join('\n')
  const setup_qr = driver === 'vf105' ? setupQr(app, { client_id, secret }) : undefined
  return { client_id, secret, topic_prefix, setup_text, ...(setup_qr === undefined ? {} : { setup_qr }) }
}

/** The same as a picture that a VF105 reads by its camera (chapter 31 §5.7.1); `secret`: its own or a code with which it may knock. Nothing where the installation has no key of the maker. */
export function setupQr(app: App, { client_id, secret }: { client_id: string; secret: string }): string | undefined {
  const { host, port, is_tls, topic_prefix } = serverOf(app)
  return hasQr(app) ? configQr({ addr: `${is_tls ? 'mqtts' : 'mqtt'}://${host}:${port}`, username: client_id, password: secret, prefix: ownPrefix(topic_prefix, client_id) }, app.config.CAMPUS_VF105_QR_KEY) : undefined
}

export function hasQr({ config }: App): boolean {
  return config.CAMPUS_VF105_QR_KEY !== ''
}

/** Where devices find the broker, and under which topics. */
export function serverOf(app: App): { host: string; port: string; is_tls: boolean; topic_prefix: string } {
  return { ...brokerAt(app), topic_prefix: realtimePort.one(app).prefix }
}

/** Where devices reach the broker, over TLS where it has a certificate: an outside one by its own name, unless that is this machine. */
function brokerAt({ config }: App): { host: string; port: string; is_tls: boolean } {
  const { CAMPUS_MQTT_URL, CAMPUS_MQTT_HOST, CAMPUS_MQTT_PORT, CAMPUS_MQTT_TLS_CERT, CAMPUS_MQTT_TLS_HOST = CAMPUS_MQTT_HOST, CAMPUS_MQTT_TLS_PORT, CAMPUS_PUBLIC_URL } = config
  const is_tls = CAMPUS_MQTT_TLS_CERT !== undefined
  const own = CAMPUS_PUBLIC_URL === undefined ? (is_tls ? CAMPUS_MQTT_TLS_HOST : CAMPUS_MQTT_HOST) : new URL(CAMPUS_PUBLIC_URL).hostname
  if (CAMPUS_MQTT_URL === '') return { host: own, port: String(is_tls ? CAMPUS_MQTT_TLS_PORT : CAMPUS_MQTT_PORT), is_tls }
  const { protocol, hostname, port } = new URL(outsideAddress(CAMPUS_MQTT_URL))
  return { host: here.test(hostname) ? own : hostname, port, is_tls: protocol === 'mqtts:' }
}

/** Where devices fetch packages. */
export function serverAddress(app: App): string {
  return app.config.CAMPUS_PUBLIC_URL?.replace(/\/$/u, '') ?? `http://${app.config.CAMPUS_MQTT_HOST}:${app.config.CAMPUS_PORT}`
}

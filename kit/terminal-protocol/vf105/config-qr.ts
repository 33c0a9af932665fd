import { createHmac } from 'node:crypto'

/** By this a VF105 knows a picture before its camera as settings. */
const mark = '___VF102_CONFIG_V1.1.0___'
/** What a device needs to find the school: `addr` `mqtt://host:port`, `prefix` its whole setting `mqtt.prefix`. */
export type ConfigQr = { addr: string; username: string; password: string; prefix: string }

/**
 * The text of the QR code by which a VF105 is set up instead of by hand, signed with the key of its firmware over all before the last `--` (chapter 31 §5.7.1). It holds the secret: it is
 * shown, and neither kept nor logged.
 */
export function configQr({ addr, username, password, prefix }: ConfigQr, key: string): string {
  const body = `${mark}{${Object.entries({ addr, username, mqttpassword: password, prefix }).map(([name, value]) => `${name}="${value}"`).join(',')}}`
  return `${body}--${createHmac('md5', key).update(body).digest('base64')}`
}

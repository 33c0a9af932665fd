import { field } from '../config/field.ts'
import type { ConfigFields } from '../config/field.ts'

const { between, oneOf, flag, text } = field

/** What our own terminals take; which of it a device has is decided by its kind (`config/keys.ts`). Names are those of other hardware wherever it has the same. */
export const jdev_fields: ConfigFields = {
  face: { similarity: { initial: 0.6, least: 0, most: 1, decimals: 2 }, livenessOff: flag(1), livenessVal: between(5, 0, 10), recheck: between(8, 1, 100), recognitionTimeout: between(5, 1, 30) },
  temp: { fever_tenths: between(373, 350, 420) },
  mqtt: { addr: { initial: '', is_needed: true } },
  net: { type: oneOf(1, 1, 2, 4), dhcp: oneOf(2, 1, 2), ip: text(), gateway: text(), mask: text(), dns: text(), ssid: text(), psk: text() },
  ntp: { server: text('ntp.aliyun.com'), timeZone: text('Asia/Shanghai') },
  access: { relayTime: between(3, 1, 60), tamper: flag(1) },
  reader: { format: oneOf('hex', 'hex', 'dec10', 'dec8', 'wg26', 'wg34'), byte_order: oneOf('as_is', 'as_is', 'reversed'), truncation: oneOf('none', 'none', '6', '8') },
  base: { brightness: between(70, 0, 100), volume: between(6, 0, 10), screenOff: between(0, 0, 120) },
  sys: { log_level: oneOf('info', 'error', 'warn', 'info', 'debug') },
}

/** The settings of a terminal that nobody has touched, by `group.field`. */
export const jdev_factory: Readonly<Record<string, number | string>> = Object.fromEntries(Object.entries(jdev_fields).flatMap(([group, of]) => Object.entries(of).flatMap(([name, { initial }]) => (typeof initial === 'object' ? [] : [[`${group}.${name}`, initial] as const]))))

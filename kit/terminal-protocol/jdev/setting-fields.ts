import { field } from '../config/field.ts'
import type { ConfigField, ConfigFields } from '../config/field.ts'

/** What a field of a terminal's settings holds: flags are 0 and 1, lists are rows of text. */
export type SettingValue = number | string | readonly string[]
export type SettingValues = Readonly<Record<string, SettingValue>>
export type Settings = Readonly<Record<string, SettingValues>>

const { between, flag, oneOf, secret, text } = field
const rows: ConfigField = { initial: [] }

/**
 * The settings of a terminal of ours by group and name, as delivered, with what each takes: at its console (chapter 31 §7) and from the server
 * (`config/words.ts` says which of them the school decides, and of which kinds of device). Names are those of §5.5 where both have them.
 */
export const setting_fields: ConfigFields = {
  face: { similarity: { initial: 0.6, least: 0, most: 1, decimals: 2 }, livenessOff: flag(1), livenessVal: between(5, 0, 10), recheck: between(8, 1, 100), recognitionTimeout: between(5, 1, 30), stranger: oneOf(1, 0, 1, 2), voiceMode: oneOf(1, 0, 1, 2) },
  temp: { fever_tenths: between(373, 350, 420) },
  base: { brightness: between(70, 0, 100), backlight: between(70, 0, 100), volume: between(6, 0, 10), screenOff: between(0, 0, 120), language: oneOf('CN', 'CN', 'EN'), password: secret() },
  reader: { format: oneOf('hex', 'hex', 'dec10', 'dec8', 'wg26', 'wg34'), byte_order: oneOf('as_is', 'as_is', 'reversed'), truncation: oneOf('none', 'none', '6', '8') },
  access: { relayTime: between(3, 1, 60), sensor: flag(1), heldOpen: between(30, 0, 600), fire: flag(1), tamper: flag(1), schedule: rows },
  mqtt: { addr: { initial: '', is_needed: true }, username: text(), secret: secret(), prefix: { initial: 'jdev', is_needed: true }, keepAlive: between(60, 10, 120), heartbeat: between(30, 10, 300) },
  net: { type: oneOf(1, 1, 2, 4), dhcp: oneOf(2, 1, 2), ip: text(), mask: text(), gateway: text(), dns: text(), ssid: text(), psk: secret(), mappings: rows },
  ntp: { server: text('ntp.aliyun.com'), timeZone: text('Asia/Shanghai') },
  sys: { log_level: oneOf('info', 'error', 'warn', 'info', 'debug') },
}

/** Fields that are written and never read back, by `group.name`. */
export const secret_settings: readonly string[] = Object.entries(setting_fields).flatMap(([group, fields]) => Object.entries(fields).flatMap(([name, { is_secret }]) => (is_secret ? [`${group}.${name}`] : [])))

/** The settings of a terminal that nobody has touched. */
export function factorySettings(): Settings {
  return Object.fromEntries(Object.entries(setting_fields).map(([group, fields]) => [group, Object.fromEntries(Object.entries(fields).map(([name, { initial }]) => [name, initial]))]))
}

import { config_fields, time_zones } from './config-fields.ts'
import type { ConfigField } from '../config/field.ts'

type Groups = Record<string, Record<string, unknown>>
const ipv4 = /^((25[0-5]|2[0-4]\d|1?\d?\d)(\.|$)){4}$/u
const broker = /^mqtts?:\/\/([^:/\s]+)(:\d{1,5})?$/u

/** The configuration of a device that nobody has touched. */
export function factoryConfig(): Groups {
  return Object.fromEntries(Object.entries(config_fields).map(([group, fields]) => [group, Object.fromEntries(Object.entries(fields).map(([name, { initial }]) => [name, initial]))]))
}

/** Why a device does not take a value; undefined when it does (chapter 31 §5.5). `key` is `group.field`. */
export function configFault(key: string, value: unknown): string | undefined {
  const [group = '', name = ''] = key.split('.')
  const field = config_fields[group]?.[name]
  if (!field) return `不支持的配置项: ${key}`
  if (field.is_fixed) return `配置项不可修改: ${key}`
  return typeof field.initial === 'number' ? numberFault(key, value, field) : otherFault(key, value, field)
}

/** Whether the device restarts by itself after it has answered. */
export function restarts(key: string, before: unknown, after: unknown): boolean {
  if (before === after) return false
  return key === 'ntp.timeZone' || (key === 'access.verifyMode' && (before === 1 || after === 1))
}

/** Whether the device leaves the broker and comes again after it has answered. */
export function reconnects(key: string): boolean {
  return key.startsWith('mqtt.') && key !== 'mqtt.timeout' && key !== 'mqtt.onlinecheck'
}

function numberFault(key: string, value: unknown, { least, most, values, decimals = 0 }: ConfigField): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return `${key}类型不正确`
  if (decimals === 0 && !Number.isInteger(value)) return `${key}必须是整数`
  if (values && !values.includes(value)) return `${key}取值不受支持`
  if (least !== undefined && value < least) return `${key}不能小于${least}`
  return most !== undefined && value > most ? `${key}不能大于${most}` : undefined
}

function otherFault(key: string, value: unknown, { initial, values, is_needed }: ConfigField): string | undefined {
  if (Array.isArray(initial)) return Array.isArray(value) ? listFault(key, value) : `${key}类型不正确`
  if (typeof value !== 'string') return `${key}类型不正确`
  if (value === '' && is_needed) return `${key}不能为空`
  if (values && !values.includes(value)) return `${key}取值不受支持`
  if (key === 'ntp.timeZone' && !time_zones.includes(value)) return `${key}取值不受支持`
  if (key === 'mqtt.addr') return isBroker(value) ? undefined : `${key}取值不受支持`
  const is_address = key === 'net.ip' || key === 'net.gateway'
  return is_address && value !== '' && !ipv4.test(value) ? `${key}不是有效IPv4地址` : undefined
}

function listFault(key: string, value: readonly unknown[]): string | undefined {
  if (new Set(value).size !== value.length) return `${key}取值不受支持`
  if (key === 'access.factorSequence') return value.length === 2 && value.every(one => ['face', 'card', 'code', 'password', 'finger'].some(known => known === one)) ? undefined : `${key}取值不受支持`
  return value.length <= 3 && value.every(one => ['name', 'department', 'employeeNo'].some(known => known === one)) ? undefined : `${key}取值不受支持`
}

/** An address with a number for a host needs its port. */
function isBroker(value: string): boolean {
  const [, host = '', port] = broker.exec(value) ?? []
  return host !== '' && (port !== undefined || !ipv4.test(host))
}

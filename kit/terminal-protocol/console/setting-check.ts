import { checkIpv4 } from '@kit/contract/checks'
import type { ConfigField } from '../config/field.ts'
import { setting_fields } from '../jdev/setting-fields.ts'
import type { SettingValues } from '../jdev/setting-fields.ts'
import { brokerParts } from './broker.ts'
import type { Fault, FaultCode } from './fault.ts'
import { areMappings, isSchedule } from './rows.ts'

const longest_text = 128
const static_address = 1
const host_name = /^(?=.{1,253}$)[a-z\d]([a-z\d-]{0,61}[a-z\d])?(\.[a-z\d]([a-z\d-]{0,61}[a-z\d])?)*$/iu
const topic_level = /^[^\s/+#$][^\s/+#]*(\/[^\s/+#]+)*$/u
const addresses: readonly string[] = ['net.ip', 'net.mask', 'net.gateway']

/** Why a terminal does not take a value for a field (`group.name`); undefined when it does. The page asks before it sends, the terminal before it keeps. */
export function settingFault(key: string, value: unknown): Fault | undefined {
  const [group = '', name = ''] = key.split('.')
  const field = setting_fields[group]?.[name]
  if (!field) return { code: 'unknown', key }
  const { initial, values, least, most } = field
  if (values) return values.some(one => one === value) ? undefined : { code: 'choice', key }
  if (typeof initial === 'number') return numberFault(key, value, field)
  const code = Array.isArray(initial) ? rowsFault(key, value) : textFault(key, value, field)
  return code && { code, key, ...(least === undefined ? {} : { least }), ...(most === undefined ? {} : { most }) }
}

/** Every fault of values of one group, each field by itself and then together: a fixed address needs itself, a mask and a gateway. */
export function groupFaults(group: string, values: SettingValues): Fault[] {
  const single = Object.entries(values).flatMap(([name, value]) => settingFault(`${group}.${name}`, value) ?? [])
  if (group !== 'net' || values['dhcp'] !== static_address) return single
  const missing = addresses.filter(key => !values[key.slice('net.'.length)]).map(key => ({ code: 'address', key }) as const)
  return [...single, ...missing]
}

/** Whether a text names a machine: an IPv4 address or a host name. `address` when it is a broken address, `host` when it is a broken name. */
export function hostFault(value: string): 'address' | 'host' | 'empty' | undefined {
  if (value === '') return 'empty'
  if (/^[\d.]+$/u.test(value)) return checkIpv4(value) === null ? undefined : 'address'
  return host_name.test(value) ? undefined : 'host'
}

function numberFault(key: string, value: unknown, { least = 0, most = 0, decimals = 0 }: ConfigField): Fault | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return { code: 'range', key, least, most }
  if (value < least || value > most) return { code: 'range', key, least, most }
  return Number(value.toFixed(decimals)) === value ? undefined : { code: decimals === 0 ? 'integer' : 'range', key, least, most }
}

function rowsFault(key: string, value: unknown): FaultCode | undefined {
  if (!Array.isArray(value) || !value.every(one => typeof one === 'string')) return 'malformed'
  if (key === 'net.mappings') return areMappings(value) ? undefined : 'mapping'
  return isSchedule(value) ? undefined : 'schedule'
}

function textFault(key: string, value: unknown, { is_needed }: ConfigField): FaultCode | undefined {
  if (typeof value !== 'string') return 'malformed'
  if (value.length > longest_text) return 'text'
  if (value === '') return is_needed ? 'empty' : undefined
  if (key === 'mqtt.addr') return brokerFault(value)
  if (key === 'mqtt.prefix') return topic_level.test(value) ? undefined : 'text'
  if (key === 'net.mask') return isMask(value) ? undefined : 'address'
  if (key === 'net.dns') return value.split(',').every(one => checkIpv4(one.trim()) === null) ? undefined : 'address'
  return addresses.includes(key) && checkIpv4(value) !== null ? 'address' : undefined
}

function brokerFault(value: string): FaultCode | undefined {
  const parts = brokerParts(value)
  return parts ? hostFault(parts.host) : 'host'
}

/** Ones, then noughts. */
function isMask(value: string): boolean {
  if (checkIpv4(value) !== null) return false
  return /^1+0*$/u.test(value.split('.').map(part => Number(part).toString(2).padStart(8, '0')).join(''))
}

import type { ConfigKey, ConfigValue } from './keys.ts'

const ipv4 = /^((25[0-5]|2[0-4]\d|1?\d?\d)(\.|$)){4}$/u
const broker = /^mqtts?:\/\/([^:/\s]+)(:(\d{1,5}))?$/u
const most_port = 65_535
const [longest_text, shortest_psk, longest_psk] = [200, 8, 63]
const addresses: readonly string[] = ['net.ip', 'net.gateway', 'net.mask']

/** What is wrong with the value of a setting, in a sentence; undefined when the device takes it. */
export function valueFault(setting: ConfigKey, value: ConfigValue): string | undefined {
  const { key, title, kind, choices } = setting
  if (kind === 'number') return numberFault(setting, value)
  if (kind === 'choice') return choices?.some(choice => choice.value === value) ? undefined : `请选择${title}`
  if (typeof value !== 'string') return `请填写${title}`
  if (kind === 'secret') return value.length < shortest_psk || value.length > longest_psk ? `${title}为${shortest_psk}到${longest_psk}位` : undefined
  if (value === '') return setting.is_needed ? `请填写${title}` : undefined
  if (value.length > longest_text) return `${title}超过${longest_text}个字`
  if (key === 'mqtt.addr' && !isBroker(value)) return '地址格式为 mqtt://主机:端口，IP地址必须带端口'
  if (key === 'net.dns') return value.split(',').every(one => ipv4.test(one.trim())) ? undefined : 'IP地址不合法'
  return addresses.includes(key) && !ipv4.test(value) ? 'IP地址不合法' : undefined
}

/** Settings that only together make sense: a fixed address needs its mask and gateway. @returns the sentence by the key it belongs to */
export function togetherFaults(values: Readonly<Record<string, ConfigValue>>): Record<string, string> {
  const is_empty = (key: string) => (values[key] ?? '') === ''
  const missing = (is_due: boolean, keys: readonly [string, string][]) => (is_due ? keys.filter(([key]) => is_empty(key)) : [])
  return Object.fromEntries([
    ...missing(values['net.dhcp'] === 1, [['net.ip', '固定IP请填写IP地址'], ['net.mask', '固定IP请填写子网掩码'], ['net.gateway', '固定IP请填写网关']]),
    ...missing(values['net.type'] === 2, [['net.ssid', 'WiFi请填写名称']]),
  ])
}

function numberFault({ title, least: lowest, most: highest, decimals = 0, is_tenths }: ConfigKey, value: ConfigValue): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return `请填写${title}`
  if (Number(value.toFixed(decimals)) !== value) return is_tenths ? `${title}最多1位小数` : decimals === 0 ? `${title}为整数` : `${title}最多${decimals}位小数`
  const [least, most] = [lowest, highest].map(limit => (limit === undefined ? undefined : is_tenths ? limit / 10 : limit))
  if (lowest !== undefined && value < lowest) return most === undefined ? `${title}不能小于${least}` : `${title}为${least}到${most}`
  return highest !== undefined && value > highest ? `${title}为${least ?? 0}到${most}` : undefined
}

/** An address with a number for a host needs its port. */
function isBroker(value: string): boolean {
  const [, host = '', , port] = broker.exec(value) ?? []
  if (port !== undefined && (Number(port) < 1 || Number(port) > most_port)) return false
  return host !== '' && (port !== undefined || !ipv4.test(host))
}

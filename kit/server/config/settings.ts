import { isIP } from 'node:net'
import { z } from 'zod'

const flag = z.enum(['0', '1', 'true', 'false']).transform(v => v === '1' || v === 'true')
const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max)

/** A comma separated list of addresses and networks; with `words` also the names of private ranges that the proxy setting knows. */
const addresses = (words: readonly string[] = []) =>
  z.string().refine(text => items(text).every(item => words.includes(item) || isNetwork(item)), 'must list addresses or networks, e.g. 10.0.0.5,10.1.0.0/16')

const host_shape = /^(\*\.)?[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i
const hosts = z.string().refine(text => items(text).every(item => host_shape.test(item)), 'must list host names or addresses, e.g. sms.example.cn,*.example.cn')
const recipient_shape = /^(\+?\d{5,15}|[^\s@,]*@[a-z0-9.-]+)$/i
const recipients = z.string().refine(text => items(text).every(item => recipient_shape.test(item)), 'must list phone numbers, mail addresses or mail domains, e.g. 13800000000,me@example.cn,@example.cn')
const words = z.string().refine(text => items(text).length <= 200, 'holds more than 200 words')
const own_path = z.string().regex(/^(\/[\w./-]*)?$/, 'must be a path on the address of this server, e.g. /brand/logo.svg')
const base = z.string().regex(/^((\/|https:\/\/)[\w./:-]*)?$/, 'must be a path of this server or an https address')

/**
 * Every setting of the server: one schema for defaults, environments, profiles and variables. Unknown keys are refused.
 */
export const Settings = z.strictObject({
  CAMPUS_ENV: z.enum(['dev', 'test', 'pre', 'prod']).default('prod'),
  CAMPUS_PROFILE: z.string().default(''),
  CAMPUS_PROFILE_DIR: z.string().optional(),
  CAMPUS_HOST: z.string().default('127.0.0.1'),
  CAMPUS_PORT: whole(0, 65535).default(7300),
  // The broker's own port for devices: the LAN only where it is named (chapter 31 §1.7).
  CAMPUS_MQTT_HOST: z.string().default('127.0.0.1'),
  CAMPUS_MQTT_PORT: whole(0, 65535).default(1883),
  // The same over TLS, when both files are named.
  CAMPUS_MQTT_TLS_HOST: z.string().optional(),
  CAMPUS_MQTT_TLS_PORT: whole(0, 65535).default(8883),
  CAMPUS_MQTT_TLS_CERT: z.string().optional(),
  CAMPUS_MQTT_TLS_KEY: z.string().optional(),
  // An outside broker for devices (decision 0029): mqtt[s]://user:password@host[:port]. Empty: the broker of this server.
  CAMPUS_MQTT_URL: z.string().refine(text => text === '' || isBroker(text), 'must be mqtt://user:password@host:port or mqtts://…').default(''),
  // What an outside broker shows when it asks who may come in (hooks broker/auth, broker/acl, broker/event), and from where it may ask; empty: no hooks.
  CAMPUS_MQTT_HOOK_SECRET: z.string().regex(/^([\x21-\x7e]{32,200})?$/, 'must have 32 signs or more').default(''),
  CAMPUS_MQTT_HOOK_ALLOW: addresses().default(''),
  // The key with which a VF105 checks a QR code of settings (chapter 31 §5.7.1); empty: none is shown.
  CAMPUS_VF105_QR_KEY: z.string().regex(/^([\x21-\x7e]{16,200})?$/, 'must have 16 signs or more').default(''),
  CAMPUS_DATA_DIR: z.string().default('data'),
  CAMPUS_PUBLIC_URL: z.string().optional(),
  CAMPUS_TRUST_PROXY: addresses(['loopback', 'linklocal', 'uniquelocal']).default(''),
  CAMPUS_METRICS_ALLOW: addresses().default(''),
  CAMPUS_BACKUP_AT: z.string().regex(/^([01][0-9]|2[0-3]):[0-5][0-9]$/, 'must be a time of day in Asia/Shanghai, e.g. 02:30').optional(),
  CAMPUS_BACKUP_DIR: z.string().optional(),
  CAMPUS_BACKUP_KEEP: whole(1, 1000).default(14),
  CAMPUS_MIN_FREE_MB: whole(0, 1_000_000).default(100),
  CAMPUS_SECRETS_FILE: z.string().optional(),
  CAMPUS_STORES_FILE: z.string().optional(),
  /** virtual terminals that the demo school starts for itself; 0 = none */
  CAMPUS_DEMO_TERMINALS: whole(0, 1000).default(0),
  /** school days of passes that the demo school is given a little after its start; 0 = none */
  CAMPUS_DEMO_PAST_DAYS: whole(0, 120).default(0),
  /** what happens on a school day before the cameras of the demo's boxes; 0 = nothing */
  CAMPUS_DEMO_SCENES: whole(0, 500).default(6),
  CAMPUS_DEMO_CONSOLE_PORT: whole(0, 65_000).default(0),
  CAMPUS_DEMO_TODAY: z.iso.date().optional(),
  CAMPUS_LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
  CAMPUS_ANONYMOUS_PER_MINUTE: whole(1, 1_000_000).default(3000),
  CAMPUS_CAPTCHA_PER_MINUTE: whole(1, 1_000_000).default(1000),
  CAMPUS_USER_PER_MINUTE: whole(1, 1_000_000).default(600),
  CAMPUS_LOGIN_FAILS_PER_MINUTE: whole(1, 1_000_000).default(20),
  CAMPUS_DURABLE: flag.default(true),
  CAMPUS_POOL_SIZE: whole(2, 200).default(10),
  DATABASE_URL: z.string().optional(),
  DATABASE_OWNER_URL: z.string().optional(),

  // What may leave the machine: hosts of providers (nothing but these is called), and in `pre` who may be written to.
  CAMPUS_OUTSIDE_HOSTS: hosts.default(''),
  CAMPUS_OUTSIDE_ALLOW: recipients.default(''),

  // Where login providers of a fixed address are looked for instead; in dev and test alone.
  CAMPUS_WECOM_URL: z.url({ protocol: /^https?$/ }).or(z.literal('')).default(''),
  CAMPUS_WEIXIAO_URL: z.url({ protocol: /^https?$/ }).or(z.literal('')).default(''),

  // Bounds of the installation that no school can loosen (等保三级 is a profile of these).
  CAMPUS_JOURNAL_KEEP_DAYS: whole(180, 36_500).default(1096),
  CAMPUS_LONGEST_IDLE_MINUTES: whole(10, 480).default(480),
  CAMPUS_SHORTEST_PASSWORD: whole(8, 32).default(8),
  CAMPUS_LONGEST_PASSWORD_DAYS: whole(0, 365).refine(days => days === 0 || days >= 30, 'must be 0 (no bound) or 30 to 365').default(0),
  CAMPUS_MOST_LOGIN_TRIES: whole(3, 10).default(10),
  CAMPUS_SEPARATE_DUTIES: flag.default(false),

  // What a region or an owner makes its own.
  CAMPUS_BRAND_TITLE: z.string().max(30).default(''),
  CAMPUS_BRAND_LOGO: own_path.default(''),
  CAMPUS_LOGIN_BACKGROUND: own_path.default(''),
  CAMPUS_FILING_NOTICE: z.string().max(100).default(''),
  CAMPUS_SUB_APP_BASE: base.default(''),
  CAMPUS_MQTT_TOPIC_PREFIX: z.string().regex(/^[\w/-]*$/, 'takes letters, digits, _, - and /').max(60).default(''),
  // Where live pictures of cameras come from; without it they are shown as snapshots.
  CAMPUS_MEDIA_GATEWAY: z.url({ protocol: /^https?$/ }).or(z.literal('')).default(''),
  CAMPUS_MEDIA_KEY: z.string().max(200).default(''),
  CAMPUS_OSS_TYPE: whole(1, 3).default(2),
  CAMPUS_OSS_REGION: z.string().max(60).default(''),
  CAMPUS_GPS_TYPE: whole(1, 3).default(1),
  CAMPUS_MAP_ADDRESS: z.string().max(300).regex(/^(https?:\/\/\S+)?$/, 'must begin with http:// or https://').default(''),
  CAMPUS_DIVISION: z.string().regex(/^(\d{6})?$/, 'must be a division code of six digits').default(''),
  CAMPUS_FORBIDDEN_FEES: words.default(''),
})
export type Settings = z.output<typeof Settings>

/** The parts of a comma separated setting. */
export function items(text: string): string[] {
  return text.split(',').map(item => item.trim()).filter(item => item !== '')
}

function isBroker(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && ['mqtt:', 'mqtts:'].includes(url.protocol) && url.hostname !== '' && url.username !== '' && url.password !== ''
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  return longest > 0 && more.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= longest))
}

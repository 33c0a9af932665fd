import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { z } from 'zod'

const flag = z.enum(['0', '1', 'true', 'false']).transform(v => v === '1' || v === 'true')
const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max)

/** A comma separated list of addresses and networks; with `words` also the names of private ranges that the proxy setting knows. */
const addresses = (words: readonly string[] = []) =>
  z.string().refine(text => text.split(',').filter(item => item !== '').every(item => words.includes(item) || isNetwork(item)), 'must list addresses or networks, e.g. 10.0.0.5,10.1.0.0/16')

/** Every setting of the server; environment variables of the same name win over the profile and the environment's defaults. */
const Settings = z.strictObject({
  CAMPUS_ENV: z.enum(['dev', 'test', 'pre', 'prod']).default('prod'),
  CAMPUS_PROFILE: z.string().default(''),
  CAMPUS_HOST: z.string().default('127.0.0.1'),
  CAMPUS_PORT: whole(0, 65535).default(7300),
  CAMPUS_DATA_DIR: z.string().default('data'),
  CAMPUS_PUBLIC_URL: z.string().optional(),
  CAMPUS_TRUST_PROXY: addresses(['loopback', 'linklocal', 'uniquelocal']).default(''),
  CAMPUS_METRICS_ALLOW: addresses().default(''),
  CAMPUS_MIN_FREE_MB: whole(0, 1_000_000).default(100),
  CAMPUS_SECRETS_FILE: z.string().optional(),
  CAMPUS_DEMO_TODAY: z.iso.date().optional(),
  CAMPUS_LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
  CAMPUS_ANONYMOUS_PER_MINUTE: whole(1, 1_000_000).default(3000),
  CAMPUS_CAPTCHA_PER_MINUTE: whole(1, 1_000_000).default(1000),
  CAMPUS_USER_PER_MINUTE: whole(1, 1_000_000).default(600),
  CAMPUS_LOGIN_FAILS_PER_MINUTE: whole(1, 1_000_000).default(20),
  CAMPUS_FILING_NOTICE: z.string().default(''),
  CAMPUS_DURABLE: flag.default(true),
  CAMPUS_POOL_SIZE: whole(2, 200).default(10),
  DATABASE_URL: z.string().optional(),
  DATABASE_OWNER_URL: z.string().optional(),
})
export type Settings = z.output<typeof Settings>
export type Config = Settings & { demo: boolean; host_is_loopback: boolean }

/** Profiles are files of settings, nothing else (chapter 10 §12). */
const profiles: Record<string, Record<string, string>> = {
  demo: {},
  intranet: { CAMPUS_HOST: '0.0.0.0' },
}

const environments: Record<Settings['CAMPUS_ENV'], Record<string, string>> = {
  dev: {},
  test: {
    CAMPUS_LOG_LEVEL: 'warn',
    CAMPUS_ANONYMOUS_PER_MINUTE: '1000000',
    CAMPUS_CAPTCHA_PER_MINUTE: '1000000',
    CAMPUS_USER_PER_MINUTE: '1000000',
    CAMPUS_LOGIN_FAILS_PER_MINUTE: '1000000',
  },
  pre: {},
  prod: {},
}

/** A configuration that must not start; the message names the setting and what to do. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/**
 * Reads defaults < environment < profiles < environment variables and checks the whole.
 * @throws ConfigError naming every wrong setting
 */
export function loadConfig(env: Record<string, string | undefined>): Config {
  const named = Object.fromEntries(Object.entries(env).filter(([key, value]) => isOurs(key) && value !== undefined && value !== ''))
  const stage = Settings.shape.CAMPUS_ENV.safeParse(named.CAMPUS_ENV)
  if (!stage.success) throw new ConfigError('CAMPUS_ENV must be one of dev, test, pre, prod')
  const names = (named.CAMPUS_PROFILE ?? '').split(',').filter(name => name !== '')
  const unknown = names.filter(name => !(name in profiles))
  if (unknown.length > 0) throw new ConfigError(`CAMPUS_PROFILE: unknown profile ${unknown.join(', ')}`)
  const layers = [environments[stage.data], ...names.map(name => profiles[name] ?? {}), named]
  const parsed = Settings.safeParse(Object.assign({}, ...layers))
  if (!parsed.success) throw new ConfigError(parsed.error.issues.map(i => `${i.path.join('.') || i.code}: ${i.message}`).join('; '))
  return refuseUnsafe({ ...parsed.data, demo: names.includes('demo'), host_is_loopback: isLoopback(parsed.data.CAMPUS_HOST) })
}

function refuseUnsafe(config: Config): Config {
  if (config.CAMPUS_ENV === 'prod' && config.demo) throw new ConfigError('CAMPUS_PROFILE: profile demo is refused in prod')
  if (config.CAMPUS_ENV === 'pre' && config.demo) throw new ConfigError('CAMPUS_PROFILE: profile demo is refused in pre')
  if (config.CAMPUS_ENV === 'test' && !config.host_is_loopback) throw new ConfigError('CAMPUS_HOST: the test environment listens on loopback only')
  return config
}

function isOurs(key: string): boolean {
  return key.startsWith('CAMPUS_') && !key.startsWith('CAMPUS_TEST_') && !key.startsWith('CAMPUS_SECRET_') ? true : key in Settings.shape
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  return longest > 0 && more.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= longest))
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.')
}

/** Commit and time of this build, told apart from the compatibility version 1.4.9. */
export function buildId(root: string): { version: string; build_id: string } {
  const manifest = z.object({ version: z.string(), build_id: z.string().default('source') })
  return manifest.parse(JSON.parse(readFileSync(`${root}/package.json`, 'utf8')))
}

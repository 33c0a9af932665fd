import { ConfigError } from './config-error.ts'
import { readProfile } from './profile.ts'
import { items, Settings } from './settings.ts'

export { readBuild } from './build.ts'
export type { Build } from './build.ts'
export { ConfigError } from './config-error.ts'
export { mayCallHost, mayWriteTo } from './outside.ts'
export { profileNames } from './profile.ts'
export type { Settings } from './settings.ts'

export type Config = Settings & { demo: boolean; host_is_loopback: boolean }

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

/** Environments that work for real people or on real data: no demo, secrets of their own. */
const earnest = ['pre', 'prod']

/** Elsewhere the providers stand where they have always stood. */
const provider_addresses = ['CAMPUS_WECOM_URL', 'CAMPUS_WEIXIAO_URL'] as const

/**
 * Reads defaults < environment < profiles (in the order named) < environment variables and checks the whole (chapter 10 §12).
 * @throws ConfigError naming every wrong setting
 */
export function loadConfig(env: Record<string, string | undefined>): Config {
  const named = Object.fromEntries(Object.entries(env).filter(([key, value]) => isOurs(key) && value !== undefined && value !== ''))
  const stage = Settings.shape.CAMPUS_ENV.safeParse(named.CAMPUS_ENV)
  if (!stage.success) throw new ConfigError('CAMPUS_ENV must be one of dev, test, pre, prod')
  const names = items(named.CAMPUS_PROFILE ?? '')
  const layers = [environments[stage.data], ...names.map(name => readProfile(name, named.CAMPUS_PROFILE_DIR)), named]
  const parsed = Settings.safeParse(Object.assign({}, ...layers))
  if (!parsed.success) throw new ConfigError(parsed.error.issues.map(issue => `${issue.path.join('.') || issue.code}: ${issue.message}`).join('; '))
  return refuseUnsafe({ ...parsed.data, demo: names.includes('demo'), host_is_loopback: isLoopback(parsed.data.CAMPUS_HOST) })
}

function refuseUnsafe(config: Config): Config {
  if (earnest.includes(config.CAMPUS_ENV) && config.demo) throw new ConfigError(`CAMPUS_PROFILE: profile demo is refused in ${config.CAMPUS_ENV}`)
  for (const key of provider_addresses) if (earnest.includes(config.CAMPUS_ENV) && config[key] !== '') throw new ConfigError(`${key}: is for dev and test, in ${config.CAMPUS_ENV} the address is fixed`)
  if (config.CAMPUS_ENV === 'test' && !config.host_is_loopback) throw new ConfigError('CAMPUS_HOST: the test environment listens on loopback only')
  if (config.CAMPUS_BACKUP_AT !== undefined && config.CAMPUS_DATA_DIR === 'memory://') throw new ConfigError('CAMPUS_BACKUP_AT: a database in memory cannot be backed up')
  if ((config.CAMPUS_MQTT_TLS_CERT === undefined) !== (config.CAMPUS_MQTT_TLS_KEY === undefined)) throw new ConfigError('CAMPUS_MQTT_TLS_CERT and CAMPUS_MQTT_TLS_KEY: name both files or neither')
  return refuseBrokers(config)
}

/** What belongs to the broker of this server cannot be had together with an outside one. */
function refuseBrokers(config: Config): Config {
  if (config.CAMPUS_MQTT_URL === '') return config
  if (config.CAMPUS_MQTT_TLS_CERT !== undefined) throw new ConfigError('CAMPUS_MQTT_TLS_CERT: with CAMPUS_MQTT_URL the outside broker holds the certificate')
  if (config.CAMPUS_DEMO_TERMINALS > 0) throw new ConfigError('CAMPUS_DEMO_TERMINALS: the terminals of the demo speak with the broker of this server; leave CAMPUS_MQTT_URL empty')
  return config
}

function isOurs(key: string): boolean {
  return key.startsWith('CAMPUS_') && !key.startsWith('CAMPUS_TEST_') && !key.startsWith('CAMPUS_SECRET_') ? true : key in Settings.shape
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.')
}

import { describe, expect, test } from 'vitest'
import { ConfigError, loadConfig } from './index.ts'

describe('settings', () => {
  test('production is the default, listening on loopback', () => {
    expect(loadConfig({})).toMatchObject({ CAMPUS_ENV: 'prod', CAMPUS_HOST: '127.0.0.1', demo: false })
  })
  test('a variable wins over the profile, the profile over the environment', () => {
    expect(loadConfig({ CAMPUS_PROFILE: 'intranet' }).CAMPUS_HOST).toBe('0.0.0.0')
    expect(loadConfig({ CAMPUS_PROFILE: 'intranet', CAMPUS_HOST: '10.0.0.5' }).CAMPUS_HOST).toBe('10.0.0.5')
  })
  test('address lists take addresses, networks and, for the proxy, the names of private ranges', () => {
    expect(loadConfig({ CAMPUS_TRUST_PROXY: 'loopback,10.1.0.0/16,::1', CAMPUS_METRICS_ALLOW: '10.0.0.5,2001:db8::/32' })).toMatchObject({ CAMPUS_TRUST_PROXY: 'loopback,10.1.0.0/16,::1' })
  })
  test.each([
    [{ CAMPUS_ENV: 'production' }, 'CAMPUS_ENV'],
    [{ CAMPUS_PORT: 'abc' }, 'CAMPUS_PORT'],
    [{ CAMPUS_PROFILE: 'nowhere' }, 'CAMPUS_PROFILE'],
    [{ CAMPUS_PROFILE: 'demo' }, 'CAMPUS_PROFILE'],
    [{ CAMPUS_ENV: 'pre', CAMPUS_PROFILE: 'demo' }, 'CAMPUS_PROFILE'],
    [{ CAMPUS_ENV: 'test', CAMPUS_HOST: '0.0.0.0' }, 'CAMPUS_HOST'],
    [{ CAMPUS_UNKNOWN: '1' }, 'CAMPUS_UNKNOWN'],
    [{ CAMPUS_TRUST_PROXY: 'true' }, 'CAMPUS_TRUST_PROXY'],
    [{ CAMPUS_TRUST_PROXY: '10.0.0.0/33' }, 'CAMPUS_TRUST_PROXY'],
    [{ CAMPUS_METRICS_ALLOW: 'loopback' }, 'CAMPUS_METRICS_ALLOW'],
    [{ CAMPUS_METRICS_ALLOW: '10.0.0.1/8/8' }, 'CAMPUS_METRICS_ALLOW'],
    [{ CAMPUS_MIN_FREE_MB: '-1' }, 'CAMPUS_MIN_FREE_MB'],
  ])('10-A32 %j is refused, naming the setting', (env, name) => {
    expect(() => loadConfig(env)).toThrow(ConfigError)
    expect(() => loadConfig(env)).toThrow(name)
  })
})

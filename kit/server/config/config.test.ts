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
  test.each([
    [{ CAMPUS_ENV: 'production' }, 'CAMPUS_ENV'],
    [{ CAMPUS_PORT: 'abc' }, 'CAMPUS_PORT'],
    [{ CAMPUS_PROFILE: 'nowhere' }, 'CAMPUS_PROFILE'],
    [{ CAMPUS_PROFILE: 'demo' }, 'CAMPUS_PROFILE'],
    [{ CAMPUS_ENV: 'pre', CAMPUS_PROFILE: 'demo' }, 'CAMPUS_PROFILE'],
    [{ CAMPUS_ENV: 'test', CAMPUS_HOST: '0.0.0.0' }, 'CAMPUS_HOST'],
    [{ CAMPUS_UNKNOWN: '1' }, 'CAMPUS_UNKNOWN'],
  ])('10-A32 %j is refused, naming the setting', (env, name) => {
    expect(() => loadConfig(env)).toThrow(ConfigError)
    expect(() => loadConfig(env)).toThrow(name)
  })
})

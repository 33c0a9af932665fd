import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { sayBuild } from './build.ts'
import { ConfigError, loadConfig, mayCallHost, mayWriteTo, profileNames } from './index.ts'

const folder = mkdtempSync(join(tmpdir(), 'campus-profiles-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const profile = (name: string, text: string) => writeFileSync(join(folder, `${name}.json`), text)

describe('settings', () => {
  test('production is the default, listening on loopback', () => {
    expect(loadConfig({})).toMatchObject({ CAMPUS_ENV: 'prod', CAMPUS_HOST: '127.0.0.1', demo: false })
  })
  test('a whole school may sit behind one address, outside the tests too', () => {
    const rates = { CAMPUS_CAPTCHA_PER_MINUTE: 1000, CAMPUS_ANONYMOUS_PER_MINUTE: 3000 }
    for (const stage of ['dev', 'pre', 'prod']) expect(loadConfig({ CAMPUS_ENV: stage })).toMatchObject(rates)
    expect(loadConfig({ CAMPUS_ENV: 'test' }).CAMPUS_CAPTCHA_PER_MINUTE).toBeGreaterThan(rates.CAMPUS_ANONYMOUS_PER_MINUTE)
  })
  test('a variable wins over the profile, the profile over the environment', () => {
    expect(loadConfig({ CAMPUS_PROFILE: 'intranet' }).CAMPUS_HOST).toBe('0.0.0.0')
    expect(loadConfig({ CAMPUS_PROFILE: 'intranet', CAMPUS_HOST: '10.0.0.5' }).CAMPUS_HOST).toBe('10.0.0.5')
  })
  test('profiles win over each other in the order in which they are named, those of the installation by the same name', () => {
    profile('city', '{"CAMPUS_GPS_TYPE": "2", "CAMPUS_BRAND_TITLE": "某市"}')
    profile('district', '{"CAMPUS_BRAND_TITLE": "某区"}')
    profile('intranet', '{"CAMPUS_HOST": "10.9.8.7"}')
    const load = (names: string) => loadConfig({ CAMPUS_PROFILE: names, CAMPUS_PROFILE_DIR: folder })
    expect(load('city,district')).toMatchObject({ CAMPUS_GPS_TYPE: 2, CAMPUS_BRAND_TITLE: '某区' })
    expect(load('district,city')).toMatchObject({ CAMPUS_BRAND_TITLE: '某市' })
    expect([load('intranet').CAMPUS_HOST, load('mlps3').CAMPUS_LONGEST_IDLE_MINUTES]).toEqual(['10.9.8.7', 30])
    expect(profileNames(undefined)).toEqual(['demo', 'intranet', 'mlps3', 'region-sample'])
    expect(profileNames(folder)).toEqual(['city', 'demo', 'district', 'intranet', 'mlps3', 'region-sample'])
  })
  test.each([
    ['an unknown setting', '{"CAMPUS_COLOUR": "red"}', 'CAMPUS_COLOUR'],
    ['a wrong value', '{"CAMPUS_GPS_TYPE": "9"}', 'CAMPUS_GPS_TYPE'],
    ['another environment', '{"CAMPUS_ENV": "dev"}', 'CAMPUS_ENV'],
    ['an address of the database', '{"DATABASE_URL": "postgres://a"}', 'DATABASE_URL'],
    ['numbers for texts', '{"CAMPUS_PORT": 80}', 'bad.json'],
    ['no JSON', 'CAMPUS_PORT=80', 'bad.json'],
  ])('a profile with %s is refused, naming it', (_what, text, name) => {
    profile('bad', text)
    const load = () => loadConfig({ CAMPUS_PROFILE: 'bad', CAMPUS_PROFILE_DIR: folder })
    expect(load).toThrow(ConfigError)
    expect(load).toThrow(name)
  })
  test('address lists take addresses, networks and, for the proxy, the names of private ranges', () => {
    expect(loadConfig({ CAMPUS_TRUST_PROXY: 'loopback,10.1.0.0/16,::1', CAMPUS_METRICS_ALLOW: '10.0.0.5,2001:db8::/32' })).toMatchObject({ CAMPUS_TRUST_PROXY: 'loopback,10.1.0.0/16,::1' })
  })
  test.each([
    [{ CAMPUS_ENV: 'production' }, 'CAMPUS_ENV'],
    [{ CAMPUS_PORT: 'abc' }, 'CAMPUS_PORT'],
    [{ CAMPUS_PROFILE: 'nowhere' }, 'CAMPUS_PROFILE'],
    [{ CAMPUS_PROFILE: '../config' }, 'CAMPUS_PROFILE'],
    [{ CAMPUS_PROFILE: 'mlps3', CAMPUS_JOURNAL_KEEP_DAYS: '179' }, 'CAMPUS_JOURNAL_KEEP_DAYS'],
    [{ CAMPUS_OUTSIDE_HOSTS: 'http://sms.example.cn/' }, 'CAMPUS_OUTSIDE_HOSTS'],
    [{ CAMPUS_OUTSIDE_ALLOW: '张老师' }, 'CAMPUS_OUTSIDE_ALLOW'],
    [{ CAMPUS_BRAND_LOGO: 'https://elsewhere.example/logo.svg' }, 'CAMPUS_BRAND_LOGO'],
    [{ CAMPUS_PROFILE: 'demo' }, 'CAMPUS_PROFILE'],
    [{ CAMPUS_ENV: 'pre', CAMPUS_PROFILE: 'demo' }, 'CAMPUS_PROFILE'],
    [{ CAMPUS_ENV: 'test', CAMPUS_HOST: '0.0.0.0' }, 'CAMPUS_HOST'],
    [{ CAMPUS_UNKNOWN: '1' }, 'CAMPUS_UNKNOWN'],
    [{ CAMPUS_TRUST_PROXY: 'true' }, 'CAMPUS_TRUST_PROXY'],
    [{ CAMPUS_TRUST_PROXY: '10.0.0.0/33' }, 'CAMPUS_TRUST_PROXY'],
    [{ CAMPUS_METRICS_ALLOW: 'loopback' }, 'CAMPUS_METRICS_ALLOW'],
    [{ CAMPUS_METRICS_ALLOW: '10.0.0.1/8/8' }, 'CAMPUS_METRICS_ALLOW'],
    [{ CAMPUS_MIN_FREE_MB: '-1' }, 'CAMPUS_MIN_FREE_MB'],
    [{ CAMPUS_BACKUP_AT: '24:00' }, 'CAMPUS_BACKUP_AT'],
    [{ CAMPUS_BACKUP_AT: '2:30' }, 'CAMPUS_BACKUP_AT'],
    [{ CAMPUS_BACKUP_AT: '02:30', CAMPUS_DATA_DIR: 'memory://' }, 'CAMPUS_BACKUP_AT'],
    [{ CAMPUS_BACKUP_KEEP: '0' }, 'CAMPUS_BACKUP_KEEP'],
    [{ CAMPUS_MQTT_URL: 'mqtt://broker.example.cn' }, 'CAMPUS_MQTT_URL'],
    [{ CAMPUS_MQTT_URL: 'https://a:b@broker.example.cn' }, 'CAMPUS_MQTT_URL'],
    [{ CAMPUS_MQTT_URL: 'mqtt://a:b@broker.example.cn', CAMPUS_DEMO_TERMINALS: '5' }, 'CAMPUS_DEMO_TERMINALS'],
    [{ CAMPUS_MQTT_URL: 'mqtt://a:b@broker.example.cn', CAMPUS_MQTT_TLS_CERT: 'a', CAMPUS_MQTT_TLS_KEY: 'b' }, 'CAMPUS_MQTT_TLS_CERT'],
    [{ CAMPUS_MQTT_TLS_CERT: '/etc/campus/crt.pem' }, 'CAMPUS_MQTT_TLS_KEY'],
    [{ CAMPUS_MQTT_HOOK_SECRET: 'short' }, 'CAMPUS_MQTT_HOOK_SECRET'],
    [{ CAMPUS_VF105_QR_KEY: 'short' }, 'CAMPUS_VF105_QR_KEY'],
  ])('10-A32 %j is refused, naming the setting', (env, name) => {
    expect(() => loadConfig(env)).toThrow(ConfigError)
    expect(() => loadConfig(env)).toThrow(name)
  })
})

describe('what may leave', () => {
  const rule = (CAMPUS_ENV: 'dev' | 'test' | 'pre' | 'prod') => ({ CAMPUS_ENV, CAMPUS_OUTSIDE_HOSTS: 'sms.example.cn, *.mail.example.cn,10.2.3.4', CAMPUS_OUTSIDE_ALLOW: '13900000001,@school.example,me@home.example' })
  test.each([
    ['sms.example.cn', true], ['SMS.example.cn.', true], ['evil-sms.example.cn', false], ['sms.example.cn.evil.test', false], ['a.mail.example.cn', true], ['mail.example.cn', false],
    ['10.2.3.4', true], ['127.0.0.1', false], ['localhost', false], ['169.254.169.254', false], ['[::1]', false],
  ])('of the host %s: %s, in every environment that others reach', (host, may) => {
    for (const stage of ['dev', 'pre', 'prod'] as const) expect(mayCallHost(rule(stage), host)).toBe(may)
  })
  test('nothing is called while the list is empty; the tests call their own machine', () => {
    expect(mayCallHost({ ...rule('prod'), CAMPUS_OUTSIDE_HOSTS: '' }, 'sms.example.cn')).toBe(false)
    expect(['127.0.0.1', 'localhost', '[::1]', '10.0.0.1'].map(host => mayCallHost(rule('test'), host))).toEqual([true, true, true, false])
  })
  test.each([['13900000001', true], ['13900000002', false], ['Me@home.example', true], ['you@home.example', false], ['any@school.example', true], ['x@other.school.example', false]])('pre writes to %s: %s; production to everybody', (address, may) => {
    expect([mayWriteTo(rule('pre'), address), mayWriteTo({ ...rule('pre'), CAMPUS_OUTSIDE_ALLOW: '' }, address), mayWriteTo(rule('prod'), address)]).toEqual([may, false, true])
  })
})

test('a build says its commit, whether files had been changed, or honestly that there was no git', () => {
  const built = { commit: '3f2a91c0d4e5aa', changed: false, sources: '0123456789abcdef', built_at: '2026-11-21T03:10:11.123Z' }
  expect([sayBuild(built), sayBuild({ ...built, changed: true }), sayBuild({ ...built, commit: null })]).toEqual(['3f2a91c0d4e5 2026-11-21T03:10Z', '3f2a91c0d4e5+ 2026-11-21T03:10Z', 'sources-0123456789ab 2026-11-21T03:10Z'])
})

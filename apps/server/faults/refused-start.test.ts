import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigError, loadConfig } from '@kit/server/config'
import { loadSecrets } from '@kit/server/secrets'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bootServer, openConfigured } from '../boot.ts'
import { freshDatabase, test_settings } from './client.ts'
import { endServer, startServer, tryStart } from './server-process.ts'
import type { ServerProcess } from './server-process.ts'

const patience_ms = 120_000
const secret_settings = ['TOKEN_KEY', 'DATA_KEY', 'ID_INDEX_KEY', 'SEAL_KEY', 'SM2_KEY'].map(name => `CAMPUS_SECRET_${name}`)

let data_dir: string
let good: Record<string, string>

beforeAll(async () => {
  data_dir = await mkdtemp(join(tmpdir(), 'campus-refused-'))
  const secrets = secret_settings.map(name => [name, createHash('sha256').update(`${name} of this test`).digest('hex')])
  good = { CAMPUS_ENV: 'prod', CAMPUS_PORT: '0', CAMPUS_MQTT_PORT: '0', CAMPUS_DATA_DIR: data_dir, CAMPUS_DURABLE: '0', CAMPUS_LOG_LEVEL: 'error', ...Object.fromEntries(secrets) }
})
afterAll(() => rm(data_dir, { recursive: true, force: true }))

/** One clear line that names the setting, and nothing of the inside. */
function expectRefusal(said: string, name: string): void {
  expect(said.trim().split('\n')).toHaveLength(1)
  expect(said).toContain(name)
  expect(said).not.toMatch(/\n\s+at /)
}

/** What keeps a server with exactly these settings from starting, seen in this process. @throws Error when nothing does */
async function refusalOf(env: Record<string, string>): Promise<Error> {
  const outcome = await (async () => bootServer({ config: loadConfig(env), env }))().then(running => running.close(), (error: unknown) => error)
  if (outcome instanceof Error) return outcome
  throw new Error('it would start')
}

test('10-A32 what refuses a start is the only line of the process, which ends with 2', async () => {
  const settings = { ...good, CAMPUS_SECRET_DATA_KEY: '' }
  const { message } = await refusalOf(settings)
  expect(await tryStart(settings)).toEqual({ code: 2, signal: null, said: `${message}\n` })
}, patience_ms)

describe('10-A32 a start is refused in one line that names the setting', () => {
  test.each<[string, Record<string, string>, string]>([
    ['a missing secret', { CAMPUS_SECRET_DATA_KEY: '' }, 'CAMPUS_SECRET_DATA_KEY'],
    ['a short secret', { CAMPUS_SECRET_TOKEN_KEY: 'abcdef0123456789' }, 'CAMPUS_SECRET_TOKEN_KEY'],
    ['a secret of zeros', { CAMPUS_SECRET_SEAL_KEY: '0'.repeat(64) }, 'CAMPUS_SECRET_SEAL_KEY'],
    ['a secret that counts', { CAMPUS_SECRET_SM2_KEY: Buffer.from(Array.from({ length: 32 }, (_, at) => at)).toString('hex') }, 'CAMPUS_SECRET_SM2_KEY'],
    ['the hash of a known word', { CAMPUS_SECRET_ID_INDEX_KEY: createHash('sha256').update('changeme').digest('hex') }, 'CAMPUS_SECRET_ID_INDEX_KEY'],
    ['the test environment for everybody', { CAMPUS_ENV: 'test', CAMPUS_HOST: '0.0.0.0' }, 'CAMPUS_HOST'],
    ['demo data in production', { CAMPUS_PROFILE: 'demo' }, 'CAMPUS_PROFILE'],
    ['a proxy that is no address', { CAMPUS_TRUST_PROXY: 'nginx' }, 'CAMPUS_TRUST_PROXY'],
    ['a figure list that is no address', { CAMPUS_METRICS_ALLOW: '10.0.0.0/99' }, 'CAMPUS_METRICS_ALLOW'],
    ['a setting nobody knows', { CAMPUS_COLOUR: 'red' }, 'CAMPUS_COLOUR'],
  ])('%s', async (_name, more, setting) => {
    const refusal = await refusalOf({ ...good, ...more })
    expect(refusal).toBeInstanceOf(ConfigError)
    expectRefusal(refusal.message, setting)
  })

  test('a short secret in the file', async () => {
    const file = join(data_dir, 'secrets-of-test.json')
    await writeFile(file, JSON.stringify({ token_key: 'short' }))
    const { CAMPUS_SECRET_TOKEN_KEY: _variable, ...others } = good
    expectRefusal((await refusalOf({ ...others, CAMPUS_SECRETS_FILE: file })).message, 'CAMPUS_SECRET_TOKEN_KEY: must be 64 hex digits')
  })
})

test.each(['dev', 'pre', 'prod'])('10-A32 %s refuses every key that stands in the source of these tests', stage => {
  const config = loadConfig({ CAMPUS_ENV: stage, CAMPUS_DATA_DIR: data_dir })
  for (const name of secret_settings) {
    expect(() => loadSecrets(config, { ...good, [name]: test_settings[name] }), name).toThrow(`${name}: is a publicly known value`)
    expect(loadSecrets(config, good)).toBeDefined()
  }
})

describe('what is in use', () => {
  let other: string
  let first: ServerProcess
  beforeAll(async () => {
    other = join(data_dir, 'other')
    const { snapshot } = await freshDatabase()
    for (const directory of [data_dir, other]) await (await openConfigured(loadConfig({ ...good, CAMPUS_DATA_DIR: directory }), snapshot)).close()
    first = await startServer(good)
  }, patience_ms)
  afterAll(() => endServer(first))

  test('a second server on the directory is refused and disturbs nothing of the first', async () => {
    await writeFile(join(data_dir, 'upload', 'on-its-way'), 'x')
    expectRefusal((await refusalOf(good)).message, `is in use by process ${first.pid}`)
    expect(await (await fetch(`${first.url}/readyz`)).json()).toEqual({ status: 'ok', failing: [] })
    await expect(rm(join(data_dir, 'upload', 'on-its-way'))).resolves.toBeUndefined()
  }, patience_ms)

  test('a port that is taken is named', async () => {
    const { port } = new URL(first.url)
    const { code, said } = await tryStart({ ...good, CAMPUS_DATA_DIR: other, CAMPUS_PORT: port })
    expect(code).toBe(1)
    expectRefusal(said, port)
  }, patience_ms)
})

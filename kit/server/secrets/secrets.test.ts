import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { loadConfig } from '../config/index.ts'
import { loadSecrets, secret_names } from './index.ts'

const folder = mkdtempSync(join(tmpdir(), 'campus-secrets-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const good = () => Object.fromEntries(secret_names.map(name => [`CAMPUS_SECRET_${name.toUpperCase()}`, randomBytes(32).toString('hex')]))
const prod = loadConfig({ CAMPUS_DATA_DIR: join(folder, 'prod') })

describe('secrets', () => {
  test('a development machine makes its own, readable by its owner only, and keeps them', () => {
    const dev = loadConfig({ CAMPUS_ENV: 'dev', CAMPUS_DATA_DIR: join(folder, 'dev') })
    const first = loadSecrets(dev, {})
    expect(loadSecrets(dev, {})).toEqual(first)
    expect(statSync(join(folder, 'dev', 'secrets.json')).mode & 0o777).toBe(0o600)
  })
  test('production takes them from variables', () => {
    expect(loadSecrets(prod, good()).token_key).toHaveLength(32)
  })
  test.each([
    ['missing', undefined],
    ['short', 'abcd'],
    ['no hex', 'z'.repeat(64)],
    ['zeros', '0'.repeat(64)],
    ['a counting run', Buffer.from(Array.from({ length: 32 }, (_, i) => i)).toString('hex')],
    ['the hash of a well-known word', createHash('sha256').update('changeme').digest('hex')],
  ])('10-A32 production refuses a secret that is %s, naming it', (_fault, value) => {
    expect(() => loadSecrets(prod, { ...good(), CAMPUS_SECRET_DATA_KEY: value })).toThrow('CAMPUS_SECRET_DATA_KEY')
  })
})

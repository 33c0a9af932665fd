import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { loadConfig } from '../config/index.ts'
import { loadSecrets, secret_names } from './index.ts'
import { isPubliclyKnown } from './known.ts'

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
    ['a run backwards', Buffer.from(Array.from({ length: 32 }, (_, i) => 200 - i)).toString('hex')],
    ['the hash of a well-known word', createHash('sha256').update('changeme').digest('hex')],
    ['text of a keyboard', Buffer.from('Smart-Campus-2026-secret-key-32b').toString('hex')],
    ['filled up with a piece', '00112233445566778899aabbccddeeff'.repeat(2)],
    ['a sample of a standard', '3945208F7B2144B13F36E38AC6D39F95889393692860B51A42FB81EF4DF7C5B8'],
  ])('10-A32 production refuses a secret that is %s, naming it', (_fault, value) => {
    expect(() => loadSecrets(prod, { ...good(), CAMPUS_SECRET_DATA_KEY: value })).toThrow('CAMPUS_SECRET_DATA_KEY')
  })
  test('a thousand random keys are none of these', () => {
    expect(Array.from({ length: 1000 }, () => randomBytes(32)).filter(isPubliclyKnown)).toEqual([])
  })
  test.each(['', '{"token_key": "ab', '[1]'])('a file that is damaged is named: %j', text => {
    const file = join(folder, 'damaged.json')
    writeFileSync(file, text)
    expect(() => loadSecrets({ ...prod, CAMPUS_SECRETS_FILE: file }, {})).toThrow(`${file} is damaged: put back the copy`)
  })
  test('10-A32 what stands in the file is judged like a variable', () => {
    const file = join(folder, 'written.json')
    writeFileSync(file, JSON.stringify({ ...Object.fromEntries(secret_names.map(name => [name, randomBytes(32).toString('hex')])), seal_key: 'short' }))
    expect(() => loadSecrets({ ...prod, CAMPUS_SECRETS_FILE: file }, {})).toThrow('CAMPUS_SECRET_SEAL_KEY: must be 64 hex digits')
  })
})

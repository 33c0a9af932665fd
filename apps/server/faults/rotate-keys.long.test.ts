import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkSealedNumbers } from '@campus/people/server'
import { loadConfig } from '@kit/server/config'
import { loadSecrets } from '@kit/server/secrets'
import type { Secrets } from '@kit/server/secrets'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openConfigured } from '../boot.ts'
import { runHere } from './cli-process.ts'
import { test_settings } from './client.ts'
import { makePostgres } from './postgres-cluster.ts'
import type { FaultyPostgres } from './postgres-cluster.ts'
import { prepareSuper, school_id } from './prepared-people.ts'
import { processEnv } from './process-env.ts'

const patience_ms = 240_000
/** One piece is 500. */
const pupils = 600
const cli = join(import.meta.dirname, '../dist/cli.js')

describe.each(['embedded', 'postgres'] as const)('rotate-keys on %s', engine => {
  let home: string
  let postgres: FaultyPostgres | undefined
  let settings: Record<string, string>

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'campus-rotate-'))
    postgres = engine === 'postgres' ? await makePostgres() : undefined
    const data_dir = join(home, 'data')
    await mkdir(data_dir)
    await prepareSuper(0, { ...postgres?.settings, CAMPUS_DATA_DIR: data_dir }, pupils)
    const named = Object.entries(test_settings).flatMap(([name, text]) => (name.startsWith('CAMPUS_SECRET_') ? [[name.slice('CAMPUS_SECRET_'.length).toLowerCase(), text]] : []))
    await writeFile(join(data_dir, 'secrets.json'), JSON.stringify(Object.fromEntries(named)))
    const { CAMPUS_ENV = '', CAMPUS_PORT = '', CAMPUS_LOG_LEVEL = '' } = test_settings
    settings = { CAMPUS_ENV, CAMPUS_PORT, CAMPUS_LOG_LEVEL, CAMPUS_DURABLE: '1', ...postgres?.settings, CAMPUS_DATA_DIR: data_dir }
  }, patience_ms)
  afterAll(async () => {
    await postgres?.remove()
    await rm(home, { recursive: true, force: true })
  })

  const file = () => join(settings.CAMPUS_DATA_DIR ?? '', 'secrets.json')
  const kept = async (): Promise<Record<string, string>> => JSON.parse(await readFile(file(), 'utf8'))
  const secretsNow = () => loadSecrets(loadConfig(settings), settings)
  const withoutFormer = async () => {
    const text = await kept()
    return Object.fromEntries(Object.entries(text).filter(([name]) => !name.endsWith('_former')).map(([name, key]) => [`CAMPUS_SECRET_${name.toUpperCase()}`, key]))
  }
  /** What each of these sets of secrets opens. */
  const numbers = (...held: Secrets[]) => openNow(async database => {
    const found = []
    for (const secrets of held) found.push(await database.tenant(school_id, db => checkSealedNumbers(db, secrets, school_id, false)))
    return found
  })
  async function openNow<R>(fn: (database: Awaited<ReturnType<typeof openConfigured>>) => Promise<R>): Promise<R> {
    const database = await openConfigured(loadConfig(settings))
    return fn(database).finally(() => database.close())
  }

  test('data_key: a kill -9 in the middle loses nothing; the same command goes on where it was, and the former key is no longer needed by any number', async () => {
    const before = await kept()
    const child = spawn(process.execPath, [cli, 'rotate-keys', 'data_key'], { env: { ...processEnv(), ...settings }, stdio: ['ignore', 'pipe', 'inherit'] })
    let said = ''
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      said += part
      if (/people\.id_no of school \d+: 500$/m.test(said)) child.kill('SIGKILL')
    })
    await once(child, 'close')
    expect(child.signalCode).toBe('SIGKILL')
    const between = await kept()
    expect([between.data_key === before.data_key, between.data_key_former]).toEqual([false, before.data_key])
    // Half of them under the one key, half under the other: both open.
    const whole = { numbers: pupils, misplaced: 0, closed: 0 }
    const alone = loadSecrets(loadConfig(settings), { ...settings, ...(await withoutFormer()) })
    const [with_both, with_new] = await numbers(secretsNow(), alone)
    expect(with_both).toEqual(whole)
    expect(with_new?.closed).toBeGreaterThan(0)

    const again = await runHere(['rotate-keys', 'data_key'], settings)
    expect(again).toMatch(new RegExp(`people\\.id_no of school ${school_id}: ${pupils}, done$`, 'm'))
    expect(again).not.toMatch(/people\.id_no of school \d+: 500$/m)
    expect(await kept()).toEqual(between)
    expect(await numbers(alone)).toEqual([whole])
  }, patience_ms)
})

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sealDue, verifySchool, writeOperation } from '@campus/audit/server'
import { checkSealedNumbers, createDepts, enrolStudents } from '@campus/people/server'
import { loadConfig } from '@kit/server/config'
import { describeCatalogue } from '@kit/server/db'
import type { App } from '@kit/server/http'
import { loadSecrets, makeSecretsFile, openText, sealedPort, sealText, secret_names } from '@kit/server/secrets'
import type { SecretName, Secrets } from '@kit/server/secrets'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, test_schools } from '../testing/index.ts'
import type { TestApp } from '../testing/index.ts'
import { forgetFormer, refuseOutdated, rotateKey } from './rotation.ts'

const school_id = test_schools.a
const numbers = ['370200202005120019', '370200202005120027']
const purpose = `messages.secret:${school_id}:3`
const day_ms = 86_400_000

let home: string
let file: string
let app: TestApp
let env: Record<string, string>
let lines: string[] = []

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'campus-rotation-'))
  file = join(home, 'secrets.json')
  makeSecretsFile(file)
  env = { CAMPUS_ENV: 'test', CAMPUS_SECRETS_FILE: file, ...Object.fromEntries(secret_names.map(name => [`CAMPUS_SECRET_${name.toUpperCase()}`, ''])) }
  app = await startTestApp({ settings: env })
  const { database, app: product } = app.running
  await database.tenant<unknown, void>(school_id, async db => {
    const depts = await createDepts(db.withTables(), school_id, [{ key: 'class', parent: null, dept_name: '1班', dept_type: 4, class_no: 1, tree: 'student', stage: '1', grade: '11', enrol_year: 2026 }], '2026-09-01')
    await enrolStudents(db.withTables(), product.secrets, school_id, numbers.map((id_no, at) => ({ user_name: `学生${at}`, student_no: `S${at}`, enrol_month: '202609', from: '2026-09-01', dept_id: depts.get('class') ?? '', id_type: '1', id_no })))
    const secret_enc = sealText(product.secrets.data_key, purpose, 'provider-secret')
    await sql`insert into message_channel (school_id, channel, adapter, settings, secret_enc, day_limit, person_day_limit, quiet_from, quiet_to, enabled) values (${school_id}, 3, 'sms_http', '{}', ${secret_enc}, 100, 10, '22:00', '07:00', true)`.execute(db)
  })
})
afterAll(async () => {
  await app.close()
  await rm(home, { recursive: true, force: true })
})

const kept = async (): Promise<Record<string, string>> => JSON.parse(await readFile(file, 'utf8'))
const secretsNow = () => loadSecrets(loadConfig(env), env)
const appNow = (): App => ({ ...app.running.app, secrets: secretsNow() })
/** The keys of today alone, as they are once the former ones were given up. */
const alone = (): Secrets => {
  const secrets = secretsNow()
  return { ...secrets, data_key: Buffer.from(secrets.data_key), id_index_key: Buffer.from(secrets.id_index_key) }
}
const desk = (now = new Date()) => {
  const product = appNow()
  // The ports belong to the app that was composed.
  for (const part of sealedPort.all(app.running.app)) sealedPort.fill(product, part)
  return { app: product, database: app.running.database, config: loadConfig(env), env, now, told: (line: string) => void lines.push(line) }
}
const rotate = (name: SecretName) => {
  lines = []
  return rotateKey(desk(), name)
}
const count = (secrets: Secrets) => app.running.database.tenant(school_id, db => checkSealedNumbers(db, secrets, school_id, false))
const channelSecret = async (secrets: Secrets) => {
  const { rows } = await app.running.database.tenant(school_id, db => sql<{ secret_enc: Buffer }>`select secret_enc from message_channel where school_id = ${school_id} and channel = 3`.execute(db))
  return openText(secrets.data_key, purpose, rows[0]?.secret_enc ?? Buffer.alloc(0))
}

test('every sealed column of every table is told to the exchange of keys', async () => {
  const tables = await app.running.database.tenant(0, db => describeCatalogue(db), { read_only: true })
  const parts = sealedPort.all(app.running.app)
  const sealed = tables.flatMap(table => (table.is_view || table.partition_of !== null ? [] : table.columns.filter(column => /_enc$|^secret_ref$|^sealed_key$/.test(column.name)).map(column => `${table.name}.${column.name}`)))
  const told = new Set(parts.flatMap(part => part.columns.map(column => `${part.table}.${column}`)))
  // Nothing writes recognition passwords yet; vectors of faces lie under the key of their school, which is carried itself.
  const others = ['person.recog_pwd_enc', 'face_template.vector_enc']
  expect(sealed.filter(name => !told.has(name) && !others.includes(name))).toEqual([])
  for (const part of parts) {
    const table = tables.find(({ name }) => name === part.table)
    expect(table?.primary_key, part.name).toEqual(['school_id', ...part.ids.map(([column]) => column)])
  }
})

describe('data_key', () => {
  test('everything sealed opens with the new key alone; it is done once', async () => {
    const before = await kept()
    await rotate('data_key')
    expect(lines).toEqual(expect.arrayContaining([`people.id_no of school ${school_id}: 2, done`, `messages.channel_secret of school ${school_id}: 1, done`]))
    const after = await kept()
    expect([after.data_key === before.data_key, after.data_key_former]).toEqual([false, before.data_key])
    expect(await count(alone())).toEqual({ numbers: 2, misplaced: 0, closed: 0 })
    expect(await channelSecret(alone())).toBe('provider-secret')
  })

  test('the former key is given up when nothing can be taken back from it any more, or at once if it must be', async () => {
    await expect(forgetFormer(desk(), 'data_key', false)).rejects.toThrow('run this again from')
    await expect(forgetFormer(desk(), 'id_index_key', false)).rejects.toThrow('id_index_key has no former key')
    await forgetFormer(desk(new Date(Date.now() + 32 * day_ms)), 'data_key', false)
    expect((await kept()).data_key_former).toBeUndefined()
    expect(await channelSecret(secretsNow())).toBe('provider-secret')
  })

  test('whoever comes with the key of before is refused; another exchange goes on from the present one', async () => {
    const { database } = app.running
    await expect(refuseOutdated({ app: app.running.app, database })).rejects.toThrow(/^data_key was exchanged on \d{4}-\d\d-\d\d/)
    await rotate('data_key')
    expect(await count(alone())).toEqual({ numbers: 2, misplaced: 0, closed: 0 })
    await expect(refuseOutdated({ app: appNow(), database })).resolves.toBeUndefined()
  })

  test('a key that a variable holds is exchanged by its owner', async () => {
    const variable = { ...env, CAMPUS_SECRET_DATA_KEY: (await kept()).data_key ?? '' }
    const product = { ...appNow(), secrets: loadSecrets(loadConfig(variable), variable) }
    await expect(rotateKey({ ...desk(), app: product, env: variable }, 'data_key')).rejects.toThrow('CAMPUS_SECRET_DATA_KEY holds the key: put it into CAMPUS_SECRET_DATA_KEY_FORMER')
  })
})

test('id_index_key: everybody is found by the new index', async () => {
  const former = await count(secretsNow())
  await rotate('id_index_key')
  expect([former, await count(alone())]).toEqual([{ numbers: 2, misplaced: 0, closed: 0 }, { numbers: 2, misplaced: 0, closed: 0 }])
})

test('seal_key: the chain of the journals goes on, whole before and after; the seals of then are proved by the key of now', async () => {
  const { database } = app.running
  const write = (at: Date) => database.tenant<unknown, void>(school_id, db =>
    writeOperation(db, school_id, { request: { request_id: '5b0f8f3a-8f6e-4d5b-9a55-0d5b0c6f7a11', ip: '10.0.0.1', device_label: '', client: 'web' }, op_type: 4, call: 'people.dept.update', ok: true, code: 600, msg: '', duration_ms: 1, happened_at: at }))
  const seal = async (minutes: number) => {
    await write(new Date(app.clock.now().getTime() + minutes * 60_000))
    return sealDue({ app: { ...appNow(), clock: { now: () => new Date(app.clock.now().getTime() + (minutes + 10) * 60_000) } }, database })
  }
  await seal(0)
  const before = await kept()
  await rotate('seal_key')
  await seal(20)
  const after = await kept()
  expect([after.seal_key === before.seal_key, after.seal_key_former]).toEqual([false, undefined])
  const reports = await verifySchool({ database, secrets: secretsNow(), now: new Date(app.clock.now().getTime() + 3_600_000), keep_days: 1096 }, school_id)
  expect(reports.map(({ table, seals, findings }) => [table, seals, findings])).toEqual([['operation_log', 2, []], ['archive_log', expect.any(Number), []]])
})

test.each(['token_key', 'sm2_key'] as const)('%s: a new one takes its place, and nothing of the former is kept', async name => {
  const before = await kept()
  await rotate(name)
  const after = await kept()
  expect([after[name] === before[name], after[`${name}_former`]]).toEqual([false, undefined])
})

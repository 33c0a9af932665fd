import { randomBytes } from 'node:crypto'
import { loginApi } from '@campus/identity/contract'
import { personApi, studentApi, studentFileApi } from '@campus/people/contract'
import { encryptField } from '@kit/contract/sm2'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { runHere } from './cli-process.ts'
import { dataOf, sendOnce as send, test_settings } from './client.ts'
import { freshDatabase } from '../testing/database.ts'
import type { TestDatabase } from '../testing/database.ts'
import { openServer } from './opened-server.ts'
import type { OpenedServer } from './opened-server.ts'
import { prepareSuper, superuser } from './prepared-people.ts'
import type { PreparedSuper } from './prepared-people.ts'

const patience_ms = 240_000
const { username, password } = superuser
const captcha = '2222'

let own: TestDatabase
let base: PreparedSuper
let server: OpenedServer | undefined

beforeAll(async () => {
  own = await freshDatabase()
  const { CAMPUS_DATA_DIR: _memory, ...address } = own.settings
  base = await prepareSuper(0, address)
}, patience_ms)
afterEach(stop)
afterAll(async () => {
  await base?.remove()
  await own?.drop()
})

async function stop(): Promise<void> {
  await server?.close()
  server = undefined
}

function withNew(...names: string[]): Record<string, string> {
  return { ...base.settings, CAMPUS_LOG_LEVEL: 'fatal', ...Object.fromEntries(names.map(name => [`CAMPUS_SECRET_${name}`, randomBytes(32).toString('hex')])) }
}

async function signIn(tried = password): Promise<number> {
  const url = server?.url ?? ''
  const { key, public_key, key_id } = dataOf(loginApi.captcha, await send(url, loginApi.captcha, {}))
  const seal = (text: string) => encryptField(text, key, public_key, key_id)
  return (await send(url, loginApi.check, { username: seal(username), password: seal(tried), cap_key: key, cap_value: captcha })).body.code
}

async function roll(query: { keyword?: string; missing?: 'id_no' } = {}) {
  return dataOf(studentApi.list, await send(server?.url ?? '', studentApi.list, query, { token: base.token }))
}

function reveal(user_id: string) {
  return send(server?.url ?? '', personApi.reveal, { user_id, fields: ['id_no'], reason: '核对' }, { token: base.token })
}

/** A pupil of the demo school whose number can be read, and the number. */
async function knownPupil(): Promise<{ user_id: string; id_no: string }> {
  const user_id = (await roll()).list.find(row => row.id_no !== null)?.user_id ?? ''
  return { user_id, id_no: dataOf(personApi.reveal, await reveal(user_id)).values.id_no ?? '' }
}

describe('a lost key', () => {
  test('token_key: everybody signs in again, and can', async () => {
    server = await openServer(withNew('TOKEN_KEY'))
    expect((await send(server.url, studentApi.list, {}, { token: base.token })).status).toBe(401)
    expect(await signIn()).toBe(600)
  }, patience_ms)

  test('sm2_key and seal_key: signing in and reading go on at once', async () => {
    server = await openServer(withNew('SM2_KEY', 'SEAL_KEY'))
    expect(await signIn()).toBe(600)
    const { id_no } = await knownPupil()
    expect(id_no).toMatch(/^\d{17}[\dX]$/)
  }, patience_ms)

  test('id_index_key: nobody is found by an identity number until check-sealed --repair has made the index anew', async () => {
    server = await openServer(base.settings)
    const { user_id, id_no } = await knownPupil()
    await stop()
    const changed = withNew('ID_INDEX_KEY')
    server = await openServer(changed)
    expect((await roll({ keyword: id_no })).total).toBe(0)
    expect(dataOf(personApi.reveal, await reveal(user_id)).values.id_no).toBe(id_no)
    await stop()
    await runHere(['check-sealed', '--repair'], { ...test_settings, ...changed })
    server = await openServer(changed)
    expect((await roll({ keyword: id_no })).list.map(row => row.user_id)).toEqual([user_id])
    await stop()
    await runHere(['check-sealed', '--repair'], { ...test_settings, ...base.settings })
  }, patience_ms)

  test('data_key: identity numbers are gone; after check-sealed --repair their pupils are listed as missing one', async () => {
    const changed = withNew('DATA_KEY')
    server = await openServer(changed)
    const before = await roll()
    const missing = (await roll({ missing: 'id_no' })).total
    const { user_id = '', row_version = 0 } = before.list.find(row => row.id_no !== null) ?? {}
    const edit = await send(server.url, studentFileApi.update, { user_id, row_version, remark: '核对' }, { token: base.token })
    expect([(await reveal(user_id)).status, edit.status]).toEqual([500, 500])
    await stop()
    await runHere(['check-sealed', '--repair'], { ...test_settings, ...changed })
    server = await openServer(changed)
    expect([missing, before.total]).toEqual([0, 3])
    expect((await roll({ missing: 'id_no' })).total).toBe(before.total)
    expect(dataOf(personApi.reveal, await reveal(user_id)).values.id_no).toBeNull()
  }, patience_ms)
})

describe('a super account whose password is lost', () => {
  async function reset(name: string): Promise<string> {
    const said = await runHere(['reset-admin-password', name], { ...test_settings, ...base.settings })
    return /: (\S+)\n$/.exec(said)?.[1] ?? ''
  }

  test('gets a one-time password from the command; the old one is dead, a locked account is open', async () => {
    server = await openServer(base.settings)
    for (let guess = 0; guess < 12; guess += 1) await signIn('Wrong@Pass1')
    expect(await signIn()).not.toBe(600)
    await stop()
    const given = await reset(username)
    server = await openServer(base.settings)
    expect(await signIn(given)).toBe(6005)
    expect(await signIn()).not.toBe(600)
  }, patience_ms)

  test('is named when another account was meant', async () => {
    await expect(reset('nobody')).rejects.toThrow('nobody is no super account; there are: superadmin')
  }, patience_ms)
})

import { loginApi } from '@campus/identity/contract'
import { preferenceApi } from '@campus/school/contract'
import { encryptField } from '@kit/contract/sm2'
import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { dataOf, startTestApp, test_schools } from '../testing/index.ts'
import type { TestApp } from '../testing/index.ts'

const school_id = test_schools.a
const spoofed = '203.0.113.77'
/** Every header by which proxies name a caller. */
const names = (address: string) => ({ 'x-forwarded-for': address, 'x-real-ip': address, 'true-client-ip': address, 'cf-connecting-ip': address, forwarded: `for=${address}` })

let app: TestApp
afterEach(() => app.close())

/** Addresses that the log has of one person's calls. */
async function logged(user_id: string): Promise<string[]> {
  const { rows } = await app.running.database.tenant<unknown, { rows: { ip: string }[] }>(school_id, db =>
    sql<{ ip: string }>`select distinct ip from operation_log where school_id = ${school_id} and user_id = ${user_id}`.execute(db),
  )
  return rows.map(({ ip }) => ip)
}

test.each([
  ['nobody', {}, '127.0.0.1'],
  ['another proxy', { CAMPUS_TRUST_PROXY: '10.1.2.3' }, '127.0.0.1'],
  ['this proxy', { CAMPUS_TRUST_PROXY: '127.0.0.1' }, spoofed],
])('what a caller says of his address goes into the log where %s is trusted: %o', async (_name, settings, kept) => {
  app = await startTestApp({ settings })
  const { token, user_id } = await app.as({ school_id, codes: 'all' })
  expect((await app.call(preferenceApi.save, { pref_key: 'quick_navs', value: ['/'] }, { token, headers: names(spoofed) })).status).toBe(200)
  expect(await logged(user_id)).toEqual([kept])
})

test('wrong passwords of one caller are his, whatever address he makes up', async () => {
  app = await startTestApp({ settings: { CAMPUS_LOGIN_FAILS_PER_MINUTE: '3' } })
  app.clock.advance(60_000 - (app.clock.now().getTime() % 60_000))
  const guess = async (number: number) => {
    const { key, public_key, key_id } = dataOf(loginApi.captcha, await app.call(loginApi.captcha, { type: 'login' }))
    const seal = (text: string) => encryptField(text, key, public_key, key_id)
    const body = { username: seal(`nobody${number}`), password: seal('Wrong#Pass1'), cap_key: key, cap_value: '2222' }
    return (await app.call(loginApi.check, body, { headers: names(`203.0.113.${number}`) })).status
  }
  const seen: number[] = []
  for (let number = 1; number <= 5; number += 1) seen.push(await guess(number))
  expect(seen).toEqual([422, 422, 422, 429, 429])
})

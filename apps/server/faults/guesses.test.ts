import { loginApi } from '@campus/identity/contract'
import { encryptField } from '@kit/contract/sm2'
import type { Database } from '@kit/server/db'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dataOf, send } from './client.ts'
import type { Answer } from './client.ts'
import { look } from './kept-rows.ts'
import { makePostgres } from './postgres-cluster.ts'
import type { FaultyPostgres } from './postgres-cluster.ts'
import { prepareSchool } from './prepared-school.ts'
import type { Prepared } from './prepared-school.ts'
import { endServer, startServer } from './server-process.ts'
import type { ServerProcess } from './server-process.ts'

const patience_ms = 240_000
const account = 'admin01'
const neighbour = 'duo01'
const right = 'Demo@Pass26'
const captcha_of_tests = '2222'
const tries = 5
const guesses = 100
const refused = [422, '用户名或密码错误，连续输错5次将锁定10分钟']

let postgres: FaultyPostgres
let school: Prepared
const nodes: ServerProcess[] = []

beforeAll(async () => {
  postgres = await makePostgres()
  school = await prepareSchool(postgres.settings)
  nodes.push(...(await Promise.all([startServer(school.settings), startServer(school.settings)])))
}, patience_ms)

afterAll(async () => {
  for (const node of nodes) await endServer(node)
  await postgres?.remove()
  await school?.remove()
})

/** A login as the page sends it, at one of the two servers. */
async function login(number: number, username: string, password: string): Promise<Answer> {
  const url = nodes[number % nodes.length]?.url ?? ''
  const { key, public_key, key_id } = dataOf(loginApi.captcha, await send(url, loginApi.captcha, {}))
  const seal = (text: string) => encryptField(text, key, public_key, key_id)
  return send(url, loginApi.check, { username: seal(username), password: seal(password), cap_key: key, cap_value: captcha_of_tests })
}

const seen = ({ status, body }: Answer) => [status, body.msg]

test('10-A4 the right password in the middle of the last tries counts: five wrong ones lock, at two servers alike', async () => {
  expect((await login(0, account, right)).body.code).toBe(600)
  for (let number = 0; number < tries - 1; number += 1) expect(seen(await login(number, account, 'Wrong#Pass1'))).toEqual(refused)
  expect((await login(1, account, right)).body.code).toBe(600)
}, patience_ms)

test('10-A4 of 100 parallel guesses at two servers at most five are evaluated, then the right one is refused too', async () => {
  const answers = await Promise.all(Array.from({ length: guesses }, (_, number) => login(number, account, `Wrong#Pass${number}`)))
  expect(new Set(answers.map(answer => JSON.stringify(seen(answer))))).toEqual(new Set([JSON.stringify(refused)]))
  expect(await look(school.settings, evaluated)).toBe(tries)
  const late = await Promise.all(Array.from({ length: nodes.length * 5 }, (_, number) => login(number, account, right)))
  expect(late.map(seen)).toEqual(late.map(() => refused))
  expect((await login(0, neighbour, right)).body.code).toBe(600)
  expect((await login(1, neighbour, right)).body.code).toBe(600)
}, patience_ms)

/** Attempts that were let through to the hash, on the one locked account. */
async function evaluated(database: Database): Promise<number> {
  const { rows } = await database.tenant<unknown, { rows: { fails: number }[] }>(0, db =>
    sql<{ fails: number }>`select fails from login_throttle where subject_kind = 'account' and locked_until > now()`.execute(db),
  )
  expect(rows).toHaveLength(1)
  return rows[0]?.fails ?? 0
}

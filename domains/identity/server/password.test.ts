import { startTestApp, test_schools } from '@apps/server/testing'
import type { Answer, TestApp } from '@apps/server/testing'
import { loginApi, sessionApi } from '@campus/identity/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cookieOf, loggedIn, login, loginBody, sealed, signedIn, ticketOf } from './testing/console-client.ts'
import { makePerson, own } from './testing/person.ts'
import type { TestPerson } from './testing/person.ts'
import { spendRecheck } from './ticket.queries.ts'
import { dataOf } from '@apps/server/testing'

const { a, b } = test_schools
let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const seen = ({ status, body }: Answer) => [status, body.code, body.msg]
const done = [200, 600, '操作成功']

async function force(code: string, password: string): Promise<Answer> {
  const { cap_key, texts } = await sealed(app, 'nonce', [password])
  return app.call(loginApi.forcedPassword, { pwd: texts[0] ?? '', code, cap_key })
}

async function change(person: TestPerson, token: string, to: string, from = person.password, user_id = person.user_id): Promise<Answer> {
  const { cap_key, texts } = await sealed(app, 'nonce', [from, to])
  return app.call(sessionApi.modifyPassword, { old_pass: texts[0] ?? '', new_pass: texts[1] ?? '', user_id, cap_key }, { token })
}

describe('after a right password', () => {
  test('10-A6 a given password must be changed first (6005); a wrong one says nothing of it', async () => {
    for (const pwd_state of [2, 3] as const) {
      const person = await makePerson(app, { roles: [{ school_id: a }], pwd_state })
      const answer = await login(app, person)
      expect(seen(answer)).toEqual([200, 6005, '您正在使用初始密码，请修改密码后登录'])
      expect(ticketOf(answer).have_more_school).toBe(a)
      expect((await login(app, { ...person, password: 'wrong-one' })).body.code).toBe(422)
      expect(seen(await force(ticketOf(answer).token, 'Hn5$kLw9zX'))).toEqual(done)
      expect((await login(app, person)).body.code).toBe(422)
      expect((await login(app, { ...person, password: 'Hn5$kLw9zX' })).body.code).toBe(600)
    }
  })

  test('10-A6 a password that is too old or below the rule must be renewed (6006)', async () => {
    const weak = await makePerson(app, { roles: [{ school_id: a }], password: 'qwpz7781' })
    const answer = await login(app, weak)
    expect(seen(answer)).toEqual([200, 6006, '您的密码已过期或不符合安全要求，请修改密码后登录'])
    expect(seen(await force(ticketOf(answer).token, 'Hn5$kLw9zX'))).toEqual(done)
    const old = await makePerson(app, { roles: [{ school_id: b }] })
    await own(app.running.database, b, db => db.updateTable('password_set').set({ valid_days: 30 }).where('school_id', '=', b).execute())
    expect((await login(app, old)).body.code).toBe(600)
    app.clock.advance(31 * 86_400_000)
    expect((await login(app, old)).body.code).toBe(6006)
    await own(app.running.database, b, db => db.updateTable('password_set').set({ valid_days: 0 }).where('school_id', '=', b).execute())
  })

  test('10-A6 a flagged account is told so and gets no ticket (6007)', async () => {
    const person = await makePerson(app, { roles: [{ school_id: a }], pwd_state: 2 })
    await own(app.running.database, 0, db => db.updateTable('account').set({ vuln_reason: 'weak' }).where('user_id', '=', person.user_id).execute())
    const answer = await login(app, person)
    expect([...seen(answer), answer.body.data]).toEqual([200, 6007, '账号存在漏洞，请联系超级管理员重置密码后登录。', null])
    expect((await login(app, { ...person, password: 'wrong-one' })).body.code).toBe(422)
  })

  test('10-P5 a new password contains neither the school’s name in pinyin nor its initials', async () => {
    const person = await makePerson(app, { roles: [{ school_id: b }], pwd_state: 2 })
    const { token } = ticketOf(await login(app, person))
    for (const simple of ['CeShiErXiao#7', 'xCsex2026!']) expect(seen(await force(token, simple)), simple).toEqual([422, 422, '密码过于简单，请更换'])
    expect(seen(await force(token, 'Hn5$kLw9zX'))).toEqual(done)
  })

  test('the ticket for a new password has five tries and one success', async () => {
    const person = await makePerson(app, { roles: [{ school_id: a }], pwd_state: 2 })
    const { token } = ticketOf(await login(app, person))
    expect((await force('made-up', 'Hn5$kLw9zX')).status).toBe(401)
    for (const wrong of ['short', 'onlyletters', 'Password123', `Aa1${person.username}`]) expect((await force(token, wrong)).status).toBe(422)
    expect(seen(await force(token, 'Hn5$kLw9zX'))).toEqual(done)
    expect((await force(token, 'Vb6$kLw9zX')).status).toBe(401)
    const other = await makePerson(app, { roles: [{ school_id: a }], pwd_state: 2 })
    const tired = ticketOf(await login(app, other)).token
    for (let at = 0; at < 5; at += 1) expect((await force(tired, 'short')).status).toBe(422)
    expect((await force(tired, 'Hn5$kLw9zX')).status).toBe(401)
  })
})

describe('the own password', () => {
  test('10-A7 forty signs work, and raise the login form of the person\'s school and of the root alone', async () => {
    const long = `Zk7#${'qWpLtRvBnMxC'.repeat(3)}`
    const person = await makePerson(app, { roles: [{ school_id: a }] })
    const { token } = await signedIn(app, person)
    const maxOf = async (school_id?: number) => dataOf(loginApi.passwordSet, await app.call(loginApi.passwordSet, { school_id })).login_max
    expect([await maxOf(a), await maxOf(b), await maxOf()]).toEqual([20, 20, 20])
    expect(long).toHaveLength(40)
    expect(seen(await change(person, token, long))).toEqual(done)
    expect((await login(app, { ...person, password: long })).body.code).toBe(600)
    expect([await maxOf(a), await maxOf(b), await maxOf()]).toEqual([64, 20, 64])
  })

  test('a change ends all other sessions and keeps the calling one', async () => {
    const person = await makePerson(app, { roles: [{ school_id: a }, { school_id: b }] })
    const first = await signedIn(app, person)
    const second = await signedIn(app, person)
    expect(seen(await change(person, first.token, 'Hn5$kLw9zX'))).toEqual(done)
    expect((await app.call(sessionApi.mine, {}, { token: second.token })).status).toBe(401)
    expect((await app.call(sessionApi.mine, {}, { token: first.token })).status).toBe(200)
  })

  test('a wrong old one, another person\'s id and an earlier password are refused', async () => {
    const person = await makePerson(app, { roles: [{ school_id: a }] })
    const { token } = await signedIn(app, person)
    expect(seen(await change(person, token, 'Hn5$kLw9zX', 'wrong-one'))).toEqual([422, 422, '旧密码错误'])
    expect((await change(person, token, 'Hn5$kLw9zX', person.password, '1')).status).toBe(403)
    expect(seen(await change(person, token, person.password))).toEqual([422, 422, '不能与最近使用过的密码相同'])
    expect(seen(await change(person, token, 'Hn5$kLw9zX'))).toEqual(done)
    expect(seen(await change(person, token, person.password, 'Hn5$kLw9zX'))).toEqual([422, 422, '不能与最近使用过的密码相同'])
  })

  test('strong schools ask for small, capital and digit', async () => {
    await app.running.database.tenant<{ school_config: { school_id: number; is_password_strong: number } }, unknown>(b, db =>
      db.updateTable('school_config').set({ is_password_strong: 1 }).where('school_id', '=', b).execute(),
    )
    const person = await makePerson(app, { roles: [{ school_id: a }, { school_id: b }], pwd_state: 2 })
    const { token, have_more_school } = ticketOf(await login(app, person))
    expect(have_more_school).toBe(b)
    expect(seen(await force(token, 'hn5$klw9zx'))).toEqual([422, 422, '密码格式不正确,请输入8-16位字母（大小写）、数字组合'])
    expect(dataOf(loginApi.passwordSet, await app.call(loginApi.passwordSet, { school_id: b }))).toEqual({ pwd_count: 8, is_password_strong: 1, login_max: 16 })
  })

  test('its proof serves one dangerous act within five minutes', async () => {
    const person = await makePerson(app, { roles: [{ school_id: a }] })
    const { token } = await signedIn(app, person)
    const prove = async (password: string) => {
      const { cap_key, texts } = await sealed(app, 'nonce', [password])
      return app.call(sessionApi.checkSelfPassword, { password: texts[0] ?? '', cap_key }, { token })
    }
    expect((await prove('wrong-one')).status).toBe(422)
    const { recheck_token } = dataOf(sessionApi.checkSelfPassword, await prove(person.password))
    const spend = (user_id: string) => own(app.running.database, a, db => spendRecheck(db, user_id, recheck_token, app.clock.now()))
    expect([await spend('1'), await spend(person.user_id), await spend(person.user_id)]).toEqual([false, true, false])
  })
})

test('10-A28 unknown schools answer the password rule like the root page', async () => {
  const keys = async (school_id?: number) => Object.keys(dataOf(loginApi.passwordSet, await app.call(loginApi.passwordSet, { school_id })))
  expect(await keys(999_999)).toEqual(await keys(a))
  expect(await keys()).toEqual(['pwd_count', 'is_password_strong', 'login_max'])
})

describe('the remembered login', () => {
  /** How many lines about a copied login a person has in each of these schools, once all that was told is heard. */
  async function toldOf(user_id: string, ...schools: number[]): Promise<number[]> {
    await app.checksum()
    const found = schools.map(school_id => app.running.database.tenant<unknown, { rows: { n: number }[] }>(school_id, db => sql<{ n: number }>`
      select count(*)::int as n from message_person p join message m on m.school_id = p.school_id and m.message_id = p.message_id
      where p.school_id = ${school_id} and p.user_id = ${user_id} and m.template_code = 'identity.remember_stolen'`.execute(db)))
    return (await Promise.all(found)).map(({ rows }) => rows[0]?.n ?? 0)
  }

  test('a token logs in once, on its device alone, and its copy kills the family', async () => {
    const person = await makePerson(app, { roles: [{ school_id: a }] })
    const first = await app.call(loginApi.check, await loginBody(app, { ...person, remember: true }))
    const cookie = cookieOf(first, 'campus_device')
    const { remember_token } = dataOf(loginApi.check, first)
    const password = `remember:${remember_token}`
    expect(seen(await login(app, { ...person, password }))).toEqual([422, 422, '记住密码已失效，请重新输入密码'])
    const next = await loggedIn(app, { ...person, password, cookie, remember: true })
    expect(next.remember_token).not.toBe(remember_token)
    expect((await login(app, { ...person, password, cookie })).body.code).toBe(422)
    expect((await login(app, { ...person, password: `remember:${next.remember_token}`, cookie })).body.code).toBe(422)
  })

  test('10-S7 a copied token is told to its owner in every school of the account, once, and the log says why', async () => {
    const person = await makePerson(app, { roles: [{ school_id: a }, { school_id: b }] })
    const first = await app.call(loginApi.check, await loginBody(app, { ...person, remember: true }))
    const cookie = cookieOf(first, 'campus_device')
    const password = `remember:${dataOf(loginApi.check, first).remember_token}`
    await loggedIn(app, { ...person, password, cookie, remember: true })
    expect(await toldOf(person.user_id, a, b)).toEqual([0, 0])
    for (let time = 0; time < 2; time += 1) expect((await login(app, { ...person, password, cookie })).body.code).toBe(422)
    expect(await toldOf(person.user_id, a, b)).toEqual([1, 1])
    const reasons = await app.running.database.tenant<unknown, { rows: { reason: string | null }[] }>(a, db => sql<{ reason: string | null }>`
      select reason from operation_log where school_id = ${a} and target_id = ${person.user_id} and not ok`.execute(db))
    expect(reasons.rows.map(row => row.reason).toSorted()).toEqual([null, '记住的登录凭证更换后被再次使用，由它记住的登录已全部失效'])
  })

  test('10-S7 of two who come at once with one token one enters, and the other betrays the copy', async () => {
    const person = await makePerson(app, { roles: [{ school_id: a }] })
    const first = await app.call(loginApi.check, await loginBody(app, { ...person, remember: true }))
    const as = { ...person, cookie: cookieOf(first, 'campus_device'), password: `remember:${dataOf(loginApi.check, first).remember_token}`, remember: true }
    const answers = await Promise.all([login(app, as), login(app, as)])
    expect(answers.map(answer => answer.body.code).toSorted()).toEqual([422, 600])
    expect(await toldOf(person.user_id, a)).toEqual([1])
  })

  test('its device is not shut out by a lock that others cause; a new password ends it', async () => {
    const person = await makePerson(app, { roles: [{ school_id: a }] })
    const first = await app.call(loginApi.check, await loginBody(app, { ...person, remember: true }))
    const cookie = cookieOf(first, 'campus_device')
    for (let at = 0; at < 5; at += 1) await login(app, { ...person, password: 'wrong-one' })
    expect((await login(app, person)).body.code).toBe(422)
    expect((await login(app, { ...person, cookie })).body.code).toBe(600)
    const { token } = await signedIn(app, { ...person, cookie })
    expect((await login(app, person)).body.code).toBe(422)
    app.clock.advance(10 * 60_000)
    expect(seen(await change(person, token, 'Hn5$kLw9zX'))).toEqual(done)
    const password = `remember:${dataOf(loginApi.check, first).remember_token}`
    expect((await login(app, { ...person, password, cookie })).body.msg).toBe('记住密码已失效，请重新输入密码')
  })
})

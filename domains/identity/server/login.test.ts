import { startTestApp, test_schools } from '@apps/server/testing'
import type { Answer, TestApp } from '@apps/server/testing'
import { loginApi } from '@campus/identity/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cookieOf, enter, loggedIn, login, loginBody, signedIn } from './testing/console-client.ts'
import { at, good_password, makePerson, ofSchool, own } from './testing/person.ts'
import type { TestPerson } from './testing/person.ts'

const { a, b, enterprise } = test_schools
const bad = '用户名或密码错误，连续输错5次将锁定10分钟'
let app: TestApp
let teacher: TestPerson

beforeAll(async () => {
  app = await startTestApp()
  teacher = await makePerson(app, { roles: [{ school_id: a }] })
})
afterAll(() => app.close())

const seen = ({ status, body }: Answer) => [status, body.code, body.msg]

describe('the cipher', () => {
  test('10-A2 the body holds no readable password and cannot be sent twice', async () => {
    const body = await loginBody(app, teacher)
    expect(JSON.stringify(body)).not.toContain(teacher.password)
    expect(seen(await app.call(loginApi.check, body))).toEqual([200, 600, '操作成功'])
    expect(seen(await app.call(loginApi.check, body))).toEqual([422, 422, '验证码错误或已过期'])
  })

  test('10-A2 plain text, another captcha\'s cipher and a changed byte are refused before anything is read', async () => {
    const body = await loginBody(app, teacher)
    const other = await loginBody(app, teacher)
    const flipped = body.password.slice(0, -1) + (body.password.endsWith('0') ? '1' : '0')
    for (const wrong of [{ ...body, password: teacher.password }, { ...body, password: other.password }, { ...body, password: flipped }]) {
      expect(seen(await app.call(loginApi.check, wrong))).toEqual([400, 400, '登录信息已失效，请刷新后重试'])
    }
    expect(seen(await app.call(loginApi.check, body))).toEqual([200, 600, '操作成功'])
  })
})

describe('the captcha', () => {
  test('10-A3 wrong, missing, foreign or old: refused, and spent by it', async () => {
    const refused = [422, 422, '验证码错误或已过期']
    for (const cap_value of ['3333', '']) {
      const body = await loginBody(app, { ...teacher, cap_value })
      expect(seen(await app.call(loginApi.check, body))).toEqual(refused)
      expect(seen(await app.call(loginApi.check, { ...body, cap_value: '2222' }))).toEqual(refused)
    }
    const late = await loginBody(app, teacher)
    app.clock.advance(121_000)
    expect(seen(await app.call(loginApi.check, late))).toEqual(refused)
    expect(seen(await app.call(loginApi.check, { ...late, cap_key: '5b0f8f3a-8f6e-4d5b-9a55-0d5b0c6f7a11' }))[0]).toBe(400)
  })

  test('10-A3 reused after a success or after a wrong password: refused; one second short of its end it still counts', async () => {
    const refused = [422, 422, '验证码错误或已过期']
    for (const [password, first] of [[teacher.password, 600], ['wrong-one', 422]] as const) {
      const body = await loginBody(app, { ...teacher, password })
      expect((await app.call(loginApi.check, body)).body.code).toBe(first)
      expect(seen(await app.call(loginApi.check, body))).toEqual(refused)
    }
    const in_time = await loginBody(app, teacher)
    app.clock.advance(119_000)
    expect((await app.call(loginApi.check, in_time)).body.code).toBe(600)
  })

  test('10-A32 a nonce has no picture, and no answer of a captcha is ever told', async () => {
    const nonce = await app.call(loginApi.captcha, { type: 'nonce' })
    expect(nonce.body.data).toMatchObject({ image: null, expire_seconds: 120 })
    const picture = await app.call(loginApi.captcha, { type: 'login' })
    expect(JSON.stringify(picture.body.data).replace(/base64,[^"]*/, '')).not.toContain('2222')
  })
})

describe('the account', () => {
  test('10-A5 unknown, wrong, locked and disabled answer with the same status and bytes', async () => {
    const locked = await makePerson(app, { roles: [{ school_id: a }] })
    const disabled = await makePerson(app, { roles: [{ school_id: a }] })
    await own(app.running.database, 0, db => db.updateTable('account').set({ enabled: false }).where('user_id', '=', disabled.user_id).execute())
    for (let time = 0; time < 5; time += 1) await login(app, { ...locked, password: 'wrong-one' })
    const answers = [
      await login(app, { username: 'nobody_here' }),
      await login(app, { username: 'no such name!' }),
      await login(app, { ...teacher, password: 'wrong-one' }),
      await login(app, locked),
      await login(app, disabled),
      await login(app, { ...teacher, school_id: b }),
      await login(app, { ...teacher, school_id: 999_999 }),
    ]
    expect(new Set(answers.map(answer => JSON.stringify([answer.status, Buffer.from(answer.bytes).toString()]))).size).toBe(1)
    expect(seen(at(answers))).toEqual([422, 422, bad])
  })

  test('10-A4 of 100 parallel wrong passwords five are evaluated, then the right one waits 10 minutes', async () => {
    const victim = await makePerson(app, { roles: [{ school_id: a }] })
    const answers = await Promise.all(Array.from({ length: 100 }, () => login(app, { ...victim, password: 'wrong-one' })))
    expect(new Set(answers.map(answer => answer.body.msg))).toEqual(new Set([bad]))
    expect(seen(await login(app, victim))).toEqual([422, 422, bad])
    expect((await login(app, teacher)).body.code).toBe(600)
    app.clock.advance(10 * 60_000)
    expect((await login(app, victim)).body.code).toBe(600)
  })

  test('many right logins at once use up no tries', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => login(app, teacher)))
    expect(answers.map(answer => answer.body.code)).toEqual(Array.from({ length: 20 }, () => 600))
  })

  test('the name is case-blind, the password is not', async () => {
    expect((await login(app, { ...teacher, username: teacher.username.toUpperCase() })).body.code).toBe(600)
    expect((await login(app, { ...teacher, password: teacher.password.toLowerCase() })).body.code).toBe(422)
  })

  test('an address that fails too often is told to wait', async () => {
    const strict = await startTestApp({ settings: { CAMPUS_LOGIN_FAILS_PER_MINUTE: '3' } })
    try {
      for (let time = 0; time < 3; time += 1) await login(strict, { username: `nobody_${time}` })
      const answer = await login(strict, { username: 'nobody_9' })
      expect(seen(answer)).toEqual([429, 429, '请求过于频繁，请稍后再试'])
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    } finally {
      await strict.close()
    }
  })

  test('10-S9 one guesser behind a school’s address makes nobody wait who comes from the device of his remembered login; of another account it still waits', async () => {
    const strict = await startTestApp({ settings: { CAMPUS_LOGIN_FAILS_PER_MINUTE: '3' } })
    try {
      const [regular, other] = [await makePerson(strict, { roles: [{ school_id: a }] }), await makePerson(strict, { roles: [{ school_id: a }] })]
      const first = await login(strict, { ...regular, remember: true })
      const cookie = cookieOf(first, 'campus_device')
      for (let time = 0; time < 3; time += 1) await login(strict, { username: `nobody_${time}` })
      expect((await login(strict, { ...regular, cookie })).body.code).toBe(600)
      expect((await login(strict, regular)).status).toBe(429)
      expect((await login(strict, { ...other, cookie })).status).toBe(429)
      strict.clock.advance(60_000)
      expect((await login(strict, regular)).body.code).toBe(600)
    } finally {
      await strict.close()
    }
  })
})

describe('the identities', () => {
  test('10-A8 pupils, parents, couriers and enterprises have none at the root; the enterprise\'s own address has its own', async () => {
    const parent = await makePerson(app, { roles: [{ school_id: a, group_code: 'SYS005' }] })
    const courier = await makePerson(app, { roles: [{ school_id: a, group_code: 'SYS001', code: 'SYS001_Expressman', name: '快递员' }] })
    const worker = await makePerson(app, { roles: [{ school_id: enterprise }, { school_id: a }] })
    expect((await loggedIn(app, parent)).role_list).toEqual([])
    expect((await loggedIn(app, courier)).role_list).toEqual([])
    expect((await loggedIn(app, worker)).role_list.map(role => role.school_id)).toEqual([a])
    const at_work = await loggedIn(app, { ...worker, school_id: enterprise })
    expect(at_work.role_list.map(role => role.school_id)).toEqual([enterprise])
    expect(at_work.multi_school_info).toEqual([{ school_id: enterprise, school_name: '测试企业', school_logo: null, count: 1 }])
    expect((await enter(app, at(at_work.role_list), at_work.token)).status).toBe(200)
  })

  test('10-A8 a filtered, foreign, ended or misquoted identity is refused and leaves no session', async () => {
    const person = await makePerson(app, { roles: [{ school_id: a }, { school_id: a, ended: true }, { school_id: a, group_code: 'SYS004' }, { school_id: enterprise }] })
    const { token, role_list } = await loggedIn(app, person)
    const good = at(role_list)
    const quote = (place: number) => {
      const { role_no, code, school_id } = at(person.roles, place)
      return { ...good, id: role_no, code, school_id }
    }
    const wrong = [
      quote(1), quote(2), quote(3), { ...good, id: at(teacher.roles).role_no, code: at(teacher.roles).code, user_id: teacher.user_id },
      { ...good, code: 'SYS001_Super' }, { ...good, user_dep: '2' }, { ...good, school_id: b }, { ...good, id: String(-a), code: 'SYS001_Super' },
    ]
    for (const entry of wrong) expect(seen(await enter(app, entry, token))).toEqual([403, 403, '无权限查看'])
    expect(await sessionsOf(person.user_id)).toBe(0)
    expect((await enter(app, good, token)).status).toBe(200)
    expect(seen(await enter(app, good, token))).toEqual([401, 401, '登录已失效，请重新登录'])
    expect(await sessionsOf(person.user_id)).toBe(1)
  })

  test('an identity blocked for the web is listed and refused with its own sentence', async () => {
    const person = await makePerson(app, { roles: [{ school_id: a, allow_login_web: 1, allow_login_web_text: '请使用手机端登录' }] })
    const { token, role_list } = await loggedIn(app, person)
    expect(role_list[0]).toMatchObject({ allow_login_web: 1, allow_login_web_text: '请使用手机端登录' })
    expect(seen(await enter(app, at(role_list), token))).toEqual([403, 403, '请使用手机端登录'])
  })

  test('switching ends the calling session, in another school too', async () => {
    const duo = await makePerson(app, { roles: [{ school_id: a }, { school_id: b }] })
    const { token, entry } = await signedIn(app, duo)
    const { role_list } = await loggedIn(app, duo)
    const there = ofSchool(role_list, b)
    const switched = await enter(app, there, token, '1')
    expect(switched.status).toBe(200)
    expect((await enter(app, entry, token)).status).toBe(401)
  })
})

test('every attempt is one line of the log, without any secret', async () => {
  const person = await makePerson(app, { roles: [{ school_id: a }], password: good_password })
  await login(app, { ...person, password: 'Wrong-secret-1' })
  await login(app, person)
  const rows = await app.running.database.tenant<{ operation_log: Record<string, unknown> }, Record<string, unknown>[]>(a, db =>
    db.selectFrom('operation_log').selectAll().where('user_id', '=', person.user_id).orderBy('happened_at').execute(),
  )
  expect(rows.map(row => [row.op_type, row.ok, row.code, row.call])).toEqual([[1, false, 422, 'identity.login.check'], [1, true, 600, 'identity.login.check']])
  expect(JSON.stringify(rows)).not.toMatch(/Wrong-secret-1|Qw8#rTy2pL|2222/)
})

async function sessionsOf(user_id: string): Promise<number> {
  const rows = await Promise.all([a, b, enterprise].map(school_id => own(app.running.database, school_id, db => db.selectFrom('session').selectAll().where('user_id', '=', user_id).execute())))
  return rows.flat().length
}

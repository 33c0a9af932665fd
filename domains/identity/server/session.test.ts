import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { Answer, TestApp } from '@apps/server/testing'
import { loginApi, sessionApi } from '@campus/identity/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cookieOf, enter, loggedIn, signedIn } from './testing/console-client.ts'
import { at, makePerson, ofSchool, own } from './testing/person.ts'
import type { TestPerson } from './testing/person.ts'
import type { IdentityHandle } from './db.ts'
import { forgetSessions, openGate } from './gate.ts'
import { grantSuper } from './account.queries.ts'
import { setRolePermissions } from './role.queries.ts'

const { a, b } = test_schools
let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const refresh = (cookie: string) => app.call(loginApi.refresh, {}, { headers: { cookie } })
const alive = async (token: string) => (await app.call(sessionApi.mine, {}, { token })).status
const statuses = (answers: readonly Answer[]) => answers.map(answer => answer.status)

describe('the refresh cookie', () => {
  test('10-A14 twelve tabs at once: one rotation, twelve tokens, nobody is signed out', async () => {
    const { cookie, session_id } = await signedIn(app, await makePerson(app, { roles: [{ school_id: a }] }))
    const answers = await Promise.all(Array.from({ length: 12 }, () => refresh(cookie)))
    expect(statuses(answers)).toEqual(Array.from({ length: 12 }, () => 200))
    expect(new Set(answers.map(answer => cookieOf(answer, 'campus_refresh'))).size).toBe(1)
    const row = await own(app.running.database, a, db => db.selectFrom('session').select('refresh_generation').where('session_id', '=', session_id).executeTakeFirst())
    expect(row?.refresh_generation).toBe(2)
    for (const answer of answers) expect(await alive(dataOf(loginApi.refresh, answer).token)).toBe(200)
  })

  test('10-A14 the old cookie 31 seconds later betrays a copy and ends the session', async () => {
    const { cookie, token } = await signedIn(app, await makePerson(app, { roles: [{ school_id: a }] }))
    const next = cookieOf(await refresh(cookie), 'campus_refresh')
    app.clock.advance(29_000)
    expect((await refresh(cookie)).status).toBe(200)
    app.clock.advance(2_000)
    const stolen = await refresh(cookie)
    expect([stolen.status, stolen.body.msg]).toEqual([401, '登录已失效，请重新登录'])
    expect(stolen.headers.getSetCookie()).toEqual([])
    expect(await alive(token)).toBe(401)
    expect((await refresh(next)).status).toBe(401)
  })

  test('a made-up secret does no harm to the session it names', async () => {
    const { cookie, token } = await signedIn(app, await makePerson(app, { roles: [{ school_id: a }] }))
    for (const wrong of ['', 'campus_refresh=', `${cookie}x`, cookie.replace(/=1001\./, '=1002.'), cookie.replace(/\.1\./, '.9.')]) {
      expect((await refresh(wrong)).status).toBe(401)
    }
    expect(await alive(token)).toBe(200)
  })

  test('the cookie is out of reach of scripts and other sites', async () => {
    const reply = await loggedIn(app, await makePerson(app, { roles: [{ school_id: a }] }))
    const answer = await enter(app, at(reply.role_list), reply.token)
    expect(answer.headers.getSetCookie().find(line => line.startsWith('campus_refresh='))).toMatch(/HttpOnly.*SameSite=Strict/)
  })
})

describe('the end of a session', () => {
  test('it is over after 30 minutes without refresh, idle minutes without use, seven days in any case', async () => {
    const first = await signedIn(app, await makePerson(app, { roles: [{ school_id: a }] }))
    app.clock.advance(30 * 60_000 + 1000)
    expect(await alive(first.token)).toBe(401)
    const again = await refresh(first.cookie)
    expect(again.status).toBe(200)
    app.clock.advance(481 * 60_000)
    expect((await refresh(cookieOf(again, 'campus_refresh'))).status).toBe(401)
    const used = await signedIn(app, await makePerson(app, { roles: [{ school_id: a }] }))
    let cookie = used.cookie
    for (let hours = 0; hours < 7 * 24; hours += 6) {
      const answer = await refresh(cookie)
      expect(answer.status).toBe(200)
      expect(await alive(dataOf(loginApi.refresh, answer).token)).toBe(200)
      cookie = cookieOf(answer, 'campus_refresh')
      app.clock.advance(6 * 3_600_000)
      forgetSessions(app.running.app, [used.session_id])
    }
    expect((await refresh(cookie)).status).toBe(401)
  })

  test('signing out ends it at once and takes the cookie away', async () => {
    const { token, cookie } = await signedIn(app, await makePerson(app, { roles: [{ school_id: a }] }))
    const answer = await app.call(sessionApi.logout, {}, { token })
    expect(answer.status).toBe(200)
    expect(answer.headers.getSetCookie().join()).toMatch(/campus_refresh=;.*Max-Age=0/)
    expect(await alive(token)).toBe(401)
    expect((await refresh(cookie)).status).toBe(401)
  })

  test('a person sees and ends his own devices over all his schools, nobody else\'s', async () => {
    const person = await makePerson(app, { roles: [{ school_id: a }, { school_id: b }] })
    const here = await signedIn(app, person)
    const there = await loggedIn(app, person).then(reply => enter(app, ofSchool(reply.role_list, b), reply.token))
    const session_id = dataOf(loginApi.token, there).session_id
    const list = dataOf(sessionApi.mine, await app.call(sessionApi.mine, {}, { token: here.token })).list
    expect(list.map(row => [row.session_id, row.is_current]).toSorted()).toEqual([[here.session_id, true], [session_id, false]].toSorted())
    const stranger = await signedIn(app, await makePerson(app, { roles: [{ school_id: b }] }))
    expect((await app.call(sessionApi.revoke, { session_id }, { token: stranger.token })).status).toBe(404)
    expect((await app.call(sessionApi.revoke, { session_id }, { token: here.token })).status).toBe(200)
    expect(await alive(dataOf(loginApi.token, there).token)).toBe(401)
    expect(await alive(here.token)).toBe(200)
  })

  const setters: Record<string, (db: IdentityHandle, person: TestPerson, now: Date) => Promise<unknown>> = {
    'the membership has ended': (db, { user_id }, now) => db.updateTable('role_member').set({ valid_to: now }).where('user_id', '=', user_id).execute(),
    'the role is disabled': (db, { roles }) => db.updateTable('role').set({ enabled: false }).where('role_id', '=', at(roles).role_id).execute(),
    'the person has left': (db, { user_id }, now) => db.updateTable('school_user').set({ left_at: now }).where('user_id', '=', user_id).execute(),
    'the account is disabled': (db, { user_id }) => db.updateTable('account').set({ enabled: false }).where('user_id', '=', user_id).execute(),
  }
  test.each(Object.entries(setters))('10-A10 %s: the next call is refused', async (_name, set) => {
    const person = await makePerson(app, { roles: [{ school_id: a }] })
    const { token, session_id } = await signedIn(app, person)
    await own(app.running.database, a, db => set(db, person, app.clock.now()))
    forgetSessions(app.running.app, [session_id])
    expect(await alive(token)).toBe(401)
  })
})

test('the log names who comes in and who stays by his name, not by his number', async () => {
  const person = await makePerson(app, { roles: [{ school_id: a }] })
  const { cookie } = await signedIn(app, person)
  expect((await refresh(cookie)).status).toBe(200)
  const { rows } = await own(app.running.database, a, db => sql`
    select call, user_no, user_name from operation_log
    where school_id = ${a} and user_id = ${person.user_id} and call in ('identity.login.token', 'identity.login.refresh') order by call desc`.execute(db))
  const named = { user_no: person.user_no, user_name: person.user_no.replace('P', '人员') }
  expect(rows).toEqual([{ call: 'identity.login.token', ...named }, { call: 'identity.login.refresh', ...named }])
})

test('10-A10 a permission counts from the next request on', async () => {
  const person = await app.as({ school_id: a, codes: [] })
  const codesOf = async (codes: readonly string[]) => {
    await own(app.running.database, a, db => setRolePermissions(db, app.running.app, a, person.role_id, codes))
    forgetSessions(app.running.app, [person.session_id])
    return [...(await openGate(app.running).authenticate(person.token)).codes]
  }
  const [code = ''] = [...app.running.app.codes].filter(known => known.endsWith('.view'))
  expect(await codesOf([code])).toEqual([code])
  expect(await codesOf([])).toEqual([])
  await expect(codesOf(['no.such.code'])).rejects.toThrow('请求内容有误')
})

test('a super account has one identity per open school with every permission', async () => {
  const person = await makePerson(app, { roles: [{ school_id: a }], username: 'super' })
  await own(app.running.database, 0, db => grantSuper(db, person.user_id, 1, [a, b]))
  const { role_list, token } = await loggedIn(app, person)
  const there = ofSchool(role_list, b)
  expect(there).toMatchObject({ id: String(-b), code: 'SYS001_Super' })
  const answer = await enter(app, there, token)
  expect(answer.status).toBe(200)
  const issued = dataOf(loginApi.token, answer)
  expect(await alive(issued.token)).toBe(200)
  const card = async (user_ids: string) => app.call(sessionApi.cards, { user_ids }, { token: issued.token })
  expect(dataOf(sessionApi.cards, await card(person.user_id)).list).toEqual([{ user_id: person.user_id, user_no: 'super', user_name: 'super', user_photo: null, user_kind: 2 }])
  expect((await card('999999999')).status).toBe(404)
})

import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp } from '@apps/server/testing'
import { loginApi, sessionApi } from '@campus/identity/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { IdentityHandle } from './db.ts'
import { forgetSessions } from './gate.ts'
import { grantRole } from './role.queries.ts'
import { enter, loggedIn, signedIn } from './testing/console-client.ts'
import { at, makePerson, ofSchool, own } from './testing/person.ts'
import type { TestPerson } from './testing/person.ts'
import { userOff, userOn } from './user-state.ts'
import type { UserOff } from './user-state.ts'

const { a, b } = test_schools
const day_ms = 86_400_000
let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const inSchool = <R>(school_id: number, fn: (db: IdentityHandle) => Promise<R>) => own(app.running.database, school_id, fn)
const alive = async (token: string) => (await app.call(sessionApi.mine, {}, { token })).status
const off = (user_ids: string[]): Promise<UserOff[]> => inSchool(a, db => userOff({ app: app.running.app, db, school_id: a, now: app.clock.now() }, user_ids))

/** Display copy and roles of a person in a school, without the counters of writes. */
function stateOf({ user_id }: TestPerson, school_id: number): Promise<unknown> {
  return inSchool(school_id, async db => {
    const { rows } = await sql`
      select to_jsonb(u) as person, (select jsonb_agg(to_jsonb(m) - array['row_version', 'updated_at'] order by m.role_no) from role_member m
        where m.school_id = ${school_id} and m.user_id = ${user_id}) as roles
      from school_user u where u.school_id = ${school_id} and u.user_id = ${user_id}`.execute(db)
    return rows
  })
}

test('a person who leaves one school is out of it at once and stays in the other', async () => {
  const person = await makePerson(app, { roles: [{ school_id: a }, { school_id: b }] })
  const here = await signedIn(app, person)
  const there = await loggedIn(app, person).then(reply => enter(app, ofSchool(reply.role_list, b), reply.token))
  expect(await off([person.user_id])).toMatchObject([{ user_id: person.user_id, roles: [{ role_no: ofSchool(person.roles, a).role_no, valid_to: null }] }])
  forgetSessions(app.running.app, [here.session_id])
  expect(await alive(here.token)).toBe(401)
  expect(await alive(dataOf(loginApi.token, there).token)).toBe(200)
  expect((await loggedIn(app, person)).role_list.map(role => role.school_id)).toEqual([b])
  const session = await inSchool(a, db => db.selectFrom('session').select('revoke_reason').where('session_id', '=', here.session_id).executeTakeFirst())
  expect(session?.revoke_reason).toBe('role_ended')
})

test('coming back restores departure and roles exactly; sessions stay ended', async () => {
  const person = await makePerson(app, { roles: [{ school_id: a }, { school_id: a, ended: true }, { school_id: b }] })
  const now = app.clock.now()
  const { role_id } = ofSchool(person.roles, a)
  // One that ends in a month, and one that begins then: it is no identity yet, and nobody who has left takes it up.
  const month = new Date(now.getTime() + 30 * day_ms)
  await inSchool(a, db => grantRole(db, a, [
    { role_id, user_id: person.user_id, user_dep: '7', valid_from: new Date(now.getTime() - day_ms), valid_to: month }, { role_id, user_id: person.user_id, user_dep: '8', valid_from: month },
  ]))
  const before = [await stateOf(person, a), await stateOf(person, b)]
  const { token, session_id } = await signedIn(app, person)
  const ended = await off([person.user_id])
  expect(at(ended).roles).toHaveLength(2)
  expect(await stateOf(person, a)).not.toEqual(before[0])
  await inSchool(a, db => userOn({ app: app.running.app, db, school_id: a, now: app.clock.now() }, JSON.parse(JSON.stringify(ended))))
  expect([await stateOf(person, a), await stateOf(person, b)]).toEqual(before)
  forgetSessions(app.running.app, [session_id])
  expect(await alive(token)).toBe(401)
  expect(await alive((await signedIn(app, person)).token)).toBe(200)
})

test('who has left already is left alone, and so is what was changed since', async () => {
  const person = await makePerson(app, { roles: [{ school_id: a }] })
  const ended = await off([person.user_id])
  app.clock.advance(1000)
  expect(await off([person.user_id])).toEqual([])
  const later = new Date(app.clock.now().getTime() + 5000)
  await inSchool(a, db => db.updateTable('role_member').set({ valid_to: later }).where('user_id', '=', person.user_id).execute())
  await inSchool(a, db => db.updateTable('school_user').set({ left_at: later }).where('user_id', '=', person.user_id).execute())
  const before = await stateOf(person, a)
  await inSchool(a, db => userOn({ app: app.running.app, db, school_id: a, now: app.clock.now() }, ended))
  expect(await stateOf(person, a)).toEqual(before)
})

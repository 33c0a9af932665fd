import { startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp } from '@apps/server/testing'
import { realtimeApi } from '@campus/identity/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ensureUsers } from './account.queries.ts'
import type { IdentityHandle } from './db.ts'
import { issueRemembered } from './remember.queries.ts'
import { loggedIn, login, signedIn } from './testing/console-client.ts'
import { makePerson, own } from './testing/person.ts'
import type { TestPerson } from './testing/person.ts'
import { offWords, userOff, userOn } from './user-state.ts'

const { a, b } = test_schools
let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const inSchool = <R>(school_id: number, fn: (db: IdentityHandle) => Promise<R>) => own(app.running.database, school_id, fn)
const off = (school_id: number, { user_id }: TestPerson) => inSchool(school_id, db => userOff({ app: app.running.app, db, school_id, now: app.clock.now() }, [user_id]))
const account = ({ user_id }: TestPerson) => inSchool(0, db => db.selectFrom('account').select(['enabled', 'departed_at']).where('user_id', '=', user_id).executeTakeFirstOrThrow())
const rows = (table: 'ticket' | 'remember_token' | 'realtime_watch', user_id: string) => inSchool(a, async db => {
  const whose = table === 'realtime_watch' ? sql`session_id in (select session_id from session where school_id = ${a} and user_id = ${user_id})` : sql`user_id = ${user_id}`
  const found = await sql<{ is_dead: boolean }>`select to_jsonb(t) ->> 'revoked_at' is not null as is_dead from ${sql.table(table)} t where ${whose}`.execute(db)
  return found.rows.filter(row => !row.is_dead).length
})

/** Somebody with everything that lets him in: a session with an open connection, a remembered login, tickets of all kinds, an outside bind. */
async function inside() {
  const person = await makePerson(app, { roles: [{ school_id: a }] })
  const session = await signedIn(app, person)
  await app.call(realtimeApi.ticket, {}, { token: session.token })
  await loggedIn(app, person)
  const expire_at = new Date(app.clock.now().getTime() + 60_000)
  await inSchool(a, async db => {
    await issueRemembered(db, person.user_id, 'device', null, app.clock.now())
    const ticket = { user_id: person.user_id, expire_at }
    await db.insertInto('ticket').values([{ ...ticket, purpose: 'one_time', school_id: a, ticket_hash: Buffer.from(`one ${person.user_id}`) }, { ...ticket, purpose: 'sub_app', school_id: a, ticket_hash: Buffer.from(`sub ${person.user_id}`) }]).execute()
    await db.insertInto('external_bind').values({ school_id: a, provider: 'wecom', external_id: `corp/${person.user_id}`, user_id: person.user_id }).execute()
    await db.insertInto('session').values({ school_id: a, session_id: crypto.randomUUID(), user_id: person.user_id, role_no: session.entry.id, client: 'mini', app_code: 'meOrder', parent_session_id: session.session_id, device_label: '手机', ip: '127.0.0.1', started_at: app.clock.now(), seen_at: app.clock.now(), idle_until: expire_at, absolute_until: expire_at }).execute()
  })
  return person
}

test('10-§7 a departure ends everything with which somebody is in or could come in, and has a receipt for each', async () => {
  const person = await inside()
  const [ended] = await off(a, person)
  const told = (ended?.receipts ?? []).map(({ effect, target, state, count }) => [effect, target, state, count])
  expect(new Set(ended?.receipts?.map(({ at }) => at)).size).toBe(1)
  expect(told).toEqual([
    ['identities', person.user_id, 'done', 1], ['sessions', person.user_id, 'done', 2], ['remembered', person.user_id, 'done', 1],
    ['tickets', person.user_id, 'done', 3], ['realtime', person.user_id, 'done', 1], ['binds', person.user_id, 'done', 1],
    ['jobs', person.user_id, 'follows', 1], ['account', person.user_id, 'done', 1],
  ])
  expect(offWords(ended ? [ended] : [])).toBe('结束身份1个、下线登录2个、清除记住的登录1个、解除外部绑定1个、停用账号1个')
  for (const table of ['ticket', 'remember_token', 'realtime_watch'] as const) expect(await rows(table, person.user_id), table).toBe(0)
  const live = await inSchool(a, db => db.selectFrom('session').select('session_id').where('user_id', '=', person.user_id).where('revoked_at', 'is', null).execute())
  expect(live).toEqual([])
})

test('10-§7 the account is shut with the last school, and open again when the departure is taken back', async () => {
  const person = await makePerson(app, { roles: [{ school_id: a }, { school_id: b }] })
  const [from_a, from_b] = [await off(a, person), (app.clock.advance(1000), await off(b, person))]
  expect([from_a[0]?.receipts?.some(one => one.effect === 'account'), from_b[0]?.receipts?.some(one => one.effect === 'account')]).toEqual([false, true])
  expect(await account(person)).toEqual({ enabled: false, departed_at: expect.any(Date) })
  expect((await login(app, person)).body.code).toBe(422)
  await inSchool(b, db => userOn({ app: app.running.app, db, school_id: b, now: app.clock.now() }, JSON.parse(JSON.stringify(from_b))))
  expect(await account(person)).toEqual({ enabled: true, departed_at: null })
  expect((await loggedIn(app, person)).role_list.map(role => role.school_id)).toEqual([b])
})

test('10-§7 whoever returns has his account again, but not one that an administrator had shut', async () => {
  const [returner, shut] = [await makePerson(app, { roles: [{ school_id: a }] }), await makePerson(app, { roles: [{ school_id: a }] })]
  await inSchool(0, db => db.updateTable('account').set({ enabled: false }).where('user_id', '=', shut.user_id).execute())
  for (const person of [returner, shut]) {
    await off(a, person)
    await inSchool(a, db => ensureUsers(db, a, [{ user_id: person.user_id, user_no: person.user_no, user_name: '回来的人', user_kind: 2 }]))
  }
  expect([(await account(returner)).enabled, (await account(shut)).enabled]).toEqual([true, false])
})

test('a super account stays, whatever school its person leaves', async () => {
  const person = await makePerson(app, { roles: [{ school_id: a }] })
  await inSchool(0, db => db.updateTable('account').set({ super_slot: 5 }).where('user_id', '=', person.user_id).execute())
  await off(a, person)
  expect((await account(person)).enabled).toBe(true)
})

import { domains, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp } from '@apps/server/testing'
import { identityEvents, loginApi, sessionApi } from '@campus/identity/contract'
import { consume } from '@kit/server/event'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteOldSessions } from './session.sweep.ts'
import { cookieOf, signedIn } from './testing/console-client.ts'
import { makePerson, own } from './testing/person.ts'

const { a, b } = test_schools
const day_ms = 86_400_000
let app: TestApp

beforeAll(async () => {
  const facts = [identityEvents.sessionStarted, identityEvents.sessionRevoked, identityEvents.sessionStolen]
  const consumers = facts.map(({ name, payload }) => consume(`probe.${name.replaceAll('.', '_')}`, name, payload, async () => undefined))
  app = await startTestApp({ domains: [...domains, { name: 'probe', migrations: import.meta.dirname, routes: [], consumers }] })
})
afterAll(() => app.close())

const refresh = (cookie: string) => app.call(loginApi.refresh, {}, { headers: { cookie } })
const person = (school_id: number = a) => makePerson(app, { roles: [{ school_id }] })
/** What was told about one session, in order. */
async function told(session_id: string) {
  const { rows } = await app.running.database.tenant(a, db => sql<{ name: string; payload: unknown }>`
    select name, payload from outbox where school_id = ${a} and payload::text like ${`%${session_id}%`} order by event_no`.execute(db))
  return rows.map(row => [row.name, row.payload])
}

test('10-A14 the theft of a refresh secret is told to others and stands in the log of the school, once', async () => {
  const { cookie, session_id, entry } = await signedIn(app, await person())
  const next = cookieOf(await refresh(cookie), 'campus_refresh')
  app.clock.advance(31_000)
  expect((await refresh(cookie)).status).toBe(401)
  expect((await refresh(cookie)).status).toBe(401)
  expect((await refresh(next)).status).toBe(401)
  const key = { session_id, user_id: entry.user_id }
  const session = { ...key, role_no: entry.id, app_code: null }
  expect(await told(session_id)).toEqual([
    ['identity.session.started', session],
    ['identity.session.revoked', { reason: 'reuse_detected', sessions: [session] }],
    ['identity.session.stolen', { ...key, device_label: expect.any(String) }],
  ])
  const { rows } = await app.running.database.tenant(a, db => sql<{ reason: string; user_id: string; ok: boolean }>`
    select reason, user_id, ok from operation_log where school_id = ${a} and target_kind = 'session' and target_id = ${session_id}`.execute(db))
  expect(rows).toEqual([{ reason: '登录凭证更换后被再次使用，会话已强制结束', user_id: entry.user_id, ok: false }])
})

test('an ordinary sign-out is told as such', async () => {
  const { token, session_id } = await signedIn(app, await person())
  await app.call(sessionApi.logout, {}, { token })
  expect((await told(session_id)).map(([name]) => name)).toEqual(['identity.session.started', 'identity.session.revoked'])
})

test('sessions are kept 180 days after they could last have been used, in every school', async () => {
  const kept = async (school_id: number, session_id: string) => (await own(app.running.database, school_id, db => db.selectFrom('session').select('session_id').where('session_id', '=', session_id).execute())).length
  const [old, elsewhere] = [await signedIn(app, await person()), await signedIn(app, await person(b))]
  const sweep = (days: number) => deleteOldSessions((school_id, fn) => own(app.running.database, school_id, fn), new Date(app.clock.now().getTime() + days * day_ms))
  await sweep(186.5)
  expect([await kept(a, old.session_id), await kept(b, elsewhere.session_id)]).toEqual([1, 1])
  await sweep(187.5)
  expect([await kept(a, old.session_id), await kept(b, elsewhere.session_id)]).toEqual([0, 0])
})

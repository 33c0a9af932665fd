import { afterAll, beforeAll, expect, test } from 'vitest'
import { look } from './kept-rows.ts'
import { makePostgres } from './postgres-cluster.ts'
import type { FaultyPostgres } from './postgres-cluster.ts'
import { prepareSchool } from './prepared-school.ts'
import type { Prepared } from './prepared-school.ts'
import { openServer } from './opened-server.ts'
import { endServer, startServer } from './server-process.ts'
import type { ServerProcess } from './server-process.ts'

const patience_ms = 120_000
let postgres: FaultyPostgres
let school: Prepared
let server: ServerProcess

/** As in production: the running server does not know the owner of the schema. */
let without_owner: Record<string, string>

beforeAll(async () => {
  postgres = await makePostgres()
  school = await prepareSchool(postgres.settings)
  const { DATABASE_OWNER_URL: _owner, ...rest } = school.settings
  without_owner = rest
  server = await startServer(without_owner)
}, patience_ms)
afterAll(async () => {
  await endServer(server)
  await postgres?.remove()
  await school?.remove()
})

async function readiness(): Promise<unknown[]> {
  const answer = await fetch(`${server.url}/readyz`)
  return [answer.status, answer.headers.get('retry-after'), await answer.json()]
}

const asOwner = (statements: string) => look(school.settings, database => database.owner_exec(statements))

test('a server without the owner of the schema is ready, and says so when a migration of its build is missing', async () => {
  expect(await readiness()).toEqual([200, null, { status: 'ok', failing: [] }])
  await asOwner(`create table kept as select * from kysely_migration; delete from kysely_migration where name = (select max(name) from kysely_migration)`)
  expect(await readiness()).toEqual([503, '5', { status: 'unavailable', failing: ['migrations'] }])
  await expect(openServer(without_owner)).rejects.toThrow(/^1 migrations are missing: run "npm run cli -- migrate up" with DATABASE_OWNER_URL$/)
  await asOwner('insert into kysely_migration select * from kept on conflict do nothing; drop table kept')
  expect(await readiness()).toEqual([200, null, { status: 'ok', failing: [] }])
}, patience_ms)

test('a server whose worker cannot read the due list is not ready, until it can again', async () => {
  await asOwner('revoke select on work from campus_app')
  await expect.poll(readiness, { timeout: patience_ms, interval: 1000 }).toEqual([503, '5', { status: 'unavailable', failing: ['worker'] }])
  await asOwner('grant select on work to campus_app')
  await expect.poll(readiness, { timeout: patience_ms, interval: 1000 }).toEqual([200, null, { status: 'ok', failing: [] }])
}, patience_ms)

test('liveness asks nobody', async () => {
  await postgres.crash('SIGQUIT')
  const answer = await fetch(`${server.url}/livez`)
  expect([answer.status, await answer.json()]).toEqual([200, { status: 'ok', version: '1.4.9', build_id: expect.any(String) }])
  expect(await readiness()).toEqual([503, '5', { status: 'unavailable', failing: ['database', 'migrations'] }])
}, patience_ms)

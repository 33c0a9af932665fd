import { accountApi, memberApi, realtimeApi, roleApi } from '@campus/identity/contract'
import type { Call, Request } from '@kit/contract'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dataOf, startTestApp, test_schools } from '../testing/index.ts'
import type { Answer, TestUser } from '../testing/index.ts'
import { openLive } from '../testing/live-client.ts'
import { send } from '../testing/request.ts'
import { makePostgres } from './postgres-cluster.ts'
import type { FaultyPostgres } from './postgres-cluster.ts'
import { endServer, startServer } from './server-process.ts'
import type { ServerProcess } from './server-process.ts'

const patience_ms = 240_000

let root: string
let postgres: FaultyPostgres
let nodes: ServerProcess[] = []
let admin: TestUser
let holders: TestUser[]

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'campus-live-nodes-'))
  postgres = await makePostgres()
  const settings = { ...postgres.settings, CAMPUS_DATA_DIR: join(root, 'first') }
  const app = await startTestApp({ settings })
  admin = await app.as({ school_id: test_schools.a, codes: 'all' })
  holders = await Promise.all([1, 2].map(() => app.as({ school_id: test_schools.a, codes: ['identity.role.view'] })))
  await app.close()
  nodes = await Promise.all(['one', 'two'].map(name => startServer({ ...settings, CAMPUS_DATA_DIR: join(root, name) })))
}, patience_ms)

afterAll(async () => {
  await Promise.all(nodes.map(endServer))
  await postgres?.remove()
  await rm(root, { recursive: true, force: true })
})

/** Asks one node. */
function ask<E extends Call>(node: 0 | 1, call: E, input: Request<E>, token: string): Promise<Answer> {
  return send(nodes[node]?.url ?? '', call, input, { token })
}

/** A holder whose browser hangs on the first node while everything is done on the second. */
async function watching(user: TestUser) {
  return openLive(nodes[0]?.url ?? '', user.token)
}

test('10-A10 rights that one node takes away are told on the other, where the next call is refused', async () => {
  const [holder = admin] = holders
  const live = await watching(holder)
  expect((await ask(0, roleApi.list, {}, holder.token)).status).toBe(200)
  const { role_id } = holder
  const { version } = dataOf(roleApi.matrix, await ask(1, roleApi.matrix, { role_id }, admin.token))
  expect((await ask(1, roleApi.saveMatrix, { role_id, version, grant: [], revoke: ['identity.role.view'], scopes: {} }, admin.token)).status).toBe(200)
  await expect.poll(() => live.rows('me')).toEqual([{ kind: 'rights' }])
  expect((await ask(0, roleApi.list, {}, holder.token)).status).toBe(403)
  await live.close()
}, patience_ms)

test('10-A10 an ended membership ends session and connection on both nodes', async () => {
  const [, holder = admin] = holders
  const live = await watching(holder)
  expect((await ask(1, memberApi.remove, { role_nos: [holder.role_no] }, admin.token)).status).toBe(200)
  await expect.poll(() => live.isOpen()).toBe(false)
  expect(live.rows('me')).toEqual([{ kind: 'session', reason: 'role_ended' }])
  for (const node of [0, 1] as const) expect((await ask(node, realtimeApi.ticket, {}, holder.token)).status).toBe(401)
}, patience_ms)

test('a database that was away leaves a gap: nobody believes to have heard everything', async () => {
  const live = await watching(admin)
  await postgres.crash('SIGKILL')
  await postgres.start()
  // A browser whose channels could not be read any more is shut out instead: it comes back and asks for everything.
  await expect.poll(() => !live.isOpen() || live.frames.some(frame => frame.ch === 'me' && frame.gap)).toBe(true)
  expect((await ask(1, accountApi.kick, { user_id: admin.user_id }, admin.token)).status).toBe(422)
  await live.close()
}, patience_ms)

test('a server that stops lets its browsers go and ends', async () => {
  const live = await watching(admin)
  nodes[0]?.signal('SIGTERM')
  expect(await nodes[0]?.ended).toMatchObject({ code: 0, signal: null })
  await expect.poll(() => live.isOpen()).toBe(false)
  await live.close()
}, patience_ms)

import { meChannel, realtimeApi } from '@campus/identity/contract'
import { push } from '@kit/server/realtime'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { dataOf, startTestApp, test_schools } from '../testing/index.ts'
import type { TestApp } from '../testing/index.ts'
import { connectBroker, openLive } from '../testing/live-client.ts'
import type { LiveClient } from '../testing/live-client.ts'

let app: TestApp
const opened: { close(): Promise<unknown> }[] = []

beforeAll(async () => {
  app = await startTestApp()
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map(client => client.close()))
})
afterAll(() => app.close())

const school_a = { school_id: test_schools.a, codes: 'all' } as const
const patience = { timeout: 20_000 }
const tell = () => app.running.database.tenant<unknown, void>(test_schools.a, db => push({ db, school_id: test_schools.a }, meChannel, [{ kind: 'config' }]))

async function live(token: string): Promise<LiveClient> {
  const client = await openLive(app.url, token, [])
  opened.push(client)
  return client
}

test('a connection that takes over its own earlier one hears what is told', async () => {
  const user = await app.as(school_a)
  const first = await live(user.token)
  const second = connectBroker(app.url, first.client_id, first.token)
  opened.push({ close: () => second.endAsync(true) })
  await new Promise<void>(resolve => second.once('connect', () => resolve()))
  await expect.poll(() => first.isOpen(), patience).toBe(false)
  const heard: string[] = []
  second.on('message', topic => heard.push(topic))
  await second.subscribeAsync(`${first.topic}/down/#`, { qos: 1 })
  await tell()
  await expect.poll(() => heard, patience).toEqual([`${first.topic}/down/me`])
})

test('the sixth connection of a session closes the oldest, whose ticket opens none any more', async () => {
  const user = await app.as(school_a)
  const held: LiveClient[] = []
  for (const _one of Array.from({ length: 5 })) {
    held.push(await live(user.token))
    app.clock.advance(1000)
  }
  const [oldest, ...newer] = held
  if (!oldest) throw new Error('no connection')
  const sixth = await live(user.token)
  await expect.poll(() => oldest.isOpen(), patience).toBe(false)
  const again = connectBroker(app.url, oldest.client_id, oldest.token)
  opened.push({ close: () => again.endAsync(true) })
  await new Promise<void>(resolve => again.once('close', () => resolve()))
  expect(again.connected).toBe(false)
  expect([...newer, sixth].map(client => client.isOpen())).toEqual([true, true, true, true, true])
  expect((await app.call(realtimeApi.ticket, { client_id: oldest.client_id }, { token: user.token })).status).toBe(404)
  expect(dataOf(realtimeApi.ticket, await app.call(realtimeApi.ticket, { client_id: sixth.client_id }, { token: user.token })).client_id).toBe(sixth.client_id)
})

import { domains, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp } from '@apps/server/testing'
import { event } from '@kit/contract'
import { composeEvents, consume, publish, publishEach } from '@kit/server/event'
import type { DomainServer } from '@kit/server/http'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'

const Rung = z.object({ bell_id: z.string(), at: z.string() })
const rung = event('probe.rung', Rung)
const { a: school_id, b: other_school } = test_schools
const patience_ms = 20_000
const folder = import.meta.dirname

/** What each consumer heard, in order; `failing` names the bells that the strict one cannot take. */
const heard: string[] = []
const failing = new Set<string>()
/** The attempt that failed last, while it still held its lease. */
type Attempt = { ref: string; attempts: number; lease_until: Date }
let failed: Attempt | undefined
const strict = consume('probe.strict', 'probe.rung', z.object({ bell_id: z.string() }), async ({ db, school_id: school, now }, { bell_id }) => {
  // Written before it fails: nothing of a failed attempt may stay.
  await sql`insert into user_pref (school_id, user_id, pref_key, value) values (${school}, 0, ${`columns:/${bell_id}`}, ${JSON.stringify(now)}::jsonb)`.execute(db)
  if (failing.has(bell_id)) {
    failed = (await sql<Attempt>`select ref, attempts, lease_until from work where kind = 'event' and lease_until > now() and ref like '%#probe.strict'`.execute(db)).rows[0]
    throw new Error('planned')
  }
  heard.push(`${school} strict ${bell_id}`)
})
const easy = consume('probe.easy', 'probe.rung', Rung, async ({ school_id: school }, { bell_id, at }) => void heard.push(`${school} easy ${bell_id} ${at}`))
const probe: DomainServer = { name: 'probe', migrations: folder, routes: [], events: [rung], consumers: [strict, easy] }

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ domains: [...domains, probe], settings: { CAMPUS_LOG_LEVEL: 'fatal' } })
})
afterAll(() => app.close())

function ring(bell_ids: readonly string[], school: number = school_id): Promise<void> {
  const { app: product, database } = app.running
  return database.tenant<unknown, void>(school, async db => {
    await publishEach({ app: product, db, school_id: school, now: app.clock.now() }, rung, bell_ids.map(bell_id => ({ bell_id, at: '07:40' })))
  })
}

const of = (part: string) => heard.filter(line => line.includes(part))
const count = async (query: ReturnType<typeof sql<{ n: string }>>) => Number((await app.running.database.tenant(school_id, db => query.execute(db))).rows[0]?.n)
/** What has failed is due now; an attempt of it that has just been taken (one more than failed last) or has not yet been put back keeps its lease, and so does what is heard behind it: without its lease somebody else would hear of it too. */
const hurry = () => app.running.database.tenant(0, db => sql`
  update work set lease_until = null
  where kind = 'event' and ref = ${failed?.ref ?? ''} and attempts = ${failed?.attempts ?? 0} and date_trunc('milliseconds', lease_until) <> ${failed?.lease_until ?? null}`.execute(db))

it('every consumer hears of it, in the order in which it happened, in the school where it happened', async () => {
  const bells = Array.from({ length: 12 }, (_, at) => `order${at}`)
  await ring(bells)
  await ring(['order-elsewhere'], other_school)
  await expect.poll(() => of('order').length, { timeout: patience_ms }).toBe(26)
  expect(of('strict order').filter(line => line.startsWith(`${school_id} `))).toEqual(bells.map(bell => `${school_id} strict ${bell}`))
  expect(of('easy order').filter(line => line.startsWith(`${school_id} `))).toEqual(bells.map(bell => `${school_id} easy ${bell} 07:40`))
  expect(of('elsewhere').toSorted()).toEqual([`${other_school} easy order-elsewhere 07:40`, `${other_school} strict order-elsewhere`])
})

it('nobody hears of what was rolled back', async () => {
  const { app: product, database } = app.running
  const lost = database.tenant<unknown, void>(school_id, async db => {
    await publish({ app: product, db, school_id, now: app.clock.now() }, rung, { bell_id: 'ghost', at: '08:00' })
    throw new Error('rolled back')
  })
  await expect(lost).rejects.toThrow('rolled back')
  await ring(['after-ghost'])
  await expect.poll(() => of('after-ghost').length, { timeout: patience_ms }).toBe(2)
  expect(of('easy ghost')).toEqual([])
})

it('one that fails is tried again, the later ones wait for it, the other consumer does not; what it writes is written once', async () => {
  failing.add('bent')
  await ring(['bent', 'behind'])
  await expect.poll(() => of('easy behind').length, { timeout: patience_ms }).toBe(1)
  expect(of('strict behind')).toEqual([])
  failing.delete('bent')
  await expect.poll(() => hurry().then(() => of('strict behind').length), { timeout: patience_ms }).toBe(1)
  expect(of('strict').filter(line => /bent|behind/.test(line))).toEqual([`${school_id} strict bent`, `${school_id} strict behind`])
  expect(await count(sql`select count(*) as n from user_pref where school_id = ${school_id} and pref_key in ('columns:/bent', 'columns:/behind')`)).toBe(2)
})

it('one that always fails is put aside with its reason and blocks nobody', async () => {
  failing.add('broken')
  await ring(['broken', 'past-broken'])
  await expect.poll(() => hurry().then(() => of('strict past-broken').length), { timeout: patience_ms }).toBe(1)
  expect(of('strict broken')).toEqual([])
  expect(await count(sql`select count(*) as n from outbox_parked where school_id = ${school_id} and consumer = 'probe.strict' and payload ->> 'bell_id' = 'broken' and error like '%planned%'`)).toBe(1)
  expect(await count(sql`select count(*) as n from user_pref where school_id = ${school_id} and pref_key = 'columns:/broken'`)).toBe(0)
})

it('an event to which nobody listens leaves no row', async () => {
  const { app: product, database } = app.running
  const quiet = event('probe.quiet', z.object({ bell_id: z.string() }))
  await database.tenant<unknown, void>(school_id, db => publish({ app: product, db, school_id, now: app.clock.now() }, quiet, { bell_id: '1' }))
  expect(await count(sql`select count(*) as n from outbox where school_id = ${school_id} and name = 'probe.quiet'`)).toBe(0)
})

it.each([
  ['listens to probe.silent, which nobody publishes', 'probe.silent', z.object({ bell_id: z.string() })],
  ['reads probe.rung.missing, which is published otherwise', 'probe.rung', z.object({ missing: z.string() })],
  ['reads probe.rung.bell_id, which is published otherwise', 'probe.rung', z.object({ bell_id: z.number() })],
])('stops the start: a consumer that %s', (words, name, fields) => {
  expect(() => composeEvents([rung], [consume('probe.odd', name, fields, async () => undefined)])).toThrow(`probe.odd ${words}`)
})

it('two consumers or two events of one name stop the start', () => {
  expect(() => composeEvents([rung, rung], [])).toThrow('two events are called probe.rung')
  expect(() => composeEvents([rung], [easy, easy])).toThrow('two consumers of events are called probe.easy')
})

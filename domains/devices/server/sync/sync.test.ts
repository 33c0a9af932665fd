import { connectDevice, domains } from '@apps/server/testing'
import type { DeviceClient } from '@apps/server/testing'
import { devicesEvents } from '@campus/devices/contract'
import { consume } from '@kit/server/event'
import { EventItem } from '@kit/terminal-protocol'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import { z } from 'zod'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { storeEvents } from '../event/store.ts'
import { startDevices } from '../testing/start.ts'
import type { DevicesTest } from '../testing/start.ts'
import { declareCredentials, declareGrants, declareSubjects, revoke } from './declare.ts'
import type { Grant } from './declare.ts'
import type { WantedRow } from './derive.ts'
import { dueWhole } from './due.ts'
import { writeRows } from './row.write.ts'
import { unchangedDevices } from './unchanged.ts'

const day_ms = 86_400_000
const { passRecorded } = devicesEvents
let d: DevicesTest
beforeAll(async () => {
  // Somebody who hears of passes, as access does: without him nothing is told.
  const consumers = [consume('probe.passes', passRecorded.name, passRecorded.payload, async () => undefined)]
  d = await startDevices({ domains: [...domains, { name: 'probe', migrations: import.meta.dirname, routes: [], consumers }] })
})
afterEach(() => d.stopAll())
afterAll(() => d.close())

const person = (n: number, more: { user_name?: string; live?: boolean } = {}) => ({ user_id: String(7000 + n), person_kind: 1, user_no: `N${n}`, user_name: `学生${n}`, dept_name: '一年级1班', live: true, ...more })
const card = (n: number, version = 1, more: { code?: string; usable?: boolean } = {}) => ({ user_id: String(7000 + n), cred_kind: 'card' as const, code: `CARD${n}`, usable: true, source: 'cards', source_ref: `card ${n}`, version, ...more })
function grant(n: number, place_id: string, version = 1, more: Partial<Grant> = {}): Grant {
  const now = d.app.clock.now().getTime()
  const to = new Date(now + 90 * day_ms)
  return { user_id: String(7000 + n), place_id, direction: 3, windows: [{ from: new Date(0).toISOString(), to: to.toISOString().replace(/\d\d\.\d+Z/u, '00.000Z').replace(/T\d\d:\d\d/u, 'T00:00'), weekly: { '1': ['07:00-18:00'] } }], source: 'access', source_ref: `grant ${n} ${place_id}`, version, expires_at: to, ...more }
}
const rows = (device_id: string) => d.tenant(async db => (await sql<{ kind: string; row_key: string; want_op: string; state: string; reason_text: string | null }>`select kind, row_key, want_op, state, reason_text from sync_row where school_id = ${d.school_id} and device_id = ${device_id} order by kind, row_key`.execute(db)).rows)

/** People with cards who may pass a gate. */
async function admit(numbers: readonly number[], place_id: string): Promise<void> {
  await d.declare(async by => {
    await declareSubjects(by, numbers.map(n => person(n)))
    await declareCredentials(by, numbers.map(n => card(n)))
    await declareGrants(by, numbers.map(n => grant(n, place_id)))
  })
}

describe('what is declared is what a terminal holds', () => {
  test('people, cards and one permission of the same times arrive in their order and are acknowledged row by row', async () => {
    const { terminal, device_id, place_id } = await d.aGate()
    await admit([1, 2, 3], place_id)
    await expect.poll(() => d.states(device_id)).toEqual(['applied'])
    expect([terminal.store.held('permission').size, terminal.store.held('person').size, terminal.store.held('credential').size]).toEqual([1, 3, 3])
    const kinds = terminal.trace.flatMap(message => message.rows.map(row => row.k))
    expect(kinds).toEqual([...kinds].toSorted((a, b) => ['permission', 'person', 'credential'].indexOf(a) - ['permission', 'person', 'credential'].indexOf(b)))
    expect(terminal.store.held('credential').values().next().value?.body).toMatchObject({ kind: 'card', code: 'CARD1' })
  })

  test('30-A5 declaring again what has not changed causes nothing, and deriving it again sends nothing', async () => {
    const { terminal, device_id, place_id } = await d.aGate()
    await admit([11, 12], place_id)
    await expect.poll(() => d.states(device_id)).toEqual(['applied'])
    // Settings of the device may still be on their way to it.
    const rowsTold = () => terminal.trace.filter(message => message.type === 'sync.rows').length
    const sent = rowsTold()
    const due = (db: QueryExecutorProvider) => sql<{ user_id: string }>`select user_id::text as user_id from sync_due where school_id = ${d.school_id} order by 1`.execute(db)
    await d.declare(async by => {
      await declareSubjects(by, [person(11), person(12)])
      await declareCredentials(by, [card(11), card(12, 0)])
      await declareGrants(by, [grant(11, place_id), grant(12, place_id)])
      expect((await due(by.db)).rows).toEqual([])
      await declareCredentials(by, [card(11), card(12, 2)])
      expect((await due(by.db)).rows.map(row => row.user_id)).toEqual(['7012'])
      await dueWhole(by, [device_id])
    })
    await expect.poll(() => d.tenant(async db => (await sql`select from sync_due where school_id = ${d.school_id}`.execute(db)).rows.length)).toBe(0)
    expect(rowsTold()).toBe(sent)
  })

  test('the database adds up the rows of a device as they are to be: another hash, another reason, a row more and it is another device', async () => {
    const { device_id } = await d.aDevice()
    const row = { kind: 'person', row_key: '1', user_id: '1', hash: 'ffffffffffffff00', prio: 5, blocked: null } as const
    const wanted: WantedRow[] = [{ ...row, row_key: '10', hash: '7fffffffffffffff' }, row, { ...row, kind: 'credential', row_key: 'c2', blocked: 'capacity' }, { ...row, kind: 'credential', row_key: 'c11', blocked: 'no_consent' }]
    await d.tenant(async db => {
      await writeRows(db, { school_id: d.school_id, device_id }, wanted.map(({ hash, blocked, ...one }) => ({ ...one, want_op: 'put', want_hash: hash, state: blocked === null ? 'pending' : 'blocked', reason_code: blocked })), d.app.clock.now())
      const isSame = async (of_device: readonly WantedRow[]) => (await unchangedDevices(db, d.school_id, new Map([[device_id, of_device]]))).has(device_id)
      expect([await isSame(wanted), await isSame(wanted.toReversed())]).toEqual([true, true])
      const others = [wanted.slice(1), [...wanted, { ...row, row_key: '3', hash: '0000000000000000' }], wanted.with(1, { ...row, hash: 'ffffffffffffff01' }), wanted.with(2, { ...row, kind: 'credential', row_key: 'c2', blocked: 'no_consent' }), wanted.with(1, { ...row, blocked: 'capacity' }), []]
      for (const other of others) expect(await isSame(other)).toBe(false)
    })
  })

  test('30-A4 two hundred changes of one person while the terminal is off are one row after its return', async () => {
    const { terminal, device_id, place_id } = await d.aGate()
    await admit([21, 22], place_id)
    await expect.poll(() => d.states(device_id)).toEqual(['applied'])
    await terminal.stop()
    for (let n = 1; n <= 200; n += 1) await d.declare(by => declareSubjects(by, [person(21, { user_name: `改名${n}` })]))
    await expect.poll(async () => (await rows(device_id)).filter(row => row.state === 'pending').map(row => row.row_key)).toEqual(['7021'])
    terminal.trace.length = 0
    await terminal.start()
    await expect.poll(() => d.states(device_id)).toEqual(['applied'])
    expect(terminal.trace.flatMap(message => message.rows.map(row => [row.op, row.key]))).toEqual([['put', '7021']])
    expect(terminal.store.held('person').get('7021')?.body).toMatchObject({ name: '改名200' })
  })

  test('a device whose rows cannot be derived holds up no other, and is derived when it can be', async () => {
    const [broken, sound] = [await d.aGate(), await d.aGate()]
    const limits = (text: string) => d.app.running.database.owner(db => sql`
      insert into device_model select 'BROKEN', model_name, device_type, driver, capabilities, ${text}::jsonb, limits_source, firmware_kinds from device_model where model_code = 'JD-F10'
      on conflict (model_code) do update set limits = excluded.limits`.execute(db))
    await limits('{"max_persons": "many"}')
    await d.tenant(db => sql`update device set model_code = 'BROKEN' where school_id = ${d.school_id} and device_id = ${broken.device_id}`.execute(db))
    await d.declare(async by => {
      await declareSubjects(by, [person(91)])
      await declareGrants(by, [grant(91, broken.place_id), grant(91, sound.place_id)])
    })
    await expect.poll(() => d.states(sound.device_id)).toEqual(['applied'])
    expect(await rows(broken.device_id)).toEqual([])
    await limits('{}')
    await d.declare(by => declareSubjects(by, [person(91, { user_name: '改名' })]))
    await expect.poll(() => d.states(broken.device_id)).toEqual(['applied'])
  })

  test('whoever leaves is deleted before anything is put; the permission goes when nobody has it any more', async () => {
    const { terminal, device_id, place_id } = await d.aGate()
    await admit([31, 32], place_id)
    await expect.poll(() => d.states(device_id)).toEqual(['applied'])
    terminal.trace.length = 0
    await d.declare(async by => {
      await declareSubjects(by, [person(31, { live: false }), person(32, { user_name: '改名' })])
    })
    await expect.poll(async () => (await rows(device_id)).filter(row => row.want_op === 'delete').map(row => row.state)).toEqual(['gone', 'gone'])
    await expect.poll(() => terminal.trace.flatMap(message => message.rows.map(row => row.op))).toEqual(['delete', 'delete', 'put'])
    expect([...terminal.store.held('person').keys()]).toEqual(['7032'])
  })

  test('a card reported lost leaves the terminal; what a source takes back is gone', async () => {
    const { terminal, device_id, place_id } = await d.aGate()
    await admit([41], place_id)
    await expect.poll(() => terminal.store.held('credential').size).toBe(1)
    await d.declare(by => revoke(by, 'cards', ['card 41']))
    await expect.poll(() => terminal.store.held('credential').size).toBe(0)
    await d.declare(by => revoke(by, 'access', [`grant 41 ${place_id}`]))
    await expect.poll(() => terminal.store.held('person').size).toBe(0)
    await expect.poll(() => d.states(device_id)).toEqual(['gone'])
  })
})

test('what counts no more is taken off before it shows as blocked, and comes back; what is blocked while the terminal holds an older version is deleted there', async () => {
  const { terminal, device_id, place_id } = await d.aGate()
  await admit([45], place_id)
  const cards = () => terminal.store.held('credential').size
  const ofCard = async () => (await rows(device_id)).filter(row => row.kind === 'credential').map(row => [row.want_op, row.state])
  await expect.poll(ofCard).toEqual([['put', 'applied']])
  await d.declare(by => declareCredentials(by, [card(45, 2, { usable: false })]))
  await expect.poll(ofCard).toEqual([['put', 'blocked']])
  expect([cards(), terminal.trace.flatMap(message => message.rows.map(row => row.op)).at(-1)]).toEqual([0, 'delete'])
  await d.declare(by => declareCredentials(by, [card(45, 3)]))
  await expect.poll(ofCard).toEqual([['put', 'applied']])
  expect(cards()).toBe(1)
  // As a face whose new photograph is being made: the one before is there until then.
  await d.tenant(db => sql`update sync_row set state = 'blocked', reason_code = 'photo_waiting' where school_id = ${d.school_id} and device_id = ${device_id} and kind = 'credential'`.execute(db))
  await d.declare(by => revoke(by, 'cards', ['card 45']))
  await expect.poll(ofCard).toEqual([['delete', 'gone']])
  expect(cards()).toBe(0)
})

describe('what a terminal does not say is not taken for granted', () => {
  test('a refused row shows why; the others hold', async () => {
    const { terminal, device_id, place_id } = await d.aGate()
    terminal.faults.refuse = new Map([['7051', { code: 'name', text: '姓名不合法' }]])
    await admit([51, 52], place_id)
    await expect.poll(async () => (await rows(device_id)).find(row => row.row_key === '7051')).toMatchObject({ state: 'refused', reason_text: '姓名不合法' })
    expect([...terminal.store.held('person').keys()]).toEqual(['7052'])
  })

  test('30-A7 after a lost reply the rows are read back, not sent again', async () => {
    const { terminal, device_id, place_id } = await d.aGate()
    // The question about its settings has its answer; the next one is lost.
    await expect.poll(() => terminal.trace.some(message => message.type === 'sync.config')).toBe(true)
    terminal.faults.drop_replies = 1
    await admit([61], place_id)
    await expect.poll(() => terminal.store.held('permission').size).toBe(1)
    // The line breaks before the reply: what was on its way is unknown.
    await terminal.stop()
    await expect.poll(async () => (await d.states(device_id)).includes('sent')).toBe(false)
    terminal.trace.length = 0
    await terminal.start()
    await expect.poll(async () => (await d.states(device_id)).every(state => state === 'applied' || state === 'proven')).toBe(true)
    expect(terminal.trace[0]?.type).toBe('sync.bucket')
    expect(terminal.trace.flatMap(message => message.rows)).toEqual([])
  })
})

const Sync = z.discriminatedUnion('type', [
  z.object({ type: z.literal('sync.rows'), body: z.object({ rows: z.array(z.object({ k: z.string(), key: z.string(), ver: z.number(), hash: z.string() })) }) }),
  z.object({ type: z.literal('sync.bucket'), id: z.string(), body: z.object({ kind: z.string() }) }),
])
type Once = (work: (client: DeviceClient) => Promise<unknown>) => Promise<void>
/** What the device that is played by hand holds. */
const by_hand: { k: string; key: string; hash: string }[] = []

/** Hears what is asked in one session: a question is answered there, what was done is told in the next. */
async function playRound(once: Once): Promise<void> {
  const asked: z.output<typeof Sync>[] = []
  await once(async client => {
    await expect.poll(() => asked.push(...client.told.flatMap(({ message }) => Sync.safeParse(message).data ?? [])), { timeout: 5000 }).toBeGreaterThan(0)
    const [question] = asked
    if (question?.type === 'sync.bucket') await client.say('up/reply', 'reply', { kind: question.body.kind, rows: by_hand.filter(row => row.k === question.body.kind) }, question.id)
  })
  const [first] = asked
  if (first?.type !== 'sync.rows') return
  by_hand.push(...first.body.rows)
  return once(client => client.say('up/reply', 'reply', { results: first.body.rows.map(({ k, key, ver }) => ({ k, key, ver, status: 'applied' })) }))
}

test('a device played by hand, one message a session: it says hello, hears its rows, answers late and says who passed', async () => {
  const { device_id, place_id, way } = await d.aDevice({ device_sn: 'HAND-1' })
  await admit([81], place_id)
  const once = async (work: (client: DeviceClient) => Promise<unknown>) => {
    const client = await connectDevice(d.port, { sn: 'HAND-1', secret: way.secret, epoch: 'by-hand' })
    await work(client)
    await client.close()
  }
  const isWhole = async () => (await rows(device_id)).every(row => row.state === 'applied' || row.state === 'proven')
  await once(client => client.say('up/hello', 'hello', { sn: 'HAND-1', model: 'JD-F10', store_id: 'hand' }))
  await expect.poll(() => d.states(device_id)).toContain('pending')
  await expect.poll(async () => {
    if (!(await isWhole())) await playRound(once)
    return isWhole()
  }).toBe(true)
  await once(client => client.say('up/event', 'event', { items: [{ seq: 1, type: 'pass', at: new Date().toISOString(), user_id: '7081', verify: 2, result: 1 }] }))
  await expect.poll(() => d.tenant(async db => (await sql`select from pass_event where school_id = ${d.school_id} and user_id = 7081`.execute(db)).rows.length)).toBe(1)
})

describe('what happened at a door is stored once', () => {
  const passes = (device_id: string) => d.tenant(async db => (await sql<{ user_id: string | null; place_id: string; time_state: number; device_seq: string }>`select user_id::text, place_id::text, time_state, device_seq from pass_event where school_id = ${d.school_id} and device_id = ${device_id} order by device_time, device_seq`.execute(db)).rows)

  test('30-A15 records of a time without a line come after it, each once; the place is the one of then; others are told each key once, also when records come again in another order', async () => {
    const { terminal, device_id, place_id } = await d.aGate()
    await terminal.stop()
    for (let n = 0; n < 250; n += 1) terminal.pass({ user_id: String(7100 + n), verify: 2, result: 1 })
    const said = terminal.store.oldest(250).map(item => EventItem.parse(item))
    await terminal.start()
    await expect.poll(() => terminal.store.waiting).toBe(0)
    for (const items of [said.toReversed(), said]) await d.tenant(db => storeEvents({ app: d.app.running.app, db, school_id: d.school_id, device_id, now: d.app.clock.now() }, { epoch: terminal.store.epoch, items, skew_ms: 0 }))
    const told = await d.tenant(async db => (await sql<{ device_seq: string }>`select payload ->> 'device_seq' as device_seq from outbox where school_id = ${d.school_id} and name = ${passRecorded.name} and payload ->> 'device_id' = ${device_id}`.execute(db)).rows)
    expect(told.map(key => key.device_seq).toSorted()).toEqual((await passes(device_id)).map(row => row.device_seq).toSorted())
    const stored = await passes(device_id)
    expect([stored.length, new Set(stored.map(row => row.user_id)).size, new Set(stored.map(row => row.place_id))]).toEqual([250, 250, new Set([place_id])])
  })

  test('30-A16 a record nobody understands does not hold up those behind it', async () => {
    const { terminal, device_id } = await d.aGate()
    terminal.store.record('alarm', { alarm_kind: 'fire' }, 'not a time')
    terminal.pass({ verify: 'face', result: 1 })
    terminal.pass({ user_id: '7001', verify: 2, result: 1, reason: 'a\u0000b' })
    terminal.pass({ user_id: '7002', verify: 2, result: 1 })
    await expect.poll(() => terminal.store.waiting).toBe(0)
    // A sign that no store gives back is left out of the text; the record itself is good.
    expect((await passes(device_id)).map(row => row.user_id)).toEqual(['7001', '7002'])
    const letters = await d.tenant(async db => (await sql`select from dead_letter where school_id = ${d.school_id} and device_id = ${device_id}`.execute(db)).rows.length)
    expect(letters).toBe(2)
  })

  test('a record under the number of another one is set aside, and not taken for a repetition', async () => {
    const { terminal, device_id } = await d.aGate()
    terminal.pass({ user_id: '7001', verify: 2, result: 1 })
    await expect.poll(() => terminal.store.waiting).toBe(0)
    await terminal.stop()
    terminal.store.forgetNumbers()
    await terminal.start()
    terminal.pass({ user_id: '7002', verify: 2, result: 1 })
    await expect.poll(() => terminal.store.waiting).toBe(0)
    expect((await passes(device_id)).map(row => row.user_id)).toEqual(['7001'])
    expect(await d.tenant(async db => (await sql<{ reason: string }>`select reason from dead_letter where school_id = ${d.school_id} and device_id = ${device_id}`.execute(db)).rows)).toEqual([{ reason: 'twin' }])
  })

  test('30-A17 a clock that is two hours off is put right to the second, one of another century is set aside; what the device said is kept, and nothing waits', async () => {
    const { terminal, device_id } = await d.aGate()
    const [hours_off, past, future] = [7_200_000, -56 * 365 * day_ms, 73 * 365 * day_ms]
    const began = Date.now()
    for (const [n, offset_ms] of [hours_off, past, future].entries()) {
      terminal.faults.clock_offset_ms = offset_ms
      terminal.pass({ user_id: String(7001 + n), verify: 2, result: 1 })
      await expect.poll(() => terminal.store.waiting).toBe(0)
    }
    const told = await d.tenant(async db => (await sql<{ user_id: string; time_state: number; event_time: Date | null; device_time: Date }>`select user_id::text, time_state, event_time, device_time from pass_event where school_id = ${d.school_id} and device_id = ${device_id} order by user_id`.execute(db)).rows)
    expect(told.map(row => [row.user_id, row.time_state, row.event_time !== null])).toEqual([['7001', 1, true], ['7002', 2, false], ['7003', 2, false]])
    const [right] = told
    expect(Math.abs((right?.event_time?.getTime() ?? 0) - began)).toBeLessThan(5000 + Date.now() - began)
    expect(Math.abs((right?.device_time.getTime() ?? 0) - hours_off - began)).toBeLessThan(5000 + Date.now() - began)
  })
})

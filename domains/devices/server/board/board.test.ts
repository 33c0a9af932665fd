import { createHash, randomUUID } from 'node:crypto'
import { dataOf, domains, openLive, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { JdevTerminal } from '@apps/terminal'
import { boardApi, deviceApi, devicesEvents, syncApi } from '@campus/devices/contract'
import { keepMade } from '@campus/files/server'
import { placeApi } from '@campus/places/contract'
import { consume } from '@kit/server/event'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Db } from '../db.ts'
import { declareContent, declareContentAt } from './declare-content.ts'
import type { ContentRow } from './manifest.ts'
import { makeTicket } from './ticket.ts'

const school_id = test_schools.a
const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==', 'base64')
const terminals: JdevTerminal[] = []
let app: TestApp
let me: TestUser
let port: number
let campus: string
let version = 0

beforeAll(async () => {
  const told = [devicesEvents.boardReceipt, devicesEvents.boardWithdrawn, devicesEvents.boardPlaystat, devicesEvents.boardShown]
  const consumers = told.map(({ name, payload }) => consume(`probe.${name.replaceAll('.', '_')}`, name, payload, async () => undefined))
  app = await startTestApp({ domains: [...domains, { name: 'probe', migrations: import.meta.dirname, routes: [], consumers }] })
  port = await app.running.listenToDevices()
  me = await app.as({ school_id, codes: ['places.place.view', 'devices.device.view', 'devices.device.edit', 'devices.board.view', 'devices.board.control', 'devices.sync.view', 'devices.sync.edit'], places: 'all' })
  campus = dataOf(placeApi.tree, await app.call(placeApi.tree, {}, { token: me.token })).list[0]?.place_id ?? ''
})
afterEach(() => Promise.all(terminals.splice(0).map(terminal => terminal.stop())))
afterAll(() => app.close())

const inSchool = <R>(work: (db: Db) => Promise<R>) => app.running.database.tenant(school_id, work)
const boardOf = async (id: string) => dataOf(boardApi.detail, await app.call(boardApi.detail, { id }, { token: me.token })).board
const rowsOf = async (id: string) => new Map(dataOf(boardApi.content_rows, await app.call(boardApi.content_rows, { id }, { token: me.token })).list.map(row => [row.row_key, row]))
const wordOf = async (id: string, row_key: string) => (await rowsOf(id)).get(row_key)?.reported
const events = (name: string) => inSchool(async db => (await sql<{ payload: Record<string, unknown> }>`select payload from outbox where school_id = ${school_id} and name = ${name} order by event_no`.execute(db)).rows.map(row => row.payload))

async function aBoard({ is_on = true } = {}) {
  const sn = `B${randomUUID().slice(0, 8)}`
  const { device, setup } = dataOf(deviceApi.create, await app.call(deviceApi.create, { device_sn: sn, device_name: sn, device_type: '03', model_code: 'JD-B32', place_id: campus }, { token: me.token }))
  const terminal = new JdevTerminal({ url: `mqtt://127.0.0.1:${port}`, sn, secret: setup?.secret ?? '', model: 'JD-B32', http: app.url })
  terminals.push(terminal)
  if (is_on) await turnOn(terminal, device.device_id)
  return { terminal, device_id: device.device_id }
}

async function turnOn(terminal: JdevTerminal, device_id: string) {
  await terminal.start()
  await expect.poll(async () => (await boardOf(device_id)).device_state).toBe('1')
}

/** A file of the school, as a manifest names it. */
async function aFile(bytes: number): Promise<ContentRow> {
  const body = Buffer.concat([png, Buffer.alloc(bytes, randomUUID())])
  const file_key = `${school_id}/${me.user_id}/20261124/${randomUUID()}.png`
  const { app: desk, database } = app.running
  const enter = await keepMade({ app: desk, own: database.tenant.bind(database), now: app.clock.now() }, school_id, me.user_id, { file_key, purpose: 'resource', bytes: body })
  await inSchool(db => enter({ app: desk, db, school_id, now: app.clock.now() }, { ref_kind: 'test', ref_id: file_key }))
  return { row_key: `file:${createHash('sha256').update(body).digest('hex')}`, bytes: body.length, body: { bytes: body.length, mime: 'image/png' }, file_key }
}

const plan = (plan_hash: string): ContentRow => ({ row_key: 'plan', bytes: 0, body: { plan_version: 1, plan_hash } })
const declare = (device_id: string, rows: readonly ContentRow[], at = (version += 1)) => inSchool(db => declareContent({ app: app.running.app, db, school_id, now: app.clock.now() }, device_id, 'publishing', { version: at, rows }))

test('30-A28 a plan and its files come to every board, to the one that was off when it is back; the plan before is seen until all of it is there, and the picture of the board shows it', async () => {
  const [on, off] = [await aBoard(), await aBoard({ is_on: false })]
  const [small, large] = [await aFile(100), await aFile(60_000)]
  for (const { device_id } of [on, off]) await declare(device_id, [plan('plan-1'), large, small])
  await expect.poll(() => wordOf(on.device_id, 'plan')).toBe('playing')
  const rows = await rowsOf(on.device_id)
  expect([rows.get(small.row_key), rows.get(large.row_key)].map(row => [row?.reported, row?.bytes_done])).toEqual([['staged', small.bytes], ['staged', large.bytes]])
  expect([on.terminal.board?.files, off.terminal.board?.playing]).toEqual([[small.row_key, large.row_key], null])
  await turnOn(off.terminal, off.device_id)
  await expect.poll(() => wordOf(off.device_id, 'plan')).toBe('playing')
  const said = await events('device.board.receipt')
  expect(said.filter(one => one['device_id'] === on.device_id && one['row_key'] === 'plan').map(one => one['state'])).toEqual(['accepted', 'staged', 'playing'])

  await app.call(boardApi.screenshot, { device_id: on.device_id }, { token: me.token })
  await expect.poll(async () => (await boardOf(on.device_id)).screenshot_url).not.toBeNull()
  const { screenshot_url, content } = await boardOf(on.device_id)
  expect(content).toEqual({ total: 3, ready: 3, moving: 0, fault: 0 })
  const first = Buffer.from(await (await fetch(`${app.url}${screenshot_url ?? ''}`)).arrayBuffer())

  // Its file is missing in the store: the new plan cannot be shown, so that the old one stays, with its own file.
  const lost = { ...(await aFile(10)), file_key: `${school_id}/${me.user_id}/20261124/lost.png` }
  await declare(on.device_id, [plan('plan-2'), large, lost])
  await expect.poll(() => wordOf(on.device_id, lost.row_key)).toBe('fault')
  expect([on.terminal.board?.playing, on.terminal.board?.files]).toEqual(['plan-1', [small.row_key, large.row_key]])
  await declare(on.device_id, [plan('plan-2'), large])
  await expect.poll(() => wordOf(on.device_id, 'plan')).toBe('playing')
  await expect.poll(async () => [...(await rowsOf(on.device_id)).keys()].toSorted()).toEqual([large.row_key, 'plan'].toSorted())
  expect([on.terminal.board?.playing, on.terminal.board?.files]).toEqual(['plan-2', [large.row_key]])
  await app.call(boardApi.screenshot, { device_id: on.device_id }, { token: me.token })
  await expect.poll(async () => (await boardOf(on.device_id)).screenshot_url?.split('?')[0]).not.toBe(screenshot_url?.split('?')[0])
  expect(Buffer.from(await (await fetch(`${app.url}${(await boardOf(on.device_id)).screenshot_url ?? ''}`)).arrayBuffer()).equals(first)).toBe(false)
})

test('30-A28 a withdrawal reaches boards before any file that waits, also while nothing else is pushed, ends erased and stays wanted until then', async () => {
  const { terminal, device_id } = await aBoard()
  const file = await aFile(200)
  await declare(device_id, [plan('p'), file])
  await expect.poll(() => wordOf(device_id, 'plan')).toBe('playing')
  await app.call(deviceApi.ispush, { device_ids: [device_id], is_push: 0 }, { token: me.token })
  const next = await aFile(300)
  const revoke: ContentRow = { row_key: 'revoke:9', bytes: 0, body: { sha256: [file.row_key.slice('file:'.length)] } }
  await declare(device_id, [plan('p'), next, revoke])
  await expect.poll(() => wordOf(device_id, 'revoke:9')).toBe('erased')
  expect([terminal.board?.files, (await rowsOf(device_id)).get(next.row_key)?.state]).toEqual([[], 'pending'])
  expect((await events('device.board.withdrawn')).some(one => one['device_id'] === device_id && one['row_key'] === 'revoke:9')).toBe(true)
  await app.call(deviceApi.ispush, { device_ids: [device_id], is_push: 1 }, { token: me.token })
  await declare(device_id, [plan('p'), next])
  await expect.poll(() => wordOf(device_id, next.row_key)).toBe('staged')
  expect((await rowsOf(device_id)).has('revoke:9')).toBe(false)
})

test('a plan that is handed over to several boards changes on each what it has not yet; where one of them shows nothing, none is told', async () => {
  const [first, second] = [await aBoard({ is_on: false }), await aBoard({ is_on: false })]
  const file = await aFile(120)
  await declare(first.device_id, [plan('p'), file])
  const boards = [first.device_id, second.device_id]
  const declareAt = (device_ids: readonly string[], rows: readonly ContentRow[]) => inSchool(db => declareContentAt({ app: app.running.app, db, school_id, now: app.clock.now() }, device_ids, 'publishing', { version: (version += 1), rows }))
  const keys = async (id: string) => [...(await rowsOf(id)).keys()].toSorted()
  expect(await declareAt([...boards, second.device_id], [plan('p'), file])).toBe(2)
  expect([await keys(first.device_id), await keys(second.device_id)]).toEqual([[file.row_key, 'plan'].toSorted(), [file.row_key, 'plan'].toSorted()])
  expect(await declareAt(boards, [plan('p')])).toBe(2)
  const { device: gate } = dataOf(deviceApi.create, await app.call(deviceApi.create, { device_sn: 'NOSHOW', device_name: '不播放的终端', device_type: '01', model_code: 'JD-F10', place_id: campus }, { token: me.token }))
  await expect(declareAt([...boards, gate.device_id], [plan('q'), file])).rejects.toThrow('该型号不支持“内容播放”')
  expect(await declareAt(boards, [plan('p')])).toBe(0)
})

test('content is read back at night like everything else: what a board has lost or holds otherwise comes again, what nobody has sent is named', async () => {
  const { terminal, device_id } = await aBoard()
  const [file, other] = [await aFile(200), await aFile(300)]
  await declare(device_id, [plan('night'), file, other])
  await expect.poll(() => wordOf(device_id, 'plan')).toBe('playing')
  terminal.store.lose('content', file.row_key)
  terminal.store.spoil(other.row_key, 'ffffffffffffffff')
  terminal.store.enter('content', 'file:left-behind', 'eeeeeeeeeeeeeeee')
  expect((await app.call(syncApi.resync, { id: device_id, mode: 'verify' }, { token: me.token })).status).toBe(200)
  const states = async () => [...(await rowsOf(device_id)).values()].map(row => row.state)
  await expect.poll(states).toEqual(['proven', 'proven', 'proven'])
  const drift = async (resolved: '0' | '1') => dataOf(syncApi.drift, await app.call(syncApi.drift, { device_id, resolved }, { token: me.token })).list.map(one => [one.kind, one.row_key, one.found])
  expect(await drift('0')).toEqual([['content', 'file:left-behind', 'foreign']])
  expect((await drift('1')).toSorted()).toEqual([['content', file.row_key, 'missing'], ['content', other.row_key, 'different']].toSorted())
  expect([terminal.store.held('content').has(file.row_key), await wordOf(device_id, 'plan')]).toEqual([true, 'playing'])
})

test('the same manifest moves nothing, an older one is ignored, and a device that shows nothing is refused', async () => {
  const { device_id } = await aBoard({ is_on: false })
  expect(await declare(device_id, [plan('x')], 500)).toBe(1)
  expect([await declare(device_id, [plan('y')], 500), await declare(device_id, [plan('y')], 499), await declare(device_id, [plan('x')], 501)]).toEqual([0, 0, 0])
  const gate = dataOf(deviceApi.create, await app.call(deviceApi.create, { device_sn: 'GATE1', device_name: '闸机一', device_type: '01', model_code: 'JD-F10', place_id: campus }, { token: me.token })).device
  await expect(declare(gate.device_id, [plan('x')])).rejects.toThrow('该型号不支持“内容播放”')
})

test('a word that is older than the last one, and one on content that is gone, change nothing and are told nobody', async () => {
  const { terminal, device_id } = await aBoard()
  await declare(device_id, [plan('now')])
  await expect.poll(() => wordOf(device_id, 'plan')).toBe('playing')
  const told = (await events('device.board.receipt')).length
  terminal.tell('board', { row_key: 'plan', hash: 'before', state: 'fault' })
  await expect.poll(() => terminal.store.waiting).toBe(0)
  terminal.store.forgetNumbers()
  terminal.tell('board', { row_key: 'plan', hash: 'now', state: 'stopped' })
  terminal.tell('playstat', { rows: [{ content_id: '1', shown: 12 }] })
  await expect.poll(async () => (await events('device.board.playstat')).map(one => one['rows'])).toEqual([[{ content_id: '1', shown: 12 }]])
  expect([await wordOf(device_id, 'plan'), (await events('device.board.receipt')).length]).toEqual(['playing', told])
})

test('a ticket works once and for five minutes; with twenty boards at it the next one is told when to come again', async () => {
  const { device_id } = await aBoard({ is_on: false })
  const file = await aFile(50)
  const ticket = () => inSchool(db => makeTicket(db, { school_id, device_id }, { kind: 'download', row_key: file.row_key, file_key: file.file_key ?? '', now: app.clock.now() }))
  const { path } = await ticket()
  await inSchool(db => sql`insert into device_ticket (school_id, device_id, kind, row_key, token_digest, expires_at, started_at) select ${school_id}, n, 'download', 'x', n::text, now() + interval '1 hour', ${app.clock.now()} from generate_series(900001, 900020) n`.execute(db))
  const busy = await fetch(`${app.url}${path}`)
  expect([busy.status, Number(busy.headers.get('retry-after')) > 0]).toEqual([503, true])
  await inSchool(db => sql`update device_ticket set ended_at = now() where school_id = ${school_id} and row_key = 'x' and device_id = 900001`.execute(db))
  const sent = await fetch(`${app.url}${path}`)
  expect([sent.status, (await sent.arrayBuffer()).byteLength]).toEqual([200, file.bytes])
  await expect.poll(async () => (await fetch(`${app.url}${path}`)).status).toBe(404)
  const late = await ticket()
  app.clock.advance(5 * 60_000 + 1)
  expect((await fetch(`${app.url}${late.path}`)).status).toBe(404)
})

test('brightness and volume are set at once, 0 darkens the screen, and nothing waits for a board that is off', async () => {
  const { terminal, device_id } = await aBoard()
  const set = (brightness: number) => app.call(boardApi.brightness, { device_id, brightness }, { token: me.token })
  await set(0)
  await expect.poll(async () => (await boardOf(device_id)).power_state).toBe('dark')
  await app.call(boardApi.volume, { device_id, volume: 15 }, { token: me.token })
  await expect.poll(async () => { const { brightness, volume } = await boardOf(device_id); return [brightness, volume] }).toEqual([0, 15])
  expect(terminal.board?.display).toEqual({ brightness: 0, volume: 15 })
  expect((await set(101)).status).toBe(400)
  await terminal.stop()
  await expect.poll(async () => (await boardOf(device_id)).device_state).toBe('0')
  const refused = await set(50)
  expect([refused.status, refused.body.msg]).toEqual([409, '设备离线，操作未执行'])
  const nobody = await app.as({ school_id, codes: ['devices.board.view', 'devices.board.control'] })
  expect([(await app.call(boardApi.brightness, { device_id, brightness: 1 }, { token: nobody.token })).status, dataOf(boardApi.list, await app.call(boardApi.list, {}, { token: nobody.token })).total]).toEqual([404, 0])
})

test('90 board:{id} is told of what a board says of itself and of its content, to who may see where it stands', async () => {
  const { terminal, device_id } = await aBoard()
  const near = await app.as({ school_id, codes: ['devices.board.view'] })
  await expect(openLive(app.url, near.token, [`board:${device_id}`])).rejects.toThrow('watch answered 403')
  const live = await openLive(app.url, me.token, [`board:${device_id}`])
  const told = () => new Set(live.rows(`board:${device_id}`).map(row => row['what']))
  terminal.board?.set({ group: 'display', values: { brightness: 37 } })
  terminal.beat()
  await expect.poll(told).toEqual(new Set(['state']))
  await declare(device_id, [await aFile(10)])
  await expect.poll(() => [...told()].toSorted()).toEqual(['content', 'state'])
  await live.close()
})

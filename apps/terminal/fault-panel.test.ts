import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { AiBox } from './box/ai-box.ts'
import { openFaultPanel } from './fault-panel.ts'
import type { FaultPanel } from './fault-panel.ts'
import { JdevTerminal } from './jdev/terminal.ts'

const terminal = new JdevTerminal({ url: 'mqtt://127.0.0.1:1', sn: 'P1', secret: 'x' })
const State = z.looseObject({ store_id: z.string().optional(), rows: z.record(z.string(), z.array(z.unknown())).optional() })
let panel: FaultPanel

beforeAll(async () => {
  panel = await openFaultPanel(terminal, 0)
})
afterAll(async () => {
  await terminal.stop()
  await panel.close()
})

async function call(path: string, body?: unknown, token = panel.token, of = panel) {
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const response = await fetch(`http://127.0.0.1:${of.port}${path}`, { ...sent, headers: { authorization: `Bearer ${token}` } })
  return { status: response.status, body: State.parse(await response.json()) }
}

test('without its token nothing is shown and nothing spoilt', async () => {
  expect((await call('/_test/state', undefined, 'wrong')).status).toBe(401)
  expect((await call('/_test', { drop_next_replies: 3 }, '0'.repeat(32))).status).toBe(401)
  expect(terminal.faults.drop_replies).toBe(0)
})

test('what it is told happens to the terminal and stands in its state', async () => {
  const { status, body } = await call('/_test', { clock_offset_s: -90, drop_next_replies: 2, fire: true })
  expect(status).toBe(200)
  expect(body).toMatchObject({ clock_offset_s: -90, drop_next_replies: 2, door: { fire: true, open: false }, connected: false })
  expect([terminal.faults.clock_offset_ms, terminal.faults.drop_replies]).toEqual([-90_000, 2])
})

test('rows held stand with their hashes; a wipe loses them and gives the store another name', async () => {
  terminal.store.apply({ k: 'person', key: '7', op: 'put', ver: 1, hash: 'a'.repeat(16), body: {} })
  const before = await call('/_test/state')
  expect(before.body.rows?.person).toEqual([{ key: '7', ver: 1, hash: 'a'.repeat(16) }])
  const after = await call('/_test', { wipe: true, net: 'off' })
  expect(after.body).toMatchObject({ rows: { person: [] }, connected: false })
  expect(after.body.store_id).not.toBe(before.body.store_id)
})

test('a person who is entered at the device and a row that is spoilt stand in its state', async () => {
  terminal.store.apply({ k: 'person', key: '8', op: 'put', ver: 2, hash: 'b'.repeat(16), body: {} })
  const { body } = await call('/_test', { add_local_person: 'L1', corrupt_row: '8' })
  expect(body.rows?.person).toEqual([{ key: '8', ver: 2, hash: 'f'.repeat(16) }, { key: 'L1', ver: 0, hash: 'f'.repeat(16) }])
})

test('something happens before a camera of a box, and its state tells which rules warned', async () => {
  const box = new AiBox({ url: 'mqtt://127.0.0.1:1', sn: 'B1', secret: 'x', address: '' })
  const cameras = [{ sn: 'C1' }]
  for (const warn_kind of ['4', '7']) box.store.apply({ k: 'rule', key: `ai:${warn_kind}`, op: 'put', ver: 1, hash: 'a'.repeat(16), body: { kind: 'warn', rule_id: warn_kind, warn_kind, cameras, sensitivity: 60, dwell_sec: 10 } })
  const of = await openFaultPanel(box, 0)
  const { body } = await call('/_test', { see: { kind: '4', camera: 'C1', lasts_s: 12 } }, of.token, of)
  await of.close()
  expect(body['scenes']).toMatchObject([{ kind: '4', camera: 'C1', warned: ['4'], silent: [{ rule_id: '7', why: 'kind' }] }])
  expect(box.store.oldest(9)).toMatchObject([{ type: 'warn', kind: '4', camera: 'C1', rule_id: '4', score: 95 }])
})

test('a name that it does not know, a number out of range, no JSON and too much are refused whole', async () => {
  const before = terminal.faults.drop_replies
  expect((await call('/_test', { drop_next_replies: 9, explode: true })).status).toBe(400)
  expect((await call('/_test', { drop_next_replies: -1 })).status).toBe(400)
  expect((await call('/_test', { see: { kind: '4', camera: 'C1' } })).status).toBe(400)
  expect((await call('/_test', { net: 'x'.repeat(9000) })).status).toBe(413)
  expect((await call('/elsewhere')).status).toBe(404)
  expect(terminal.faults.drop_replies).toBe(before)
})

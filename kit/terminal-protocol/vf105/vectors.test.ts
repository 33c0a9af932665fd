import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { DownRow } from '../index.ts'
import { vf105Driver as driver } from './index.ts'

const Row = DownRow.extend({ photo: z.string().optional() })
const Wire = z.object({ topic: z.string(), bytes: z.string() })
const session = { client_id: 'S1', prefix: 'jdev' }
const stamp = { id: '01234567-89ab-cdef-0123-456789abcdef', seq: 1, epoch: 'e', at: '2026-11-20T08:00:00+08:00', ...session }

function read<T extends z.ZodType>(name: string, schema: T): z.output<T>[] {
  return z.array(schema).parse(JSON.parse(readFileSync(join(import.meta.dirname, 'vectors', `${name}.json`), 'utf8')))
}

const commands = read('commands', z.object({ name: z.string(), rows: z.array(Row), sent: z.array(Wire) }))
const blocked = read('blocked', z.object({ name: z.string(), row: Row, code: z.string() }))
const receipts = read('receipts', z.object({ name: z.string(), action: z.string(), rows: z.array(Row), bytes: z.string(), receipts: z.array(z.string()) }))
const events = read('events', Wire.extend({ name: z.string(), inbound: z.record(z.string(), z.unknown()), answer: Wire.nullable() }))

test('31-A3 there are at least 120 golden vectors', () => {
  expect(commands.length + blocked.length + receipts.length + events.length).toBeGreaterThanOrEqual(120)
})

test.each(commands)('31-A3 command: $name', ({ rows, sent }) => {
  const { requests, blocked: stopped } = driver.plan(rows, driver.limits('VF105'))
  expect(stopped).toEqual([])
  expect(requests.map(request => driver.encode({ ...request, stamp })).map(({ topic, bytes }) => ({ topic, bytes: Buffer.from(bytes).toString() }))).toEqual(sent)
})

test.each(blocked)('31-A3 never sent: $name', ({ row, code }) => {
  expect(driver.plan([row], driver.limits('VF105'))).toMatchObject({ requests: [], blocked: [{ key: row.key, status: 'blocked', code }] })
})

test.each(receipts)('31-A3 answer: $name', ({ action, rows, bytes, receipts: statuses }) => {
  const inbound = driver.decode(`jdev/S1/access_device/v2/cmd/${action}_reply`, Buffer.from(bytes), session)
  const settled = inbound.kind === 'reply' ? driver.settle({ action, rows, is_read: false }, inbound.reply) : []
  expect(settled.map(one => one.status)).toEqual(statuses)
})

test.each(events)('31-A3 event: $name', ({ topic, bytes, inbound, answer }) => {
  const heard = driver.decode(topic, Buffer.from(bytes), session)
  expect(heard).toMatchObject(inbound)
  const said = driver.acknowledge(heard, stamp)
  expect(said ? { topic: said.topic, bytes: Buffer.from(said.bytes).toString() } : null).toEqual(answer)
})

test.each(events)('31-A14 nothing secret is left of: $name', ({ topic, bytes }) => {
  const heard = driver.decode(topic, Buffer.from(bytes), session)
  expect(JSON.stringify(heard)).not.toMatch(/secret9|hush/)
})

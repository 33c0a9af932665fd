import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { commandTopic, encodeSaid, ownPrefix, readSaid, replyTopic, vf105Driver as driver } from '@kit/terminal-protocol/vf105'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { Lab, prefix, sn } from '../testing/lab.ts'
import { playVf105 } from '../testing/played.ts'
import { card, face, permission, person } from '../testing/rows.ts'
import { actions } from './commands.ts'

const Wire = z.object({ topic: z.string(), bytes: z.string() })
/** What a device that holds one permission, person, card and face, and one record, answers to a command: `reply` null where it is silent. */
const Vector = z.object({ name: z.string(), action: z.string(), sent: Wire, reply: Wire })
const file = join(import.meta.dirname, '../../../kit/terminal-protocol/vf105/vectors/device.json')
const vectors = z.array(Vector).parse(JSON.parse(readFileSync(file, 'utf8')))
const own = ownPrefix(prefix, sn)
const reads = /^get/u

/** A device before each vector. */
function aDevice() {
  const played = playVf105()
  const lab = new Lab(driver, played)
  lab.sync([permission(), person('7'), card('70', '7', 'AB12'), face('7')])
  played.device.present('200', 'AB12')
  const said: z.output<typeof Wire>[] = []
  played.connect((topic, bytes) => said.push({ topic, bytes: Buffer.from(bytes).toString() }))
  said.length = 0
  return { ...played, said }
}

test.each(vectors)('31-A3 the device byte for byte: $name', async ({ sent, reply }) => {
  const { device, said } = aDevice()
  device.receive(sent.topic, Buffer.from(sent.bytes))
  await expect.poll(() => said).toEqual([reply])
})

test('31-A3 each of the 25 commands is among them, done, and refused where it can be; both sides agree on topics, serial and code', () => {
  expect([...new Set(vectors.map(one => one.action))].toSorted()).toEqual([...actions].toSorted())
  for (const { name, action, sent, reply } of vectors) {
    expect([name, sent.topic, reply.topic]).toEqual([name, commandTopic(own, sn, action), replyTopic(own, action)])
    const read = readSaid(Buffer.from(sent.bytes))
    const asked = 'said' in read ? read.said : undefined
    expect(encodeSaid({ serialNo: asked?.serialNo ?? '', uuid: sn, time: asked?.time ?? 0 }, asked?.data).toString()).toBe(sent.bytes)
    expect(driver.decode(reply.topic, Buffer.from(reply.bytes), { client_id: sn, prefix })).toMatchObject({ kind: 'reply', reply: { re: asked?.serialNo, code: z.object({ code: z.string() }).parse(JSON.parse(reply.bytes)).code } })
  }
  expect(new Set(vectors.filter(one => answerOf(one).code === '000000').map(one => one.action)).size).toBe(actions.length - 1)
  expect(new Set(vectors.filter(one => answerOf(one).code !== '000000').map(one => one.action)).size).toBeGreaterThan(18)
})

test('31-A3 what is done carries no data, what is refused an array; a configuration is an object both ways, and what was asked for is there', () => {
  for (const one of vectors) {
    const { code, data } = answerOf(one)
    const shape = data === undefined ? 'none' : Array.isArray(data) ? 'array' : 'object'
    const wanted = one.action === 'setConfig' && code !== '200000' ? 'object' : code !== '000000' ? 'array' : reads.test(one.action) ? 'object' : one.name.includes('picture') ? 'object' : 'none'
    expect([one.name, shape]).toEqual([one.name, wanted])
  }
})

function answerOf({ reply: { bytes } }: z.output<typeof Vector>): { code: string; data?: unknown } {
  return z.looseObject({ code: z.string() }).parse(JSON.parse(bytes))
}

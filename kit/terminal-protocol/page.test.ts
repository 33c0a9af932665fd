import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { decodeUp, DownRow, EventUp, ImageItem, PassItem, readEnvelope, WarnItem, WarnRuleBody } from './index.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/terminal-protocol.md'), 'utf8')
const blocks = [...page.matchAll(/```json\n(.*?)\n```/gsu)].map(([, json = '']) => json)
/** What the server says; the other messages are the device's. */
const is_down = (json: string) => /"type": "(?:cmd|sync\.rows)"/u.test(json)
const up = blocks.filter(json => !is_down(json))

test('what the server says on the page is in its envelope', () => {
  expect(blocks.filter(is_down).map(json => 'envelope' in readEnvelope(Buffer.from(json)))).toEqual([true, true, true, true])
})

test('the rule of a box on the page is one', () => {
  const { rows } = z.object({ body: z.object({ rows: z.array(DownRow) }) }).parse(JSON.parse(blocks.find(json => json.includes('sync.rows')) ?? '{}')).body
  expect(rows.map(row => WarnRuleBody.safeParse(row.body).success)).toEqual([true])
})

test('every message of the page is one that the server understands', () => {
  const read = up.map(json => decodeUp(Buffer.from(json)))
  expect(read.map(one => ('message' in one ? one.message.type : one.bad))).toEqual(['hello', 'state', 'reply', 'reply', 'event', 'event', 'event', 'reply', 'event'])
})

test('the pass, the warning and the picture of the page are what they say', () => {
  const items = up.map(json => decodeUp(Buffer.from(json))).flatMap(read => ('message' in read && read.message.type === 'event' ? EventUp.parse(read.message.body).items : []))
  expect([PassItem, WarnItem, ImageItem].map((schema, at) => schema.safeParse(items[at]).success)).toEqual([true, true, true])
})

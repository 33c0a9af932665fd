import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { decodeUp, EventUp, PassItem } from './index.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/terminal-protocol.md'), 'utf8')
const blocks = [...page.matchAll(/```json\n(.*?)\n```/gsu)].map(([, json = '']) => json)

test('every message of the page is one that the server understands', () => {
  const read = blocks.map(json => decodeUp(Buffer.from(json)))
  expect(read.map(one => ('message' in one ? one.message.type : one.bad))).toEqual(['hello', 'state', 'reply', 'reply', 'event'])
})

test('the pass of the page is a pass', () => {
  const last = decodeUp(Buffer.from(blocks.at(-1) ?? ''))
  const items = 'message' in last ? EventUp.parse(last.message.body).items : []
  expect(items.map(item => PassItem.safeParse(item).success)).toEqual([true])
})

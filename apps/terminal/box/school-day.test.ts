import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rowHash } from '@kit/terminal-protocol'
import type { WarnRuleBody } from '@kit/terminal-protocol'
import { afterAll, expect, test } from 'vitest'
import { AiBox } from './ai-box.ts'
import { SchoolDay } from './school-day.ts'

const folder = mkdtempSync(join(tmpdir(), 'campus-box-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const at = (text: string) => new Date(`${text}:00+08:00`)
const rule: WarnRuleBody = { kind: 'warn', rule_id: '7', warn_kind: '4', cameras: [{ sn: 'C1' }], sensitivity: 100, dwell_sec: 0 }
const put = (body: Record<string, unknown>, ver = 1) => ({ k: 'rule' as const, key: 'ai:7', op: 'put' as const, ver, hash: rowHash(body), body })

function aBox(more: { file?: string; algorithms?: readonly string[] } = {}): AiBox {
  return new AiBox({ url: 'mqtt://127.0.0.1:1', sn: 'B1', secret: 'x', address: '', ...more })
}

/** What happens before a camera from one moment to another, as the box has judged it. */
function seen(seed: string, from: string, to: string, rules: readonly WarnRuleBody[] = [rule]) {
  const box = aBox()
  for (const body of rules) box.store.apply(put(body))
  const day = new SchoolDay([box], { a_day: 8, seed }, at(from))
  day.pass(at(to))
  day.pass(at(to))
  return box.scenes
}

test('a school day is always the same with the same seed, and lies within the hours of school', () => {
  const scenes = seen('s', '2026-11-24T00:00', '2026-11-25T00:00')
  expect(scenes).toHaveLength(8)
  expect(scenes).toEqual(seen('s', '2026-11-24T00:00', '2026-11-25T00:00'))
  expect(scenes).not.toEqual(seen('t', '2026-11-24T00:00', '2026-11-25T00:00'))
  expect(scenes.every(scene => scene.at > at('2026-11-24T07:29').toISOString() && scene.at < at('2026-11-24T17:30').toISOString() && scene.warned.length === 1)).toBe(true)
})

test('nothing happens at weekends, without a rule, at the time of no rule, or of what was due before the start', () => {
  expect(seen('s', '2026-11-28T00:00', '2026-11-30T00:00')).toEqual([])
  expect(seen('s', '2026-11-24T00:00', '2026-11-25T00:00', [])).toEqual([])
  expect(seen('s', '2026-11-24T00:00', '2026-11-25T00:00', [{ ...rule, weekly: { 2: [{ from: '22:00', to: '24:00' }] } }])).toEqual([])
  expect(seen('s', '2026-11-24T17:31', '2026-11-25T00:00')).toEqual([])
})

test('rules are kept when the power is cut, and the names of pictures do not come again', () => {
  const file = join(folder, 'b1.json')
  const before = aBox({ file })
  before.store.apply(put(rule))
  const after = aBox({ file })
  expect(after.rules).toEqual([rule])
  expect(after.see({ kind: '4', camera: 'C1' })).not.toBe(before.see({ kind: '4', camera: 'C1' }))
})

test('what it has no algorithm for, what is not whole and what it has no room for is refused', () => {
  const box = aBox({ algorithms: ['4'] })
  expect(box.refusalOf(put(rule))).toBeUndefined()
  expect(box.refusalOf(put({ ...rule, warn_kind: '7' }))?.code).toBe('algorithm')
  expect(box.refusalOf(put({ kind: 'warn' }))?.code).toBe('body')
  for (let n = 0; n < 64; n += 1) box.store.apply({ ...put(rule), key: `ai:${n}` })
  expect([box.refusalOf(put(rule)), box.refusalOf({ ...put(rule), key: 'ai:99' })?.code]).toEqual([undefined, 'full'])
})

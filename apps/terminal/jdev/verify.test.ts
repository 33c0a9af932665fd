import { expect, test } from 'vitest'
import { credential, permission, person } from '../testing/rows.ts'
import { TerminalStore } from './store.ts'
import { verify } from './verify.ts'

const code = '2A83155E'
/** A Monday within the hours of the permission. */
const end = new Date('2026-11-23T08:00:00+08:00')

test('a credential with an end is taken until its last millisecond, and from the next one on refused', () => {
  const store = new TerminalStore()
  for (const row of [permission(), person('7'), credential('c7', { user_id: '7', kind: 'card', code, until: end.toISOString() })]) store.apply(row)
  const at = (ms: number) => verify(store, { kind: 'card', code }, { at: new Date(end.getTime() + ms), is_fire: false, mode: 'normal' })
  expect(at(-1)).toMatchObject({ result: 1 })
  expect(at(0)).toMatchObject({ result: 2, reason: 'expired', user_id: '7' })
})

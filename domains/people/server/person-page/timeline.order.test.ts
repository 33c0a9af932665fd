import { expect, test } from 'vitest'
import { beforeIn, newestFirst } from './timeline.service.ts'

const at = '2026-09-01T00:00:00.000Z'
const item = (lane: string, id: string, when = at) => ({ lane, id, at: when, domain: 'd', kind: 'k', link: null })

test('items of one instant have one order, and a page goes on after its last item without a gap or a repetition', () => {
  const all = ['b1', 'a2', 'c1', 'a1', 'b2'].map(name => item(name.slice(0, 1), name.slice(1))).toSorted(newestFirst)
  expect(all.map(one => one.lane + one.id)).toEqual(['a2', 'a1', 'b2', 'b1', 'c1'])
  for (const [n, last] of all.entries()) {
    const rest = all.filter(one => one.id < beforeIn(one.lane, last).below)
    expect(rest).toEqual(all.slice(n + 1))
  }
  expect(newestFirst(item('a', '1'), item('a', '1', '2026-09-02T00:00:00.000Z'))).toBe(1)
})

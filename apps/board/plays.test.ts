import { expect, test } from 'vitest'
import { PlayCount } from './plays.ts'

const hour = Date.parse('2026-11-20T08:00:00Z')
const on = (...ids: string[]) => new Set(ids)

test('contents are counted by the hour: how often they came and how long they were there; a gap is no playing', () => {
  const count = new PlayCount()
  const looks: [number, Set<string>][] = [
    [0, on('1')],
    [1000, on('1', '2')],
    [2000, on('2')],
    [3000, on('1')],
    [600_000, on('1')],
    [601_000, on()],
  ]
  for (const [after, shown] of looks) count.look(hour + after, shown)
  expect(count.next()).toEqual([
    { hour, content_id: '1', plays: 2, ms: 3000 },
    { hour, content_id: '2', plays: 1, ms: 2000 },
  ])
})

test('a restarted screen goes on with what it has kept; a told hour is forgotten when it is over', () => {
  const first = new PlayCount()
  first.look(hour, on('1'))
  first.look(hour + 1000, on('1'))
  const again = new PlayCount(first.kept())
  again.look(hour + 2000, on('1'))
  again.look(hour + 3000, on('1'))
  expect(again.next()).toEqual([{ hour, content_id: '1', plays: 2, ms: 2000 }])
  again.told(again.next(), hour + 4000)
  expect(again.next()).toHaveLength(1)
  again.told(again.next(), hour + 3_600_000)
  expect(again.next()).toEqual([])
})

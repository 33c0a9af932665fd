import { expect, test } from 'vitest'
import { createBacklog, most_waiting } from './backlog.ts'

const at = new Date('2026-11-20T00:00:00Z')
const rows = (count: number) => Array.from({ length: count }, (_, n) => ({ n }))

function frames(backlog: ReturnType<typeof createBacklog>) {
  return [...backlog.take()].flatMap(([ch, waiting]) => backlog.frames(ch, waiting, at))
}

test('rows come in frames of fifty, numbered without a hole, each channel by itself', () => {
  const backlog = createBacklog()
  backlog.add({ ch: 'alarm', rows: rows(60) })
  backlog.add({ ch: 'alarm', rows: rows(60) })
  backlog.add({ ch: 'me', rows: rows(1) })
  expect(frames(backlog).map(({ ch, n, rows: told }) => [ch, n, told.length])).toEqual([['alarm', 1, 50], ['alarm', 2, 50], ['alarm', 3, 20], ['me', 1, 1]])
  backlog.add({ ch: 'alarm', rows: rows(1) })
  expect(frames(backlog)).toEqual([{ ch: 'alarm', n: 4, at: '2026-11-20T00:00:00.000Z', rows: [{ n: 0 }] }])
})

test('more than the bound leaves a gap instead of rows, and says so once', () => {
  const backlog = createBacklog()
  for (let part = 0; part < 11; part += 1) backlog.add({ ch: 'alarm', rows: rows(most_waiting / 10) })
  backlog.add({ ch: 'me', rows: rows(2) })
  expect(frames(backlog)).toMatchObject([{ ch: 'alarm', n: 1, rows: [], gap: true }, { ch: 'me', n: 1, rows: [{ n: 0 }, { n: 1 }] }])
  expect(backlog.isEmpty()).toBe(true)
})

test('what is not watched any more is forgotten', () => {
  const backlog = createBacklog()
  backlog.add({ ch: 'alarm', rows: rows(1) })
  backlog.keep(new Set(['me']))
  expect(frames(backlog)).toEqual([])
})

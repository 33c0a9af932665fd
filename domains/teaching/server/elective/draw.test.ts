import { expect, test } from 'vitest'
import { drawKey, drawSeats, hashOfSeed } from './draw.ts'

const seed = 'a'.repeat(64)
const seats = { 1: 1, 2: 1, 3: 5 }
const apart = { 1: ['2'], 2: ['1'] }
const pupils = [['S1', ['1', '3']], ['S2', ['1', '2']], ['S3', ['2', '3']], ['S4', ['3', '1']]] as const
const lines = pupils.map(([no, wishes]) => ({ key: drawKey(seed, '7', no), wishes, held: [] }))

test('50-A22 the draw is the same for everybody who has the seed: permuted rows change nothing, no place is given twice, who got nothing comes first', () => {
  const drawn = drawSeats({ max_pick: 2, seats, apart, lines })
  expect(drawSeats({ max_pick: 2, seats, apart, lines: lines.toReversed() })).toEqual(drawn)
  expect(drawn.map(one => one.key)).toEqual(lines.map(one => one.key).toSorted())
  for (const [offer_id, places] of Object.entries(seats)) expect(drawn.flatMap(one => one.wishes)
    .filter(wish => wish.offer_id === offer_id && wish.result === 'won').length).toBeLessThanOrEqual(places)
  const [first_on_1] = drawn.filter(one => one.wishes[0]?.offer_id === '1')
  expect(first_on_1?.wishes[0]?.result).toBe('won')
  expect(hashOfSeed(seed)).toMatch(/^[0-9a-f]{64}$/u)
})

test('courses that meet are not drawn together, and no more than the pupil may have', () => {
  const one = [{ key: 'a', wishes: ['1', '2', '3'], held: [] }]
  expect(drawSeats({ max_pick: 2, seats, apart, lines: one })[0]?.wishes.map(wish => wish.result)).toEqual(['won', 'apart', 'won'])
  expect(drawSeats({ max_pick: 1, seats, apart, lines: one })[0]?.wishes.map(wish => wish.result)).toEqual(['won', 'enough', 'enough'])
})

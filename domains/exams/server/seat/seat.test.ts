import { describe, expect, test } from 'vitest'
import { adjust } from './adjust.ts'
import { apartCells, cellsOf } from './room.ts'
import type { Room } from './room.ts'
import { neighboursOf, seat } from './seat.ts'
import type { Candidate } from './seat.ts'

const room = (n: number, more: Partial<Room> = {}): Room => ({ room_id: `r${n}`, number: n, col_count: 5, row_count: 6, path: 'S', blocked: [], ...more })
const rooms = (count: number) => Array.from({ length: count }, (_, at) => room(at + 1))
const pupils = (...sizes: number[]): Candidate[] => sizes.flatMap((size, dept) => Array.from({ length: size }, (_, at) => ({ user_id: `${dept}-${String(at).padStart(3, '0')}`, dept_id: `d${dept}`, exam_no: `${dept}${String(at).padStart(3, '0')}`, front: false })))
const run = (candidates: Candidate[], of: Room[], seed = 1) => seat({ candidates, rooms: of, mode: 'random', seed })

describe('55-A19 seating keeps classmates apart', () => {
  test.each([
    { name: '430 of 10 classes in 15 rooms', sizes: Array.from({ length: 10 }, () => 43), count: 15, seeds: 100 },
    { name: '43 and 43 in 3 rooms', sizes: [43, 43], count: 3, seeds: 100 },
    { name: '60, 20, 20 in 4 rooms', sizes: [60, 20, 20], count: 4, seeds: 100 },
    { name: '10, 10, 10 in one room', sizes: [10, 10, 10], count: 1, seeds: 20 },
    { name: '3,906 in 131 rooms', sizes: Array.from({ length: 90 }, (_, at) => (at < 36 ? 44 : 43)), count: 131, seeds: 1 },
  ])('$name', ({ sizes, count, seeds }) => {
    const [candidates, of] = [pupils(...sizes), rooms(count)]
    for (let seed = 1; seed <= seeds; seed++) {
      const plan = run(candidates, of, seed)
      if ('kind' in plan) throw new Error(plan.kind)
      expect([plan.violations, plan.seats.length, new Set(plan.seats.map(one => one.user_id)).size]).toEqual([0, candidates.length, candidates.length])
      const in_rooms = of.map(one => plan.seats.filter(each => each.room_id === one.room_id).length)
      expect(Math.max(...in_rooms) - Math.min(...in_rooms)).toBeLessThanOrEqual(1)
    }
  })
  test('60, 20, 20: fifteen of the large class in each room', () => {
    const plan = run(pupils(60, 20, 20), rooms(4))
    expect('seats' in plan && rooms(4).map(one => plan.seats.filter(each => each.room_id === one.room_id && each.user_id.startsWith('0-')).length)).toEqual([15, 15, 15, 15])
  })
  test('61, 20, 19 is refused with the class and both numbers; too few seats too', () => {
    expect(run(pupils(61, 20, 19), rooms(4))).toEqual({ kind: 'neighbour', dept_id: 'd0', count: 61, most: 60 })
    expect(run(pupils(31), rooms(1))).toEqual({ kind: 'capacity', need: 31, have: 30 })
  })
  test('the same seed gives the same plan, another one another', () => {
    const hash = (seed: number) => { const plan = run(pupils(20, 20), rooms(2), seed); return 'plan_hash' in plan ? plan.plan_hash : '' }
    expect([hash(7) === hash(7), hash(7) === hash(8)]).toEqual([true, false])
  })
})

test.each([
  { name: 'whole', of: room(1), most: 15 }, { name: 'odd', of: room(1, { col_count: 3, row_count: 3 }), most: 5 },
  { name: 'corners of one colour gone', of: room(1, { col_count: 3, row_count: 3, blocked: [0, 2, 6, 8] }), most: 4 }, { name: 'one row', of: room(1, { col_count: 1, row_count: 7 }), most: 4 },
])('$name: a room takes $most of one class', ({ of, most }) => expect(apartCells(of)).toHaveLength(most))

test('seats are numbered along the path', () => {
  expect(cellsOf(room(1, { col_count: 2, row_count: 3 }))).toEqual([0, 2, 4, 5, 3, 1])
  expect(cellsOf(room(1, { col_count: 2, row_count: 3, path: 'Z', blocked: [2] }))).toEqual([0, 4, 1, 3, 5])
})

test('pupils who need the front sit in the first two rows', () => {
  const candidates = pupils(12, 12).map((one, at) => ({ ...one, front: at % 6 === 0 }))
  const plan = run(candidates, rooms(1))
  expect('seats' in plan && [plan.violations, plan.seats.filter(one => candidates.find(each => each.user_id === one.user_id)?.front).every(one => one.cell < 10)]).toEqual([0, true])
})

test('55-A20 three more and two fewer change three seats; a lost room moves its own pupils only', () => {
  const [candidates, of] = [pupils(40, 40, 40), rooms(5)]
  const plan = run(candidates, of)
  if ('kind' in plan) throw new Error(plan.kind)
  const depts = new Map(candidates.map(one => [one.user_id, one.dept_id]))
  const added = ['x', 'y', 'z'].map((user_id, at) => ({ user_id, dept_id: `d${at}`, exam_no: null, front: false }))
  const next = adjust({ seats: plan.seats, rooms: of, depts, added, removed: ['0-001', '1-001'] })
  const before = new Map(plan.seats.map(one => [one.user_id, `${one.room_id} ${one.cell}`]))
  const changed = next.seats.filter(one => before.get(one.user_id) !== `${one.room_id} ${one.cell}`).map(one => one.user_id)
  expect([changed, next.moves.length, next.unseated]).toEqual([['x', 'y', 'z'], 5, []])
  const known = new Map([...depts, ...added.map((one): [string, string] => [one.user_id, one.dept_id])])
  expect(neighboursOf(next.seats, of, id => known.get(id))).toEqual([])
  const lost = adjust({ seats: plan.seats, rooms: [...of.slice(1), room(9)], depts, added: [], removed: [] })
  expect([lost.moves.length, lost.moves.every(one => one.from?.room_id === 'r1'), lost.unseated, neighboursOf(lost.seats, [...of, room(9)], id => depts.get(id))]).toEqual([24, true, [], []])
})

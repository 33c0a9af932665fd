import { createHash } from 'node:crypto'
import { shuffled, randomOf } from './random.ts'
import { apartCells, besides, cellsOf, colourOf } from './room.ts'
import type { Room } from './room.ts'
import { dealClasses, least } from './spread.ts'

/** Who is to be seated; `front`: in the first two rows. */
export type Candidate = { user_id: string; dept_id: string; exam_no: string | null; front: boolean }
export type Seated = { user_id: string; room_id: string; seat: number; cell: number }
/** Why a plan cannot be: too few seats, or a class too large to be kept apart. */
export type Refused = { kind: 'capacity'; need: number; have: number } | { kind: 'neighbour'; dept_id: string; count: number; most: number }
export type Plan = { seats: Seated[]; violations: number; plan_hash: string }
type Asked = { candidates: readonly Candidate[]; rooms: readonly Room[]; mode: 'random' | 'number'; seed: number }

const front_rows = 2
type Facts = { room: Room; cells: number[]; apart: number[] }

/**
 * Seats candidates: pupils of one class are never neighbours, classes are spread over the rooms, rooms are evenly full (chapter 55 rules 24–26). Pure: the same
 * candidates, rooms and seed give the same plan. Built by the two colours of the board: cells of one colour are never neighbours, so whole classes go
 * onto one colour and at most one class is split; what a split leaves is repaired by swaps.
 */
export function seat({ candidates, rooms, mode, seed }: Asked): Plan | Refused {
  const facts = rooms.map((room): Facts => ({ room, cells: cellsOf(room), apart: apartCells(room) }))
  const have = facts.reduce((sum, { cells }) => sum + cells.length, 0)
  if (candidates.length > have) return { kind: 'capacity', need: candidates.length, have }
  const by_dept = Map.groupBy(candidates.toSorted((a, b) => a.user_id.localeCompare(b.user_id)), one => one.dept_id)
  const most = facts.reduce((sum, { apart }) => sum + apart.length, 0)
  const large = [...by_dept].find(([, group]) => group.length > most)
  if (large) return { kind: 'neighbour', dept_id: large[0], count: large[1].length, most }
  if (mode === 'number') return planOf(byNumber(candidates, facts), facts, candidates)
  const sizes = new Map([...by_dept].map(([dept_id, group]) => [dept_id, group.length]))
  const spread = dealClasses(sizes, facts.map(({ room, cells, apart }) => ({ room_id: room.room_id, capacity: cells.length, apart: apart.length })))
  const [dept_id = '', count = 0] = least([...sizes], ([, size]) => -size) ?? []
  if (!spread) return { kind: 'neighbour', dept_id, count, most }
  const random = randomOf(seed)
  const queues = new Map([...by_dept].map(([dept, group]) => [dept, shuffled(group, random)]))
  const seats = facts.flatMap(one => {
    const groups = [...(spread.get(one.room.room_id) ?? [])].filter(([, n]) => n > 0).map(([dept, n]) => queues.get(dept)?.splice(0, n) ?? [])
    return fillRoom(one, groups, random)
  })
  return planOf(seats, facts, candidates)
}

/** Rooms are filled in the order of exam numbers, along the path of each room; neighbours of one class are only counted. */
function byNumber(candidates: readonly Candidate[], facts: readonly Facts[]): Seated[] {
  const sorted = candidates.toSorted((a, b) => (a.exam_no ?? '').localeCompare(b.exam_no ?? '') || a.user_id.localeCompare(b.user_id))
  const places = facts.flatMap(({ room, cells }) => cells.map((cell, at) => ({ room_id: room.room_id, seat: at + 1, cell })))
  return sorted.flatMap(({ user_id }, at) => (places[at] ? [{ user_id, ...places[at] }] : []))
}

/** One room: classes onto the two colours, the largest first; the one that fits neither is split and its parts are kept away from each other. */
function fillRoom({ room, cells, apart }: Facts, groups: readonly Candidate[][], random: () => number): Seated[] {
  const taken = new Map<number, Candidate>()
  const put = (cell: number, one: Candidate) => taken.set(cell, one)
  const sorted = groups.toSorted((a, b) => b.length - a.length)
  const sides = [0, 1].map(colour => cells.filter(cell => colourOf(cell, room) === colour))
  const [first, ...rest] = sorted
  const is_large = first !== undefined && first.length > Math.max(...sides.map(side => side.length))
  if (is_large) shuffled(apart, random).slice(0, first.length).forEach((cell, at) => { const one = first[at]; if (one) put(cell, one) })
  const room_left = sides.map(side => side.filter(cell => !taken.has(cell)).length)
  const whole: Candidate[][][] = [[], []]
  const split: Candidate[] = []
  for (const group of is_large ? rest : sorted) {
    const side = least([0, 1].filter(one => (room_left[one] ?? 0) >= group.length), one => (room_left[one] ?? 0) - group.length)
    if (side === undefined) split.push(...group)
    else {
      whole[side]?.push(group)
      room_left[side] = (room_left[side] ?? 0) - group.length
    }
  }
  placeSplit(split, room_left)
  whole.forEach((of_side, side) => {
    const free = shuffled((sides[side] ?? []).filter(cell => !taken.has(cell)), random)
    of_side.flat().forEach((one, at) => { const cell = free[at]; if (cell !== undefined) put(cell, one) })
  })
  repair(room, cells, taken)
  frontFirst(room, cells, taken)
  return [...taken].map(([cell, { user_id }]) => ({ user_id, room_id: room.room_id, seat: cells.indexOf(cell) + 1, cell }))

  /** Those of a split class on one colour sit at the front, those on the other at the back. */
  function placeSplit(of: readonly Candidate[], free: readonly number[]): void {
    const [black = [], white = []] = sides.map(side => side.filter(cell => !taken.has(cell)).toSorted((a, b) => a - b))
    const front = Math.min(free[0] ?? 0, of.length)
    of.slice(0, front).forEach((one, at) => { const cell = black[at]; if (cell !== undefined) put(cell, one) })
    of.slice(front).forEach((one, at) => { const cell = white.at(-1 - at); if (cell !== undefined) put(cell, one) })
  }
}

type Taken = Map<number, Candidate>

const conflictsAt = (room: Room, taken: Taken, cell: number, one: Candidate) => besides(cell, room).filter(beside => taken.get(beside)?.dept_id === one.dept_id && taken.get(beside) !== one).length

/** Swaps pupils, or moves them to empty seats, while neighbours of one class become fewer. */
function repair(room: Room, cells: readonly number[], taken: Taken): void {
  for (const cell of cells) {
    const one = taken.get(cell)
    if (!one || conflictsAt(room, taken, cell, one) === 0) continue
    for (const other of cells) if (trySwap(room, taken, cell, other, true)) break
  }
}

/** Exchanges two cells when that makes no new neighbours; `fewer`: only when it makes fewer. */
function trySwap(room: Room, taken: Taken, a: number, b: number, fewer: boolean): boolean {
  const total = () => [a, b].reduce((sum, cell) => { const one = taken.get(cell); return one ? sum + conflictsAt(room, taken, cell, one) : sum }, 0)
  const before = total()
  exchange(taken, a, b)
  const after = total()
  if (fewer ? after < before : after <= before) return true
  exchange(taken, a, b)
  return false
}

function exchange(taken: Taken, a: number, b: number): void {
  const [one, two] = [taken.get(a), taken.get(b)]
  taken.delete(a)
  taken.delete(b)
  if (one) taken.set(b, one)
  if (two) taken.set(a, two)
}

/** Pupils who need the front go to the first rows, in exchange with somebody who does not. */
function frontFirst(room: Room, cells: readonly number[], taken: Taken): void {
  const is_front = (cell: number) => cell < front_rows * room.col_count
  for (const cell of cells) {
    if (!taken.get(cell)?.front || is_front(cell)) continue
    for (const other of cells) if (is_front(other) && !taken.get(other)?.front && trySwap(room, taken, cell, other, false)) break
  }
}

/** Pairs of neighbours of one class. */
export function neighboursOf(seats: readonly Seated[], rooms: readonly Room[], deptOf: (user_id: string) => string | undefined): [Seated, Seated][] {
  const by_room = new Map(rooms.map(room => [room.room_id, room]))
  const by_cell = new Map(seats.map(one => [`${one.room_id} ${one.cell}`, one]))
  return seats.flatMap(one => {
    const room = by_room.get(one.room_id)
    const later = room ? besides(one.cell, room).filter(cell => cell > one.cell) : []
    return later.flatMap((cell): [Seated, Seated][] => {
      const other = by_cell.get(`${one.room_id} ${cell}`)
      return other && deptOf(other.user_id) === deptOf(one.user_id) ? [[one, other]] : []
    })
  })
}

function planOf(seats: Seated[], facts: readonly Facts[], candidates: readonly Candidate[]): Plan {
  const depts = new Map(candidates.map(one => [one.user_id, one.dept_id]))
  const text = seats.map(one => `${one.user_id} ${one.room_id} ${one.cell}`).toSorted().join('\n')
  return { seats, violations: neighboursOf(seats, facts.map(one => one.room), id => depts.get(id)).length, plan_hash: createHash('sha256').update(text).digest('hex') }
}

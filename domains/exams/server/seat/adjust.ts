import { besides, cellsOf } from './room.ts'
import type { Room } from './room.ts'
import type { Candidate, Seated } from './seat.ts'

export type Move = { user_id: string; from: Seated | null; to: Seated | null }
type Asked = { seats: readonly Seated[]; rooms: readonly Room[]; depts: ReadonlyMap<string, string>; added: readonly Candidate[]; removed: readonly string[] }

/**
 * The smallest change of a plan: who is added takes a seat beside nobody of his class, who is removed leaves a hole, whose room is gone (not among `rooms`)
 * is seated anew; nobody else moves (chapter 55 rule 26). @returns the seats, a line for each change, and who found none
 */
export function adjust({ seats, rooms, depts, added, removed }: Asked): { seats: Seated[]; moves: Move[]; unseated: string[] } {
  const open = new Map(rooms.map(room => [room.room_id, room]))
  const staying = seats.filter(one => !removed.includes(one.user_id))
  const kept = staying.filter(one => open.has(one.room_id))
  const homeless = staying.filter(one => !open.has(one.room_id))
  const moves: Move[] = seats.filter(one => removed.includes(one.user_id)).map(from => ({ user_id: from.user_id, from, to: null }))
  const taken = new Map(kept.map(one => [`${one.room_id} ${one.cell}`, one.user_id]))
  const all = [...kept]
  const unseated: string[] = []
  const wanting = [...homeless.map(from => ({ user_id: from.user_id, from })), ...added.map(one => ({ user_id: one.user_id, from: null }))]
  const deptOf = new Map([...depts, ...added.map((one): [string, string] => [one.user_id, one.dept_id])])
  for (const { user_id, from } of wanting) {
    const to = freeSeat(user_id)
    if (!to) unseated.push(user_id)
    else {
      taken.set(`${to.room_id} ${to.cell}`, user_id)
      all.push(to)
      moves.push({ user_id, from, to })
    }
  }
  return { seats: all, moves, unseated }

  function freeSeat(user_id: string): Seated | null {
    for (const room of rooms) {
      for (const [at, cell] of cellsOf(room).entries()) {
        if (taken.has(`${room.room_id} ${cell}`)) continue
        const is_legal = besides(cell, room).every(beside => {
          const other = taken.get(`${room.room_id} ${beside}`)
          return other === undefined || deptOf.get(other) !== deptOf.get(user_id)
        })
        if (is_legal) return { user_id, room_id: room.room_id, seat: at + 1, cell }
      }
    }
    return null
  }
}

import type { Candidate, Conflict } from '@campus/teaching/contract'
import { cellName, checkOne } from './check.ts'
import type { Context } from './check.ts'
import type { Placement } from './world.ts'

type Cell = { weekday: number; section: number }
const place = (lesson: Placement, { weekday, section }: Cell): Placement => ({ ...lesson, weekday, section })
const blocking = (found: readonly Conflict[]) => found.filter(({ severity }) => severity === 1)

/**
 * What becomes of a lesson in each cell: free, a change of places with one lesson of the class, or blocked with the sentence why and the cheapest repair
 * (chapter 50 §10.1).
 * @param from where the lesson is now; null: not placed yet
 * @param others the other placed lessons of the version that share a class, a teacher, a place or pupils with it or with its class
 */
export function candidatesOf(lesson: Placement, from: Cell | null, cells: readonly Cell[], others: readonly Placement[], context: Context): Candidate[] {
  return cells.map(cell => {
    if (from && from.weekday === cell.weekday && from.section === cell.section) return { ...cell, verdict: 'here', with: null, text: '当前位置' }
    if (lesson.locked) return { ...cell, verdict: 'locked', with: null, text: '该课已锁定，请先解锁' }
    const found = blocking(checkOne(place(lesson, cell), others, context))
    if (found.length === 0) return { ...cell, verdict: 'free', with: null, text: '可以放在这里' }
    const partner = from && swapPartner(lesson, { from, to: cell, found }, others, context)
    if (partner) return { ...cell, verdict: 'swap', with: partner.id, text: `与「${partner.class_name} ${partner.course_name}」对调` }
    return { ...cell, verdict: 'blocked', with: null, text: reasonOf(lesson, found, cells, others, context) }
  })
}

type Swap = { from: Cell; to: Cell; found: readonly Conflict[] }

/** The one lesson of the same class that stands in the way and may go where this one comes from. */
function swapPartner(lesson: Placement, { from, to: cell, found }: Swap, others: readonly Placement[], context: Context): Placement | null {
  const ids = new Set(found.map(({ a, b }) => (a === lesson.id ? b : a)))
  const partner = ids.size === 1 ? others.find(other => ids.has(other.id)) : undefined
  if (!partner || partner.locked || partner.class_id !== lesson.class_id || partner.span !== lesson.span || partner.section !== cell.section) return null
  const rest = others.filter(other => other.id !== partner.id)
  const moved = [place(lesson, cell), place(partner, from)] as const
  const fits = blocking(checkOne(moved[0], [...rest, moved[1]], context)).length === 0 && blocking(checkOne(moved[1], [...rest, moved[0]], context)).length === 0
  return fits ? partner : null
}

/** Why not here, in one sentence, and what would help. */
function reasonOf(lesson: Placement, found: readonly Conflict[], cells: readonly Cell[], others: readonly Placement[], context: Context): string {
  const [first] = found
  const more = found.length > 1 ? `（另有${found.length - 1}处冲突）` : ''
  const ids = new Set(found.flatMap(({ a, b }) => [a, b].filter(id => id !== null && id !== lesson.id)))
  const blocker = ids.size === 1 ? others.find(other => ids.has(other.id)) : undefined
  if (!blocker) return `${first?.message ?? ''}${more}`
  if (blocker.locked) return `${first?.message ?? ''}${more}；「${blocker.class_name} ${blocker.course_name}」已锁定，解锁后可移走`
  const rest = others.filter(other => other.id !== blocker.id)
  const free = cells.find(cell => !(cell.weekday === blocker.weekday && cell.section === blocker.section) && blocking(checkOne(place(blocker, cell), rest, context)).length === 0)
  return `${first?.message ?? ''}${more}${free ? `；可先将「${blocker.class_name} ${blocker.course_name}」移到${cellName(free)}` : ''}`
}

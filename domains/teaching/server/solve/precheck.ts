import type { SolveFault } from '@campus/teaching/contract'
import { cellName } from '../conflict/check.ts'
import type { Context } from '../conflict/check.ts'
import type { LessonRow } from '../timetable/context.queries.ts'
import type { Meet, Model } from './model.ts'

type Target = SolveFault['target']
type Resource = Model['resources'][number]
/** A resource with its lessons, the slots it can be used at, and those of them that are closed. */
type Demand = { resource: Resource; meets: readonly Meet[]; open: ReadonlySet<number> }

const most_clashes = 20

/** What cannot work whatever is searched, each with the class, teacher or place to look at (chapter 50 §3.9.3). */
export function precheck(model: Model): SolveFault[] {
  if (model.slots.length === 0) return [{ severity: 'block', kind: 'bell', text: '年级没有作息，请先在作息时间中设置', target: null }]
  const demands = demandsOf(model)
  return [
    ...withoutBell(model), ...demands.flatMap(demand => tooMany(model, demand)), ...demands.flatMap(demand =>
      tooManyDoubles(model, demand)),
    ...demands.flatMap(demand => unmatched(model, demand)), ...lockedClashes(model, demands),
  ]
}

/** What only should be known before the search: rooms that are too small, lessons that have no teacher. */
export function reminders(rows: readonly LessonRow[], { capacity, sizes, names }: Context): SolveFault[] {
  const small = new Map<string, SolveFault>()
  for (const { class_id, class_name, place_id, home_place_id } of rows) {
    const room = place_id ?? home_place_id
    const [seats, pupils] = [capacity.get(room ?? ''), sizes.get(class_id)]
    if (room === null || seats === undefined || pupils === undefined || pupils <= seats) continue
    small.set(`${room} ${class_id}`, {
      severity: 'warn', kind: 'capacity', text: `${names.place.get(room) ?? '场所'}容量${seats}人，${class_name}有${pupils}人，请换教室`,
        target: { view: 'place', id: room },
    })
  }
  const open = Map.groupBy(rows.filter(row => row.teacher_ids.length === 0), row => row.class_id)
  const untaught = [...open].map(([id, own]): SolveFault => ({
    severity: 'warn', kind: 'teacher',
      text: `${own[0]?.class_name ?? ''}有${own.length}节课没有教师：${[...new Set(own.map(row => row.course_name))].join('、')}`,
      target: { view: 'class', id },
  }))
  return [...small.values(), ...untaught]
}

function demandsOf({ meets, resources, slots, closed }: Model): Demand[] {
  const shut = new Set(closed.map(([r = 0, slot = 0]) => r * slots.length + slot))
  const of = new Map<number, Meet[]>()
  for (const one of meets) for (const r of one.resources) of.set(r, [...(of.get(r) ?? []), one])
  return [...of].flatMap(([r, own]) => {
    const resource = resources[r]
    const open = new Set(own.flatMap(one => one.domain).filter(slot => !shut.has(r * slots.length + slot)))
    return resource ? [{ resource, meets: own, open }] : []
  })
}

function targetOf({ kind, id }: Resource): Target {
  if (kind === 'S') return { view: 'class', id: id.split('-')[0] ?? '' }
  return { view: kind === 'T' ? 'teacher' : kind === 'P' ? 'place' : 'class', id }
}

const titleOf = ({ kind, name }: Resource) => `${kind === 'T' ? '教师' : ''}${name}`

/** Lessons in the fullest week: an odd and an even one share a time. */
function load(model: Model, meets: readonly Meet[]): number {
  const weeks = Array.from({ length: model.week_classes }, (_, week) =>
    meets.filter(one => ((one.mask >> week) & 1) === 1).reduce((sum, one) => sum + one.span, 0))
  return Math.max(0, ...weeks)
}

function withoutBell({ meets, own }: Model): SolveFault[] {
  return meets.slice(0, own).filter(one => one.domain.length === 0).slice(0, most_clashes)
    .map(one => ({ severity: 'block', kind: 'bell', text: `「${one.name}」没有可用的节次，请检查年级作息`, target: null }))
}

function tooMany(model: Model, { resource, meets, open }: Demand): SolveFault[] {
  const [need, times] = [load(model, meets), open.size]
  return need > times ? [{ severity: 'block', kind: 'load', text: `${titleOf(resource)}需${need}节，可用${times}节`,
    target: targetOf(resource) }] : []
}

/** Double lessons need two free times in a row. */
function tooManyDoubles(model: Model, { resource, meets, open }: Demand): SolveFault[] {
  const doubles = meets.filter(one => one.span === 2)
  const need = load(model, doubles) / 2
  if (need === 0) return []
  let [places, used] = [0, -1]
  for (const slot of [...open].toSorted((a, b) => a - b)) {
    const next = model.next[slot] ?? -1
    if (slot === used || !open.has(next)) continue
    places += 1
    used = next
  }
  const text = `${titleOf(resource)}需${need}次连堂，可用的连堂位置只有${places}处`
  return need > places ? [{ severity: 'block', kind: 'double', text, target: targetOf(resource) }] : []
}

/** Single lessons of one week that cannot all have a time of their own, by bipartite matching; the count alone does not see it. */
function unmatched(model: Model, { resource, meets, open }: Demand): SolveFault[] {
  if (load(model, meets) > open.size) return []
  const lacking = Array.from({ length: model.week_classes }, (_, week) => {
    const own = meets.filter(one => ((one.mask >> week) & 1) === 1)
    const taken = new Set(own.filter(one => one.fixed && one.at >= 0).flatMap(one =>
      [one.at, ...(one.span === 2 ? [model.next[one.at] ?? -1] : [])]))
    const free = own.filter(one => !one.fixed && one.span === 1)
    return free.length - matching(free.map(one => one.domain.filter(slot => open.has(slot) && !taken.has(slot))))
  })
  const most = Math.max(0, ...lacking)
  const text = `${titleOf(resource)}有${most}节课在可用时段内排不下，请减少不可用时段或锁定的课`
  return most > 0 ? [{ severity: 'block', kind: 'match', text, target: targetOf(resource) }] : []
}

/** How many of those that choose can have a choice of their own. */
export function matching(choices: readonly (readonly number[])[]): number {
  const owner = new Map<number, number>()
  const place = (n: number, seen: Set<number>): boolean => (choices[n] ?? []).some(slot => {
    if (seen.has(slot)) return false
    seen.add(slot)
    const other = owner.get(slot)
    if (other !== undefined && !place(other, seen)) return false
    owner.set(slot, n)
    return true
  })
  return choices.filter((_choice, n) => place(n, new Set())).length
}

/** Lessons that may not move and clash with each other, or are where their class or teacher is not available. */
function lockedClashes({ next, slots, own, meets: all, overlaps }: Model, demands: readonly Demand[]): SolveFault[] {
  const owned = new Set(all.slice(0, own))
  const found = new Map<string, SolveFault>()
  for (const { resource, meets, open } of demands) {
    const fixed = meets.filter(one => one.fixed && one.at >= 0)
    for (const [n, one] of fixed.entries()) {
      const cells = one.span === 2 ? [one.at, next[one.at] ?? -1] : [one.at]
      const slot = slots[one.at]
      if (!owned.has(one) || !slot) continue
      const about = { severity: 'block', kind: 'locked', target: targetOf(resource) } as const
      if (cells.some(cell => !open.has(cell))) found.set(`${one.id} ${resource.id}`,
        { ...about, text: `「${one.name}」固定在${cellName(slot)}，而${titleOf(resource)}此时段不可用，请解锁或移动` })
      const other = fixed.find((two, at) => (at < n || !owned.has(two)) && (two.mask & one.mask) !== 0
        && [two.at, ...(two.span === 2 ? [next[two.at] ?? -1] : [])].some(cell => cells.some(here => overlaps[here]?.includes(cell))))
      if (other) found.set(`${one.id} ${other.id}`,
        { ...about, text: `${titleOf(resource)}在${cellName(slot)}有两节不能移动的课：「${other.name}」与「${one.name}」，请解锁或移动一节` })
    }
  }
  return [...found.values()].slice(0, most_clashes)
}

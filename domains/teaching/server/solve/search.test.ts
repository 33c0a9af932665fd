import { expect, test } from 'vitest'
import type { Meet, Model } from './model.ts'
import { matching, precheck } from './precheck.ts'
import { search, searchChanges } from './search.ts'

const [classes, teachers, per_day, week] = [12, 20, 6, 5]

/** A school whose classes fill every time; a course is taught by one teacher in several classes, the last course is 单/双. */
function school(more: Partial<Model> = {}): Model {
  const slots = Array.from({ length: week * per_day }, (_, at) => ({ weekday: Math.floor(at / per_day) + 1, section: (at % per_day) + 1 }))
  const next = slots.map(({ section }, at) => (section === per_day || section === per_day / 2 ? -1 : at + 1))
  const meets = Array.from({ length: classes }, (_, c) => {
    const spans = [2, ...Array.from({ length: slots.length - 3 }, () => 1)]
    const whole = spans.map((span, n): Meet => ({
      id: `${c}-${n}`, name: `${c}班 课${n % 7}`, course: c * 10 + (n % 7), resources: [c, classes + ((c * 3 + (n % 7) * 5) % teachers)], span, mask: 3, domain: slots.flatMap((_slot, at) => (span === 1 || (next[at] ?? -1) >= 0 ? [at] : [])), at: -1, fixed: false, weekly: 5,
    }))
    const halves = [1, 2].map((mask): Meet => ({ id: `${c}-h${mask}`, name: `${c}班 ${mask === 1 ? '单' : '双'}`, course: c * 10 + 7 + mask, resources: [c, classes + ((c * 3 + mask) % teachers)], span: 1, mask, domain: slots.map((_slot, at) => at), at: -1, fixed: false, weekly: 1 }))
    return [...whole, ...halves]
  }).flat()
  const resources = Array.from({ length: classes + teachers }, (_, at) => ({ kind: at < classes ? 'C' as const : 'T' as const, id: String(at), name: at < classes ? `${at}班` : `教师${at}` }))
  return { slots, overlaps: slots.map((_slot, at) => [at]), next, week_classes: 2, resources, meets, own: meets.length, closed: [],
    ...more }
}

/** Clashes found by looking at every pair. */
function clashes({ meets, next }: Model, at: readonly number[]): number {
  const cells = (n: number) => { const start = at[n] ?? -1; return start < 0 ? [] : meets[n]?.span === 2 ? [start, next[start] ?? -1] : [start] }
  let found = 0
  for (const [a, one] of meets.entries()) for (const [b, other] of meets.slice(0, a).entries()) if ((one.mask & other.mask) !== 0 && one.resources.some(r => other.resources.includes(r)) && cells(a).some(cell => cells(b).includes(cell))) found += 1
  return found
}

test('50-A27 in small: every lesson of full classes is placed without a clash; the same seed gives the same timetable', () => {
  const model = school()
  const solution = search(model, { seed: 7, moves: 400_000 })
  expect([solution.unplaced, solution.hard, clashes(model, solution.at)]).toEqual([0, 0, 0])
  expect(search(model, { seed: 7, moves: 400_000 }).at).toEqual(solution.at)
}, 60_000)

test('50-A28 locked lessons stay; the search stops when it is told to, with the best so far and nothing clashing', () => {
  const model = school()
  const meets = model.meets.map((one, n) => (n % 10 === 3 && one.span === 1 ? { ...one, fixed: true, at: n % 30 } : one))
  const solution = search({ ...model, meets }, { seed: 1, moves: 10_000_000, stop: ({ moves }) => moves > 20_000 })
  expect(solution.moves).toBeLessThan(30_000)
  expect(meets.flatMap((one, n) => (one.fixed && solution.at[n] !== one.at ? [one.id] : []))).toEqual([])
})

test('50-A29 what cannot work is said before the search, and an unplaced lesson says what takes its times', () => {
  const model = school()
  const [, , third] = model.meets
  const meets = third ? [...model.meets, { ...third, id: 'more' }] : []
  expect(precheck({ ...model, meets, own: meets.length })).toContainEqual({ severity: 'block', kind: 'load', text: '0班需31节，可用30节',
    target: { view: 'class', id: '0' } })
  const solution = search({ ...model, meets, own: meets.length }, { seed: 1, moves: 200_000 })
  expect([solution.unplaced, solution.reasons.length]).toEqual([1, 1])
  expect(solution.reasons[0]).toContain('班级已占用30')
})

test('50-A28 a teacher is away on a day: few lessons move, locked ones stay, and nothing clashes', () => {
  const model = school()
  const { at } = search(model, { seed: 7, moves: 400_000 })
  const teacher = classes + 5
  const closed = model.slots.flatMap(({ weekday }, slot) => (weekday === 2 ? [[teacher, slot]] : []))
  const meets = model.meets.map((one, n) => ({ ...one, at: at[n] ?? -1, fixed: n % 9 === 0 && !one.resources.includes(teacher) }))
  const solution = searchChanges({ ...model, meets, closed }, { seed: 1, moves: 400_000 })
  const moved = meets.filter((one, n) => one.at !== solution.at[n])
  const due = meets.filter(one => one.resources.includes(teacher) && model.slots[one.at]?.weekday === 2).length
  expect([solution.unplaced, solution.hard, clashes({ ...model, meets }, solution.at), moved.filter(one => one.fixed).length])
    .toEqual([0, 0, 0, 0])
  expect(due).toBeGreaterThan(0)
  expect(moved.length).toBeLessThanOrEqual(due * 5)
  expect(meets.filter((one, n) => one.resources.includes(teacher) && model.slots[solution.at[n] ?? -1]?.weekday === 2)).toEqual([])
}, 60_000)

test('50-A29 lessons whose few times are the same, locked lessons at one time and double lessons without a place are named', () => {
  const model = school()
  const [first, second] = model.meets
  const base = { ...model, own: 2, meets: first && second ? [{ ...first, span: 1, domain: [4] }, { ...second, domain: [4] }] : [] }
  expect(precheck({ ...base, slots: model.slots }).map(fault => [fault.kind, fault.text])).toContainEqual(['load', '0班需2节，可用1节'])
  const three = [0, 1, 2].map((n): Meet[] => (second ? [{ ...second, id: `m${n}`, domain: n === 2 ? [1, 2, 3] : [4] }] : [])).flat()
  expect(precheck({ ...base, own: 3, meets: three }).map(fault => fault.text)).toContain('0班有1节课在可用时段内排不下，请减少不可用时段或锁定的课')
  const locked = base.meets.map(one => ({ ...one, domain: [4, 5, 6], at: 4, fixed: true }))
  expect(precheck({ ...base, meets: locked }).filter(fault => fault.kind === 'locked')).toMatchObject([
    { text: '0班在星期一第5节有两节不能移动的课：「0班 课0」与「0班 课1」，请解锁或移动一节', target: { view: 'class', id: '0' } }])
  const doubles = base.meets.map(one => ({ ...one, span: 2, domain: [0, 1, 3, 4] }))
  expect(precheck({ ...base, meets: doubles, closed: [[0, 1], [0, 4]] }).map(fault => fault.kind)).toContain('double')
  expect(matching([[1, 2], [1], [2], [2, 3]])).toBe(3)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { candidatesOf } from './candidates.ts'
import { check } from './check.ts'
import type { Context } from './check.ts'
import { occurrencesOf, worldOf } from './world.ts'
import type { Bell, GradeDay, Placement, RunDay } from './world.ts'

const at = (begin: string, end: string) => ({ name: '', begin: minutes(begin), end: minutes(end) })
const minutes = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))
const primary: Bell = new Map([[3, at('10:25', '11:05')], [4, at('11:15', '11:55')]])
const senior: Bell = new Map([[4, at('11:00', '11:45')], [5, at('13:50', '14:35')]])
const plan = (weekday: number, week: number, bell: Bell): GradeDay => ({ weekday, week, bell, closed: [] })
const days: RunDay[] = [1, 2, 3, 4].map(week => ({ date: `2026-09-0${week}`, grades: new Map([['11', plan(2, week, primary)], ['31', plan(2, week, senior)]]) }))
const bare = { class_name: '班', course_name: '课', place_id: null, weekday: 2, span: 1, weeks: [1, 2, 3, 4], locked: false }
const lesson = (id: string, more: Partial<Placement>): Placement => ({ ...bare, id, class_id: id, grade: '31', course_id: 'k', teacher_ids: [], section: 4, ...more })

function contextOf(world: RunDay[], more: Partial<Context> = {}): Context {
  return {
    world: worldOf(world, [1, 2, 3, 4]), names: { teacher: new Map([['t', '张伟']]), place: new Map() }, limits: new Map(), capacity: new Map(), sizes: new Map(), shared: () => 0, unavailable: new Map(), ...more,
  }
}
const blocking = (lessons: Placement[], context = contextOf(days)) => check(lessons, context).filter(one => one.severity === 1)

test('50-A7 primary section 3 and senior section 4 clash by the five common minutes; section 5 clears it', () => {
  const [a, b] = [lesson('1', { grade: '11', section: 3, teacher_ids: ['t'] }), lesson('2', { teacher_ids: ['t'] })]
  expect(blocking([a, b])).toMatchObject([{ kind: 'TEACHER', minutes: '11:00–11:05', weeks: '1-4', resource: { name: '张伟' }, first_dates: ['2026-09-01', '2026-09-02', '2026-09-03'] }])
  expect(blocking([a, { ...b, section: 5 }])).toEqual([])
})

test('50-A8 单周 and 双周 share a cell; weeks that meet are named', () => {
  const odd = lesson('1', { class_id: 'c', weeks: [1, 3] })
  expect(blocking([odd, lesson('2', { class_id: 'c', weeks: [2, 4] })])).toEqual([])
  expect(blocking([odd, lesson('2', { class_id: 'c', weeks: [1, 2, 3] })])).toMatchObject([{ kind: 'CLASS', weeks: '1,3' }])
})

test.each([
  ['no such lesson in the bell', lesson('1', { section: 9 }), 'BELL'],
  ['weeks beyond the term', lesson('1', { weeks: [4, 9] }), 'TERM'],
  ['two lessons around the noon break', lesson('1', { span: 2 }), 'SPAN'],
])('%s: %o', (_what, one, kind) => {
  expect(blocking([one]).map(found => found.kind)).toEqual([kind])
})

test('a shared place takes its number of classes, unavailable cells and shared pupils block, too small a room reminds', () => {
  const three = ['1', '2', '3'].map(id => lesson(id, { place_id: 'yard' }))
  expect(blocking(three, contextOf(days, { limits: new Map([['yard', 3]]) }))).toEqual([])
  expect(blocking(three, contextOf(days, { limits: new Map([['yard', 2]]) }))).toMatchObject([{ kind: 'PLACE' }])
  expect(blocking([lesson('1', { teacher_ids: ['t'] })], contextOf(days, { unavailable: new Map([['T t', new Set(['2-4'])]]) }))).toMatchObject([{ kind: 'UNAVAILABLE' }])
  expect(blocking([lesson('1', {}), lesson('2', {})], contextOf(days, { shared: () => 7 }))).toMatchObject([{ kind: 'STUDENT', resource: { name: '7名学生' } }])
  const small = contextOf(days, { capacity: new Map([['r', 30]]), sizes: new Map([['1', 40]]) })
  expect(check([lesson('1', { place_id: 'r', teacher_ids: ['t'] })], small)).toMatchObject([{ kind: 'PLACE_CAPACITY', severity: 2 }])
})

const bells = [primary, senior, new Map([[3, at('11:00', '11:30')], [4, at('11:30', '12:00')]])]
const anyDay = fc.record({ a: fc.integer({ min: 1, max: 2 }), b: fc.integer({ min: 1, max: 2 }), week_a: fc.integer({ min: 1, max: 4 }), week_b: fc.integer({ min: 1, max: 4 }), bell_a: fc.nat(2), bell_b: fc.nat(2), closed: fc.boolean() })
const anyLesson = fc.record({
  class_id: fc.constantFrom('a', 'b', 'c'), teacher_ids: fc.subarray(['t', 'u']), place_id: fc.constantFrom(null, 'p'), weekday: fc.integer({ min: 1, max: 2 }), section: fc.integer({ min: 3, max: 5 }), weeks: fc.subarray([1, 2, 3, 4], { minLength: 1 }),
})

/** Pairs that are in two places at one minute, found by looking at every date and minute. */
function bruteForce(lessons: readonly Placement[], world: readonly RunDay[]): Set<string> {
  const minutesOn = ({ grades }: RunDay, one: Placement) => {
    const of = grades.get(one.grade)
    const span = of?.bell.get(one.section)
    if (!of || !span || of.weekday !== one.weekday || !one.weeks.includes(of.week) || of.closed.some(part => part.begin < span.end && span.begin < part.end)) return []
    return Array.from({ length: span.end - span.begin }, (_, n) => span.begin + n)
  }
  const resources = (one: Placement) => [...one.teacher_ids, one.class_id, ...(one.place_id === null ? [] : [one.place_id])]
  const meetOn = (day: RunDay, a: Placement, b: Placement) => minutesOn(day, a).some(minute => minutesOn(day, b).includes(minute))
  const pairs = lessons.flatMap((a, n) => lessons.slice(0, n).map(b => [b, a] as const)).filter(([a, b]) => resources(a).some(one => resources(b).includes(one)))
  return new Set(pairs.filter(([a, b]) => world.some(day => meetOn(day, a, b))).map(([a, b]) => [a.id, b.id].toSorted().join(' ')))
}

test('50-A9 the checker finds what looking at every date and minute finds, no more and no less', () => {
  fc.assert(fc.property(fc.array(anyDay, { minLength: 1, maxLength: 6 }), fc.array(anyLesson, { minLength: 2, maxLength: 6 }), (drawn, drafts) => {
    const world = drawn.map(({ a, b, week_a, week_b, bell_a, bell_b, closed }, at_day): RunDay => ({
      date: `2026-09-0${at_day + 1}`,
      grades: new Map([['11', { ...plan(a, week_a, bells[bell_a] ?? primary), closed: closed ? [{ begin: 0, end: 660 }] : [] }], ['31', plan(b, week_b, bells[bell_b] ?? senior)]]),
    }))
    const lessons = drafts.map((draft, n) => lesson(String(n), { ...draft, grade: draft.class_id === 'a' ? '11' : '31' }))
    const pairs = new Set(check(lessons, contextOf(world)).flatMap(({ a, b }) => (a === null || b === null ? [] : [`${a} ${b}`])))
    expect(pairs).toEqual(bruteForce(lessons, world))
  }), { numRuns: 10_000, seed: 50 })
})

test('the dates of a lesson: its weeks, its weekday, and not when its minutes are closed', () => {
  const closed = [...days.slice(1), { date: '2026-09-05', grades: new Map([['31', { ...plan(2, 1, senior), closed: [{ begin: 11 * 60 + 40, end: 12 * 60 }] }]]) }]
  expect(occurrencesOf(lesson('1', { weeks: [1, 3] }), worldOf(closed, [1, 2, 3, 4])).map(({ day }) => day)).toEqual([1])
})

test('50-A14 a cell is free exactly where the whole checker finds nothing; a swap leaves nothing behind; what is blocked says by what',
  () => {
  const bell: Bell = new Map([1, 2, 3, 4].map(section => [section, at(`${String(7 + section).padStart(2, '0')}:00`,
    `${String(7 + section).padStart(2, '0')}:45`)]))
  const week: RunDay[] = [1, 2, 3, 4, 5].map(weekday => ({ date: `2026-09-${String(6 + weekday).padStart(2, '0')}`,
    grades: new Map([['31', plan(weekday, 1, bell)]]) }))
  const cells = [1, 2, 3, 4, 5].flatMap(weekday => [1, 2, 3, 4].map(section => ({ weekday, section })))
  let seed = 11
  const random = (n: number) => { seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648; return seed % n }
  for (let round = 0; round < 60; round += 1) {
    const some = Array.from({ length: 14 }, (_, n) => lesson(String(n), { class_id: `c${random(3)}`, teacher_ids: [`t${random(4)}`],
      weekday: 1 + random(5), section: 1 + random(4), weeks: [1] }))
    // A draft without clashes to begin with: whatever meets another one is left out.
    const context = contextOf(week)
    const sound = some.reduce<Placement[]>((kept, one) => (blocking([...kept, one], context).length === 0 ? [...kept, one] : kept), [])
    const [own, ...others] = sound
    if (!own) continue
    for (const { weekday, section, verdict, with: partner, text } of candidatesOf(own, own, cells, others, context)) {
      const moved = { ...own, weekday, section }
      const found = blocking([moved, ...others], context)
      if (verdict === 'locked') continue
      const swapped = others.map(one => (one.id === partner ? { ...one, weekday: own.weekday, section: own.section } : one))
      const clashes = verdict === 'swap' ? blocking([moved, ...swapped], context) : found
      expect([verdict === 'blocked', clashes.length > 0]).toEqual([verdict === 'blocked', verdict === 'blocked'])
      expect(verdict !== 'blocked' || text.length > 0).toBe(true)
    }
  }
})

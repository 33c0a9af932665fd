import { expect, test } from 'vitest'
import { addPupils, sectionPupils } from './section.ts'
import type { Pupil, Sectioned } from './section.ts'

/** Combinations of a second year of senior school, 430 pupils (demo school): first choice, second choices, how many. */
const combos: [first: string, second: string, count: number][] = [
  ['16', '17,18', 163], ['16', '17,20', 60], ['16', '17,12', 39], ['16', '18,20', 30], ['16', '18,12', 13], ['16', '12,20', 13],
  ['21', '12,20', 56], ['21', '12,18', 26], ['21', '18,20', 17], ['21', '17,12', 7], ['21', '17,20', 3], ['21', '17,18', 3],
]
const rules = { blocks: 2, min: 30, max: 46, rooms: 10 }
const rest = () => Promise.resolve()

function grade(): Pupil[] {
  let n = 0
  return combos.flatMap(([, second, count]) => Array.from({ length: count }, (): Pupil => {
    n += 1
    return { id: String(n), subjects: second.split(','), home: `高二${(n % 10) + 1}班`, is_boy: n % 2 === 0 }
  }))
}

/** What must hold of any plan. */
function check(pupils: readonly Pupil[], { sections, unserved }: Sectioned): void {
  expect(unserved).toEqual([])
  const seats = sections.flatMap(one => one.ids.map(id => ({ id, ...one })))
  for (const { id, subjects } of pupils) {
    const own = seats.filter(seat => seat.id === id)
    expect(own.map(seat => seat.subject).toSorted()).toEqual([...subjects].toSorted())
    expect(new Set(own.map(seat => seat.block)).size).toBe(own.length)
  }
}

test('50-A24 430 pupils become walking classes of 30 to 46 in two blocks of ten rooms; nobody is left out or twice in a block', async () =>
  {
  const pupils = grade()
  expect(pupils.length).toBe(430)
  const plan = await sectionPupils(pupils, rules, 1, rest)
  check(pupils, plan)
  const sizes = plan.sections.map(one => one.ids.length)
  expect([Math.min(...sizes) >= 30, Math.max(...sizes) <= 46]).toEqual([true, true])
  for (const block of [1, 2]) expect(plan.sections.filter(one => one.block === block).length).toBeLessThanOrEqual(rules.rooms)
  for (const { ids, subject, block } of plan.sections) {
    const boys = (own: readonly string[]) => pupils.filter(one => one.is_boy && own.includes(one.id)).length
    const beside = plan.sections.filter(one => one.subject === subject && one.block === block).map(one => boys(one.ids))
    expect(Math.max(...beside) - boys(ids)).toBeLessThanOrEqual(2)
  }
})

test('50-A24 the same seed gives the same plan; five more pupils move at most five others', async () => {
  const pupils = grade()
  const [one, again] = [await sectionPupils(pupils, rules, 7, rest), await sectionPupils(pupils, rules, 7, rest)]
  expect(again).toEqual(one)
  const wanted = ['18,12', '12,20', '18,12', '12,20', '17,18']
  const fresh = wanted.map((second, at): Pupil => ({ id: String(1000 + at), subjects: second.split(','), home: '高二1班', is_boy: true }))
  const { moved, ...more } = addPupils(one.sections, fresh, rules, new Map(pupils.map(pupil => [pupil.id, pupil.subjects])))
  check([...pupils, ...fresh], more)
  expect(moved.length).toBeLessThanOrEqual(5)
  const unmoved = (section: { ids: string[] } | undefined) => section?.ids.filter(id => Number(id) < 1000 && !moved.includes(id)).toSorted()
  for (const [at, section] of one.sections.entries()) expect(unmoved(more.sections[at])).toEqual(unmoved(section))
})

test('all three subjects walk in three blocks; a block without rooms names who has no place', async () => {
  const all = grade().map((pupil, at) => ({ ...pupil, subjects: [...pupil.subjects, at < 318 ? '16' : '21'] }))
  check(all, await sectionPupils(all, { ...rules, blocks: 3, rooms: 12 }, 1, rest))
  const tight = await sectionPupils(grade(), { ...rules, rooms: 5 }, 1, rest)
  expect(tight.unserved[0]?.reason).toMatch(/^第\d段教室不足$/u)
})

test('50-A24 no more classes of a subject run side by side than it has teachers; where there are too few, those without a teacher are named',
  async () => {
  const pupils = grade()
  const most = new Map([['17', 4], ['12', 3]])
  const plan = await sectionPupils(pupils, { ...rules, teachers: most }, 1, rest)
  check(pupils, plan)
  for (const [subject, teachers] of most) {
    for (const block of [1, 2]) expect(plan.sections.filter(one => one.subject === subject
      && one.block === block).length).toBeLessThanOrEqual(teachers)
  }
  const short = await sectionPupils(pupils, { ...rules, teachers: new Map([['17', 1]]) }, 1, rest)
  expect(new Set(short.unserved.map(one => one.reason.slice(3)))).toEqual(new Set(['教师不足']))
  expect(short.sections.filter(one => one.subject === '17').length).toBe(2)
})

import { add, meet } from '../conflict/world.ts'
import type { Bell, World } from '../conflict/world.ts'
import type { LessonRow } from '../timetable/context.queries.ts'

/** A time of the week in the bell of some grades. */
type Slot = { weekday: number; section: number }
/** A lesson of the search: `at` is the slot it stands in, -1 none; `mask` says in which classes of weeks it runs. */
export type Meet = { id: string; name: string; course: number; resources: number[]; span: number; mask: number; domain: number[]; at: number; fixed: boolean; weekly: number }
/** What is searched (chapter 50 §3.8): plain data, so that it travels into a thread. */
export type Model = {
  slots: Slot[]
  /** slots at the same minutes of the same weekday, itself among them */
  overlaps: number[][]
  /** the following lesson of the same day; -1: none, or a long break lies between */
  next: number[]
  week_classes: number
  resources: { kind: 'T' | 'C' | 'P'; id: string; name: string }[]
  meets: Meet[]
  /** resource × slot that must stay empty */
  closed: number[][]
}

/** Weeks that no set of weeks parts are searched as one (chapter 50 §3.8); more kinds than this are too many. */
const most_week_classes = 8
const longest_break = 30
const weekdays = [1, 2, 3, 4, 5]

type Names = { teacher: ReadonlyMap<string, string>; place: ReadonlyMap<string, string> }
type Facts = { world: World; limits: ReadonlyMap<string, number>; unavailable: ReadonlyMap<string, ReadonlySet<string>>; names: Names }

/** Compiles lessons and the rules of the checker into the model. `keep`: placed lessons stay where they are, not only locked ones. */
export function modelOf(rows: readonly LessonRow[], { world, limits, unavailable, names }: Facts, keep: 'locked' | 'placed'): Model {
  const groups = slotGroups(world, [...new Set(rows.map(row => row.grade))])
  const slots = groups.slots.map(({ weekday, section }) => ({ weekday, section }))
  const classes = weekClasses(rows)
  const resources: Model['resources'] = []
  const index = new Map<string, number>()
  const resource = (kind: 'T' | 'C' | 'P', id: string, name: string) => {
    const key = `${kind} ${id}`
    const known = index.get(key)
    if (known !== undefined) return known
    index.set(key, resources.length)
    return resources.push({ kind, id, name }) - 1
  }
  const weekly = new Map<string, number>()
  for (const row of rows) weekly.set(`${row.class_id} ${row.course_id}`, (weekly.get(`${row.class_id} ${row.course_id}`) ?? 0) + 1)
  const courses = new Map<string, number>()
  const meets = rows.map((row): Meet => {
    const own = groups.of.get(row.grade) ?? []
    const key = `${row.class_id} ${row.course_id}`
    if (!courses.has(key)) courses.set(key, courses.size)
    const place = row.place_id !== null && row.place_id !== row.home_place_id && !limits.has(row.place_id) ? [resource('P', row.place_id, names.place.get(row.place_id) ?? '场所')] : []
    return {
      id: row.id, name: `${row.class_name} ${row.course_name}`, course: courses.get(key) ?? 0, span: row.span, mask: classes.maskOf(row), weekly: weekly.get(key) ?? 1,
      resources: [resource('C', row.class_id, row.class_name), ...row.teacher_ids.map(id => resource('T', id, names.teacher.get(id) ?? '教师')), ...place],
      domain: own.filter(slot => row.span === 1 || (groups.next[slot] ?? -1) >= 0), fixed: row.locked || (keep === 'placed' && row.weekday !== null),
      at: own.find(slot => slots[slot]?.weekday === row.weekday && slots[slot]?.section === row.section) ?? -1,
    }
  })
  const closed = [...unavailable].flatMap(([key, cells]) => {
    const at = index.get(key)
    return at === undefined ? [] : slots.flatMap(({ weekday, section }, slot) => (cells.has(`${weekday}-${section}`) ? [[at, slot]] : []))
  })
  return { slots, overlaps: groups.overlaps, next: groups.next, week_classes: classes.count, resources, meets, closed }
}

/** Grades with the same bells share their slots; slots of different bells overlap by the clock in any season. */
function slotGroups(world: World, grades: readonly string[]) {
  const signatures = new Map<string, string[]>()
  for (const grade of grades) add(signatures, (world.bells.get(grade) ?? []).map(bell => [...bell].map(([section, { begin, end }]) => `${section}:${begin}-${end}`).join()).join('|'), grade)
  const slots: (Slot & { bells: readonly Bell[] })[] = []
  const next: number[] = []
  const of = new Map<string, number[]>()
  for (const own of signatures.values()) {
    const bells = world.bells.get(own[0] ?? '') ?? []
    const sections = [...new Set(bells.flatMap(bell => [...bell.keys()]))].filter(section => bells.every(bell => bell.has(section))).toSorted((a, b) => a - b)
    const first = slots.length
    for (const weekday of weekdays) {
      for (const [at, section] of sections.entries()) {
        const follows = sections[at + 1] === section + 1 && bells.every(bell => (bell.get(section + 1)?.begin ?? 0) - (bell.get(section)?.end ?? 0) <= longest_break)
        next.push(follows ? slots.length + 1 : -1)
        slots.push({ weekday, section, bells })
      }
    }
    for (const grade of own) of.set(grade, Array.from({ length: slots.length - first }, (_, at) => first + at))
  }
  const together = bellsTogether(world, grades)
  const overlaps = slots.map((one, n) => slots.flatMap((other, at) => (n === at || (one.weekday === other.weekday && meetsIn(one, other, together)) ? [at] : [])))
  return { slots, next, of, overlaps }
}

/** Bells that ring on one date for some grades: a summer's lesson never meets a winter's. */
function bellsTogether(world: World, grades: readonly string[]): ReadonlyMap<Bell, ReadonlySet<Bell>> {
  const together = new Map<Bell, Set<Bell>>()
  for (const { grades: own } of world.days) {
    const bells = new Set(grades.flatMap(grade => own.get(grade)?.bell ?? []))
    for (const bell of bells) together.set(bell, new Set([...(together.get(bell) ?? []), ...bells]))
  }
  return together
}

type RungSlot = Slot & { bells: readonly Bell[] }

function meetsIn(one: RungSlot, other: RungSlot, together: ReadonlyMap<Bell, ReadonlySet<Bell>>): boolean {
  return one.bells.some(a => other.bells.some(b => {
    const [first, second] = [a.get(one.section), b.get(other.section)]
    return first !== undefined && second !== undefined && together.get(a)?.has(b) === true && meet(first, second)
  }))
}

function weekClasses(rows: readonly LessonRow[]) {
  const sets = [...new Map(rows.map(row => [row.weeks.join(), new Set(row.weeks)])).values()]
  const weeks = [...new Set(rows.flatMap(row => row.weeks))]
  const kinds = [...new Set(weeks.map(week => sets.map(set => Number(set.has(week))).join('')))].slice(0, most_week_classes)
  const kindOf = new Map(weeks.map(week => [week, Math.max(0, kinds.indexOf(sets.map(set => Number(set.has(week))).join('')))]))
  return { count: Math.max(1, kinds.length), maskOf: ({ weeks: own }: LessonRow) => own.reduce((mask, week) => mask | (1 << (kindOf.get(week) ?? 0)), 0) }
}

/** What cannot work whatever is searched: more lessons than times (chapter 50 §3.9.3). */
export function precheck({ meets, resources, slots, closed }: Model): string[] {
  const need = new Map<number, number>()
  const times = new Map<number, Set<number>>()
  for (const one of meets) {
    for (const at of one.resources) {
      need.set(at, (need.get(at) ?? 0) + one.span)
      const own = times.get(at) ?? new Set<number>()
      for (const slot of one.domain) own.add(slot)
      times.set(at, own)
    }
  }
  const shut = Map.groupBy(closed, ([at]) => at ?? 0)
  return [...need].flatMap(([at, lessons]) => {
    const free = (times.get(at)?.size ?? 0) - (shut.get(at)?.filter(([, slot]) => times.get(at)?.has(slot ?? -1)).length ?? 0)
    const { kind, name } = resources[at] ?? { kind: 'C', name: '' }
    const halves = meets.filter(one => one.resources.includes(at) && one.mask !== fullMask(meets)).length
    const real = lessons - Math.floor(halves / 2)
    return real > free ? [`${kind === 'T' ? '教师' : ''}${name}需${real}节，可用${free}节`] : []
  }).concat(slots.length === 0 ? ['年级没有作息，请先在作息时间中设置'] : [])
}

function fullMask(meets: readonly Meet[]): number {
  return meets.reduce((mask, one) => mask | one.mask, 0)
}

import { add, meet } from '../conflict/world.ts'
import type { Context } from '../conflict/check.ts'
import type { Bell, World } from '../conflict/world.ts'
import type { LessonRow } from '../timetable/context.queries.ts'

type Resource = 'T' | 'C' | 'P' | 'S'
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
  /** teacher, class, place for one lesson at a time, pupils that two classes share */
  resources: { kind: Resource; id: string; name: string }[]
  meets: Meet[]
  /** so many of the first meets belong to the timetable; those after them are lessons of other published timetables, and stay */
  own: number
  /** resource × slot that must stay empty */
  closed: number[][]
  /** lessons are kept where they are as far as that is possible */
  stay?: boolean
}

/** Weeks that no set of weeks parts are searched as one (chapter 50 §3.8); more kinds than this are too many. */
const most_week_classes = 8
const longest_break = 30
const weekdays = [1, 2, 3, 4, 5]

type Facts = Pick<Context, 'world' | 'limits' | 'unavailable' | 'names' | 'shared'>
/** Which placed lessons stay: the locked ones, all, or as many as possible. */
export type Keep = 'locked' | 'placed' | 'changes'

/** Compiles lessons and the rules of the checker into the model. `beside`: lessons of other published timetables. */
export function modelOf(own_rows: readonly LessonRow[], { world, limits, unavailable, names, shared }: Facts, keep: Keep,
  beside: readonly LessonRow[] = []): Model {
  const rows = [...own_rows, ...beside]
  const groups = slotGroups(world, [...new Set(rows.map(row => row.grade))])
  const slots = groups.slots.map(({ weekday, section }) => ({ weekday, section }))
  const classes = weekClasses(rows)
  const resources: Model['resources'] = []
  const index = new Map<string, number>()
  const resource = (kind: Resource, id: string, name: string) => {
    const key = `${kind} ${id}`
    const known = index.get(key)
    if (known !== undefined) return known
    index.set(key, resources.length)
    return resources.push({ kind, id, name }) - 1
  }
  const weekly = new Map<string, number>()
  for (const row of rows) weekly.set(`${row.class_id} ${row.course_id}`, (weekly.get(`${row.class_id} ${row.course_id}`) ?? 0) + 1)
  const courses = new Map<string, number>()
  const visited = new Set(rows.flatMap(row => (row.place_id !== null && row.place_id !== row.home_place_id && !limits.has(row.place_id)
    ? [row.place_id] : [])))
  const sharing = sharedPupils(rows, shared)
  const meets = rows.map((row, n): Meet => {
    const own = groups.of.get(row.grade) ?? []
    const key = `${row.class_id} ${row.course_id}`
    if (!courses.has(key)) courses.set(key, courses.size)
    const place_id = row.place_id ?? row.home_place_id
    const place = place_id !== null && visited.has(place_id) ? [resource('P', place_id, names.place.get(place_id) ?? '场所')] : []
    const pupils = (sharing.get(row.class_id) ?? []).map(({ id, name }) => resource('S', id, name))
    return {
      id: row.id, name: `${row.class_name} ${row.course_name}`, course: courses.get(key) ?? 0, span: row.span, mask: classes.maskOf(row), weekly: weekly.get(key) ?? 1,
      resources: [resource('C', row.class_id, row.class_name), ...row.teacher_ids.map(id =>
        resource('T', id, names.teacher.get(id) ?? '教师')), ...place, ...pupils],
      domain: own.filter(slot => row.span === 1 || (groups.next[slot] ?? -1) >= 0), 
      fixed: n >= own_rows.length || row.locked || (keep === 'placed' && row.weekday !== null),
      at: own.find(slot => slots[slot]?.weekday === row.weekday && slots[slot]?.section === row.section) ?? -1,
    }
  })
  const closed = [...unavailable].flatMap(([key, cells]) => {
    const at = index.get(key)
    return at === undefined ? [] : slots.flatMap(({ weekday, section }, slot) => (cells.has(`${weekday}-${section}`) ? [[at, slot]] : []))
  })
  return { slots, overlaps: groups.overlaps, next: groups.next, week_classes: classes.count, resources, meets, own: own_rows.length,
    closed, stay: keep === 'changes' }
}

/** Two classes that share pupils are never taught at once: each pair is a resource of both. */
function sharedPupils(rows: readonly LessonRow[], shared: Context['shared']): Map<string, { id: string; name: string }[]> {
  const classes = [...new Map(rows.map(row => [row.class_id, row.class_name]))]
  const found = new Map<string, { id: string; name: string }[]>()
  for (const [at, [a, name_a]] of classes.entries()) {
    for (const [b, name_b] of classes.slice(0, at)) {
      if (shared(a, b) === 0) continue
      const pair = { id: `${a}-${b}`, name: `${name_a}与${name_b}的共同学生` }
      add(found, a, pair)
      add(found, b, pair)
    }
  }
  return found
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

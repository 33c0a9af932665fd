import { commonWeeks, weekday_names, weeksText } from '@campus/teaching/contract'
import type { Conflict, ConflictKind } from '@campus/teaching/contract'
import { add, clockSpan, meet, occurrencesOf } from './world.ts'
import type { Occurrence, Placement, World } from './world.ts'

/** What the checker must know besides the dates. Keys of `unavailable`: `T 12`, `C 3`, `P 7` → cells `2-5` (weekday-section). */
export type Context = {
  world: World
  names: { teacher: ReadonlyMap<string, string>; place: ReadonlyMap<string, string> }
  /** places that take several lessons at once */
  limits: ReadonlyMap<string, number>
  capacity: ReadonlyMap<string, number>
  /** pupils of a class */
  sizes: ReadonlyMap<string, number>
  /** how many pupils two classes share; only walking classes share any */
  shared: (class_a: string, class_b: string) => number
  unavailable: ReadonlyMap<string, ReadonlySet<string>>
}
type Found = { kind: ConflictKind; rid: string; name: string }
type Timed = { lesson: Placement; at: Occurrence[] }

const longest_break = 30
const shown_dates = 3

/** Every finding among lessons, those that block first (chapter 50 rules 16 to 20). The only judge of clashes in the product. */
export function check(lessons: readonly Placement[], context: Context): Conflict[] {
  const timed = lessons.map(lesson => ({ lesson, at: occurrencesOf(lesson, context.world) }))
  const found = new Map<string, Conflict>()
  const put = (conflict: Conflict) => found.set(conflict.id, conflict)
  for (const lesson of lessons) for (const one of checkAlone(lesson, context)) put(one)
  for (const [key, group] of groupsOf(timed)) {
    const limit = key.startsWith('P ') ? (context.limits.get(key.slice(2)) ?? 1) : 1
    const own = limit > 1 ? crowded(group, limit, context) : group.flatMap((a, at) => group.slice(0, at).flatMap(b => clashes(b, a, context)))
    own.forEach(put)
  }
  for (const [a, b] of sharingPairs(timed, context)) clashes(a, b, context).forEach(put)
  return [...found.values()].toSorted((a, b) => a.severity - b.severity || a.id.localeCompare(b.id))
}

/** Findings of one lesson against others; `others` that share nothing with it cost nothing. */
export function checkOne(lesson: Placement, others: readonly Placement[], context: Context): Conflict[] {
  const own = { lesson, at: occurrencesOf(lesson, context.world) }
  const near = others.filter(other => other.id !== lesson.id && touches(lesson, other, context))
  const exclusive = near.flatMap(other => clashes(own, { lesson: other, at: occurrencesOf(other, context.world) }, context))
  const limit = context.limits.get(lesson.place_id ?? '') ?? 1
  const beside = limit > 1 ? [own, ...others.filter(other => other.id !== lesson.id && other.place_id === lesson.place_id).map(other => ({ lesson: other, at: occurrencesOf(other, context.world) }))] : []
  return [...checkAlone(lesson, context), ...exclusive, ...crowded(beside, limit, context).filter(({ a, b }) => a === lesson.id || b === lesson.id)]
}

/** What is wrong with a lesson whatever else there is. */
function checkAlone(lesson: Placement, { world, unavailable, names, capacity, sizes }: Context): Conflict[] {
  const about = (kind: ConflictKind, name: string, message: string, severity: 1 | 2 = 1): Conflict => ({
    id: `${kind}:${lesson.id}`, severity, kind, resource: { kind: 'lesson', id: lesson.id, name }, a: lesson.id, b: null, weekday: lesson.weekday, minutes: '', weeks: weeksText(lesson.weeks), first_dates: [],
    message: `「${lesson.class_name} ${lesson.course_name}」${message}`,
  })
  const found: Conflict[] = []
  const bells = world.bells.get(lesson.grade) ?? []
  const sections = Array.from({ length: lesson.span }, (_, at) => lesson.section + at)
  const missing = sections.find(section => !bells.some(bell => bell.has(section)))
  if (missing !== undefined) found.push(about('BELL', lesson.class_name, `第${missing}节不在作息内`))
  if (bells.some(bell => isBroken(bell, sections))) found.push(about('SPAN', lesson.class_name, `连堂不能跨过第${lesson.section}节之后的休息`))
  const beyond = lesson.weeks.find(week => !world.weeks.includes(week))
  if (beyond !== undefined) found.push(about('TERM', lesson.class_name, `第${beyond}周超出学期`))
  for (const [key, name] of resourcesOf(lesson, names)) {
    const cells = unavailable.get(key)
    if (cells && sections.some(section => cells.has(`${lesson.weekday}-${section}`))) found.push({ ...about('UNAVAILABLE', name, `在${cellName(lesson)}，${name}此时段不可用`), id: `UNAVAILABLE:${key}:${lesson.id}` })
  }
  if (lesson.teacher_ids.length === 0) found.push(about('NO_TEACHER', lesson.class_name, '没有教师', 2))
  const [room, pupils] = [capacity.get(lesson.place_id ?? ''), sizes.get(lesson.class_id)]
  if (room !== undefined && pupils !== undefined && pupils > room) found.push(about('PLACE_CAPACITY', names.place.get(lesson.place_id ?? '') ?? '', `共${pupils}人，教室容量${room}人`, 2))
  return found
}

/** 星期三第2节. */
export function cellName({ weekday, section }: { weekday: number; section: number }): string {
  return `${weekday_names[weekday] ?? ''}第${section}节`
}

function isBroken(bell: ReadonlyMap<number, { begin: number; end: number }>, sections: readonly number[]): boolean {
  return sections.slice(1).some(section => (bell.get(section)?.begin ?? 0) - (bell.get(section - 1)?.end ?? 0) > longest_break)
}

function resourcesOf(lesson: Placement, names: Context['names']): [key: string, name: string][] {
  const teachers = lesson.teacher_ids.map((id): [string, string] => [`T ${id}`, names.teacher.get(id) ?? '教师'])
  const place: [string, string][] = lesson.place_id === null ? [] : [[`P ${lesson.place_id}`, names.place.get(lesson.place_id) ?? '场所']]
  return [...teachers, [`C ${lesson.class_id}`, lesson.class_name], ...place]
}

function groupsOf(timed: readonly Timed[]): Map<string, Timed[]> {
  const groups = new Map<string, Timed[]>()
  for (const one of timed) {
    const { teacher_ids, class_id, place_id } = one.lesson
    for (const key of [...teacher_ids.map(id => `T ${id}`), `C ${class_id}`, ...(place_id === null ? [] : [`P ${place_id}`])]) add(groups, key, one)
  }
  return groups
}

/** Pairs of lessons of different classes that share pupils: at least one of them is a walking class. */
function sharingPairs(timed: readonly Timed[], { shared }: Context): [Timed, Timed][] {
  const by_class = Map.groupBy(timed, one => one.lesson.class_id)
  const ids = [...by_class.keys()]
  return ids.flatMap((a, at) => ids.slice(0, at).flatMap(b => {
    if (shared(a, b) === 0) return []
    return (by_class.get(a) ?? []).flatMap(one => (by_class.get(b) ?? []).map((other): [Timed, Timed] => [other, one]))
  }))
}

function touches(a: Placement, b: Placement, { shared, limits }: Context): boolean {
  const place = a.place_id !== null && a.place_id === b.place_id && (limits.get(a.place_id) ?? 1) === 1
  return a.class_id === b.class_id || place || a.teacher_ids.some(id => b.teacher_ids.includes(id)) || shared(a.class_id, b.class_id) > 0
}

function clashes(a: Timed, b: Timed, context: Context): Conflict[] {
  if (a.lesson.weekday !== b.lesson.weekday && (!context.world.is_mixed || a.lesson.grade === b.lesson.grade)) return []
  const common = commonDates(a.at, b.at)
  const [first] = common
  if (first === undefined) return []
  return resourcesShared(a.lesson, b.lesson, context).map(found => clashOf(found, a.lesson, b.lesson, common, context))
}

function resourcesShared(a: Placement, b: Placement, { names, limits, shared }: Context): Found[] {
  const teachers = a.teacher_ids.filter(id => b.teacher_ids.includes(id)).map((rid): Found => ({ kind: 'TEACHER', rid, name: names.teacher.get(rid) ?? '教师' }))
  if (a.class_id === b.class_id) return [...teachers, { kind: 'CLASS', rid: a.class_id, name: a.class_name }]
  const is_one_place = a.place_id !== null && a.place_id === b.place_id && (limits.get(a.place_id) ?? 1) === 1
  const place: Found[] = is_one_place ? [{ kind: 'PLACE', rid: a.place_id ?? '', name: names.place.get(a.place_id ?? '') ?? '场所' }] : []
  const pupils = shared(a.class_id, b.class_id)
  return [...teachers, ...place, ...(pupils > 0 ? [{ kind: 'STUDENT' as const, rid: `${a.class_id}-${b.class_id}`, name: `${pupils}名学生` }] : [])]
}

/** Dates on which both take place at a common minute, with the common minutes. */
function commonDates(a: readonly Occurrence[], b: readonly Occurrence[]): Occurrence[] {
  const common: Occurrence[] = []
  let [i, j] = [0, 0]
  for (;;) {
    const [one, other] = [a[i], b[j]]
    if (one === undefined || other === undefined) return common
    if (one.day === other.day && meet(one, other)) common.push({ day: one.day, begin: Math.max(one.begin, other.begin), end: Math.min(one.end, other.end) })
    if (one.day <= other.day) i += 1
    if (other.day <= one.day) j += 1
  }
}

function clashOf({ kind, rid, name }: Found, a: Placement, b: Placement, common: readonly Occurrence[], { world }: Context): Conflict {
  const [first, second] = a.id < b.id ? [a, b] : [b, a]
  const minutes = common[0] ? clockSpan(common[0]) : ''
  const weeks = weeksText(commonWeeks(a.weeks, b.weeks))
  return {
    id: `${kind}:${rid}:${first.id}:${second.id}`, severity: 1, kind, resource: { kind, id: rid, name }, a: first.id, b: second.id, weekday: first.weekday, minutes, weeks,
    first_dates: common.slice(0, shown_dates).map(({ day }) => world.days[day]?.date ?? ''),
    message: `${name}在${weekday_names[first.weekday] ?? ''}${minutes}(第${weeks}周)已有「${first.class_name} ${first.course_name}」，与「${second.class_name} ${second.course_name}」冲突`,
  }
}

/** More lessons in a shared place than it takes at once (chapter 50 rule 18). */
function crowded(group: readonly Timed[], limit: number, context: Context): Conflict[] {
  const all = group.flatMap(({ lesson, at }) => at.map(one => ({ ...one, lesson }))).toSorted((a, b) => a.day - b.day || a.begin - b.begin)
  const found = new Map<string, Conflict>()
  let running: typeof all = []
  for (const one of all) {
    running = running.filter(other => other.day === one.day && meet(other, one))
    const [first] = running
    running.push(one)
    if (running.length <= limit || first === undefined) continue
    const rid = one.lesson.place_id ?? ''
    const conflict = clashOf({ kind: 'PLACE', rid, name: `${context.names.place.get(rid) ?? '场所'}(最多${limit}个班)` }, first.lesson, one.lesson, [{ day: one.day, begin: Math.max(first.begin, one.begin), end: Math.min(first.end, one.end) }], context)
    found.set(conflict.id, found.get(conflict.id) ?? conflict)
  }
  return [...found.values()]
}

import type { Weeks } from '@campus/teaching/contract'

/** Minutes of the day, half-open. */
export type Span = { begin: number; end: number }
/** Lessons of a bell by their number. */
export type Bell = ReadonlyMap<number, Span & { name: string }>
/** What a grade does on a date: whose weekday and week it follows, which bell rings, which minutes fall out. */
export type GradeDay = { weekday: number; week: number; bell: Bell; closed: readonly Span[] }
export type RunDay = { date: string; grades: ReadonlyMap<string, GradeDay> }

/** A lesson at a cell. `place_id` is where it really is: its own place or the class's room. */
export type Placement = {
  id: string; class_id: string; class_name: string; grade: string; course_id: string; course_name: string; teacher_ids: readonly string[]; place_id: string | null
  weekday: number; section: number; span: number; weeks: Weeks; locked: boolean
}

/** The dates on which something runs, in order, with what the checker looks up most. */
export type World = {
  days: readonly RunDay[]
  weeks: Weeks
  /** some date runs different weekdays for different grades */
  is_mixed: boolean
  by_weekday: ReadonlyMap<string, readonly { day: number; of: GradeDay }[]>
  bells: ReadonlyMap<string, readonly Bell[]>
}

/** One date on which a lesson takes place: the number of the day in the world, and its minutes. */
export type Occurrence = Span & { day: number }

/** Prepares dates for the checker; `weeks`: every week of the term. */
export function worldOf(days: readonly RunDay[], weeks: Weeks): World {
  const by_weekday = new Map<string, { day: number; of: GradeDay }[]>()
  const bells = new Map<string, Bell[]>()
  let is_mixed = false
  for (const [day, { grades }] of days.entries()) {
    is_mixed ||= new Set([...grades.values()].map(of => of.weekday)).size > 1
    for (const [grade, of] of grades) {
      add(by_weekday, `${grade} ${of.weekday}`, { day, of })
      if (bells.get(grade)?.includes(of.bell) !== true) add(bells, grade, of.bell)
    }
  }
  return { days, weeks, is_mixed, by_weekday, bells }
}

/** Adds to the list behind a key. */
export function add<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

/** Minutes of a lesson by a bell; null where the bell has no such lesson. */
export function minutesIn(bell: Bell, { section, span }: Pick<Placement, 'section' | 'span'>): Span | null {
  const [first, last] = [bell.get(section), bell.get(section + span - 1)]
  return first && last ? { begin: first.begin, end: last.end } : null
}

/** The dates on which a lesson really takes place, in order; a lesson that a closure cuts falls out whole (chapter 50 rule 6). */
export function occurrencesOf(lesson: Pick<Placement, 'grade' | 'weekday' | 'section' | 'span' | 'weeks'>, world: World): Occurrence[] {
  const weeks = new Set(lesson.weeks)
  return (world.by_weekday.get(`${lesson.grade} ${lesson.weekday}`) ?? []).flatMap(({ day, of }) => {
    if (!weeks.has(of.week)) return []
    const span = minutesIn(of.bell, lesson)
    return span === null || of.closed.some(part => meet(part, span)) ? [] : [{ day, ...span }]
  })
}

/** Half-open spans that share a minute; one may begin when the other ends (chapter 50 rule 17). */
export function meet(a: Span, b: Span): boolean {
  return a.begin < b.end && b.begin < a.end
}

/** `10:25–11:05`. */
export function clockSpan({ begin, end }: Span): string {
  return `${clock(begin)}–${clock(end)}`
}

function clock(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}

import { content_state, source, startOf, target_kind, usual_name, usual_zones, zone_scope } from '@campus/publishing/contract'
import type {
  BoardPlan,
  ContentTarget,
  DayPart,
  ItemBody,
  PlanFile,
  PlanItem,
  PlanLesson,
  PlanMeal,
  PlanZone,
  Span,
} from '@campus/publishing/contract'
import { addDays, mondayOf, weekdayOf } from '@campus/calendar/contract'
import { rowHash } from '@kit/terminal-protocol'

/** A part of a day by the bell of a grade, as minutes of the day; lessons are what has a number. */
type Bell = { begin: number; end: number; is_lesson: boolean }
export type DayFact = { is_school_day: boolean; bells: readonly Bell[] }
export type RuleFact = {
  name: string
  day_kind: number
  weekdays: readonly number[]
  dayparts: readonly DayPart[]
  order_mode: number
  item_seconds: number
  mute_in_lesson: boolean
  enabled: boolean
}
export type CountdownFact = { target_on: string; count_mode: number; style: number; done_text: string }
export type PlacedTarget = ContentTarget & { path: string | null }
export type ContentFact = {
  content_id: string
  title: string
  source_kind: number
  text: string
  files: readonly PlanFile[]
  zone: string
  rule: RuleFact | null
  priority: number
  weight: number
  valid_from: number
  valid_to: number | null
  offline_ttl_hours: number
  urgent: boolean
  /** published from the library: shown in the picture zone of each template, the newest first */
  of_library: boolean
  state: number
  targets: readonly PlacedTarget[]
  post: { title: string; text: string } | null
  countdown: CountdownFact | null
}
/** All that plans of a school are made of. `days` by grade, `''` = the whole school. */
export type Facts = {
  contents: readonly ContentFact[]
  days: Readonly<Record<string, Readonly<Record<string, DayFact>>>>
  lessons: Readonly<Record<string, Readonly<Record<string, readonly PlanLesson[]>>>>
  honours: Readonly<Record<string, readonly string[]>>
  meals: Readonly<Record<string, readonly PlanMeal[]>>
  zones: readonly ZoneFact[]
}
/** What a zone shows of itself in a part of the school; scope 1 school, 2 stage, 3 grade, 4 class, 5 board. */
export type ZoneFact = { scope: number; scope_id: string; zone: string; module: string }
export type BoardFact = {
  device_id: string
  device_name: string
  place_id: string | null
  place_path: string | null
  place_name: string
  dept_id: string | null
  dept_path: string | null
  class_name: string | null
  grade: string | null
  stage: string | null
  template: { name: string; orientation: number; zones: readonly PlanZone[] } | null
}

/** Weeks that a plan covers, the running one included (chapter 60 rule 33). */
const weeks = 3
const [minute_ms, noon_gap_min, begin_of_day, end_of_day] = [60_000, 40, 360, 1320] as const
const [every_day, school_days, free_days] = [1, 2, 3] as const
const usual = { order_mode: 1, item_seconds: 10, mute_in_lesson: true } as const
const modules: Readonly<Record<number, string>> = { [source.honour]: 'honour', [source.menu]: 'menu', [source.timetable]: 'timetable' }

/** The first day of a plan that is made on a day, and the first that it does not cover any more. */
export function horizonOf(day: string): { from: string; until: string } {
  return { from: mondayOf(day), until: addDays(mondayOf(day), weeks * 7) }
}

/**
 * What one board is to play (chapter 60 rule 33): no clock, no chance, the same facts give the same plan and the same hash.
 * @param day any day of the week in which the plan begins
 */
export function compilePlan(facts: Facts, board: BoardFact, day: string): BoardPlan {
  const { from, until } = horizonOf(day)
  const [begin, end] = [startOf(from), startOf(until)]
  const meant = facts.contents.filter(
    content =>
      content.state === content_state.live &&
      content.valid_from < end &&
      (content.valid_to === null || content.valid_to > begin) &&
      isMeant(content.targets, board) &&
      content.rule?.enabled !== false,
  )
  const days = facts.days[board.grade ?? ''] ?? facts.days[''] ?? {}
  const { zones: own, ...template } = board.template ?? { name: usual_name, orientation: 1, zones: usual_zones[1] }
  const zones = own.map(zone => ({ ...zone, module: moduleOf(zone, facts.zones, board) }))
  return {
    board: {
      device_id: board.device_id,
      device_name: board.device_name,
      place_name: board.place_name,
      class_name: board.class_name,
      orientation: template.orientation,
    },
    template: { name: template.name, zones },
    from,
    until,
    items: meant.toSorted(inPlanOrder).flatMap(content => itemOf(placed(content, zones), days, { from, until })),
    modules: { lessons: facts.lessons[board.dept_id ?? ''] ?? {}, honours: facts.honours[board.dept_id ?? ''] ?? [], meals: facts.meals },
  }
}

/** Whether a setting of zones holds for a board. */
export function appliesTo(
  { scope, scope_id }: ZoneFact,
  { device_id, dept_id, grade, stage }: Pick<BoardFact, 'device_id' | 'dept_id' | 'grade' | 'stage'>,
): boolean {
  return scope === zone_scope.school || [stage, grade, dept_id, device_id][scope - zone_scope.stage] === scope_id
}

/** What a zone shows of itself on a board: by the most specific setting, or by its template. */
function moduleOf({ zone, module }: PlanZone, settings: readonly ZoneFact[], board: BoardFact): string {
  const meant = settings.filter(one => one.zone === zone && appliesTo(one, board))
  return meant.toSorted((a, b) => b.scope - a.scope)[0]?.module ?? module
}

/** Contents as they were made; those of the library after them, the newest first (chapter 60 rule 29). */
function inPlanOrder(a: ContentFact, b: ContentFact): number {
  if (a.of_library !== b.of_library) return a.of_library ? 1 : -1
  return (Number(a.content_id) - Number(b.content_id)) * (a.of_library ? -1 : 1)
}

/** What comes from the library is in whichever zone of a template shows pictures. */
function placed(content: ContentFact, zones: readonly PlanZone[]): ContentFact {
  if (!content.of_library || zones.some(zone => zone.zone === content.zone)) return content
  return { ...content, zone: zones.find(zone => zone.module === 'media')?.zone ?? content.zone }
}

/** Whether the targets of a content name a board: some line takes it in, none leaves it out. */
export function isMeant(
  targets: readonly PlacedTarget[],
  { place_id, place_path, dept_path }: Pick<BoardFact, 'place_id' | 'place_path' | 'dept_path'>,
): boolean {
  const names = ({ target, target_id, path }: PlacedTarget) => {
    if (target === target_kind.all) return true
    if (target === target_kind.place) return place_id !== null && place_id === target_id
    const own = target === target_kind.subtree ? place_path : dept_path
    return own !== null && path !== null && own.startsWith(path)
  }
  return targets.some(line => line.mode === 1 && names(line)) && !targets.some(line => line.mode === 2 && names(line))
}

/** What of a content a plan says: another hash is another thing to show. */
export function itemHash(item: PlanItem): string {
  return rowHash(item)
}

export function planHash(plan: BoardPlan): string {
  return rowHash(plan)
}

/** Files of a plan, each once. */
export function filesOf(items: readonly PlanItem[]): PlanFile[] {
  const all = items.flatMap(({ body }) => (body.kind === 'files' ? body.files : []))
  return [...new Map(all.map(file => [file.sha256, file])).values()]
}

function itemOf(content: ContentFact, days: Readonly<Record<string, DayFact>>, span: { from: string; until: string }): PlanItem[] {
  const body = bodyOf(content, days, span)
  if (body === null) return []
  const { order_mode, item_seconds, mute_in_lesson } = content.rule ?? usual
  const { content_id, title, zone, urgent, priority, weight, valid_from, valid_to, offline_ttl_hours, rule } = content
  return [
    {
      content_id,
      title,
      zone,
      urgent,
      priority,
      weight,
      order_mode,
      seconds: item_seconds,
      mute_in_lesson,
      from: valid_from,
      until: valid_to,
      windows: rule === null ? null : windowsOf(rule, days, span),
      rule_name: rule?.name ?? null,
      offline_hours: offline_ttl_hours,
      body,
    },
  ]
}

function bodyOf(
  { source_kind, files, text, post, countdown, title }: ContentFact,
  days: Readonly<Record<string, DayFact>>,
  { from, until }: { from: string; until: string },
): ItemBody | null {
  if (source_kind === source.files || source_kind === source.album) return files.length === 0 ? null : { kind: 'files', files }
  if (source_kind === source.text) return { kind: 'text', text }
  if (source_kind === source.post) return post && { kind: 'notice', ...post }
  if (source_kind === source.countdown)
    return (
      countdown && {
        kind: 'countdown',
        title,
        target_on: countdown.target_on,
        style: countdown.style,
        done_text: countdown.done_text,
        days: countDays(countdown, days, from, until),
      }
    )
  const module = modules[source_kind]
  return module === undefined ? null : { kind: 'module', module }
}

/** Days that are left, for every day of the plan: natural ones, or days of school after that day up to the target (chapter 60 rule 39). */
export function countDays(
  { target_on, count_mode }: Pick<CountdownFact, 'target_on' | 'count_mode'>,
  days: Readonly<Record<string, DayFact>>,
  from: string,
  until: string,
): Record<string, number> {
  const left: Record<string, number> = {}
  for (let day = from; day < until; day = addDays(day, 1)) {
    const natural = Math.max(0, (startOf(target_on) - startOf(day)) / (24 * 60 * minute_ms))
    left[day] =
      count_mode === 1
        ? natural
        : Object.entries(days).filter(([one, { is_school_day }]) => one > day && one <= target_on && is_school_day).length
  }
  return left
}

/** When a rule lets play, day by day (chapter 60 rule 35). */
export function windowsOf(
  { day_kind, weekdays, dayparts }: Pick<RuleFact, 'day_kind' | 'weekdays' | 'dayparts'>,
  days: Readonly<Record<string, DayFact>>,
  { from, until }: { from: string; until: string },
): Span[] {
  const spans: Span[] = []
  for (let day = from; day < until; day = addDays(day, 1)) {
    const fact = days[day] ?? { is_school_day: weekdayOf(day) < 6, bells: [] }
    const holds =
      { [every_day]: true, [school_days]: fact.is_school_day, [free_days]: !fact.is_school_day }[day_kind] ??
      weekdays.includes(weekdayOf(day))
    if (!holds) continue
    const midnight = startOf(day)
    const parts = dayparts.length === 0 ? [[0, 24 * 60] as const] : dayparts.flatMap(part => minutesOf(part, fact.bells))
    spans.push(...joined(parts).map(([begin, end]): Span => [midnight + begin * minute_ms, midnight + end * minute_ms]))
  }
  return spans
}

function minutesOf(part: DayPart, bells: readonly Bell[]): Span[] {
  if ('from' in part) return [[clockMinutes(part.from), clockMinutes(part.to)]]
  const lessons = bells.filter(bell => bell.is_lesson).toSorted((a, b) => a.begin - b.begin)
  const [first, last] = [lessons[0], lessons.at(-1)]
  if (!first || !last) return []
  if (part.section === 'before') return [[Math.min(begin_of_day, first.begin), first.begin]]
  if (part.section === 'after') return [[last.end, Math.max(end_of_day, last.end)]]
  if (part.section === 'lesson') return lessons.map(({ begin, end }): Span => [begin, end])
  const gaps = lessons
    .slice(1)
    .map(({ begin }, at): Span => [lessons[at]?.end ?? begin, begin])
    .filter(([begin, end]) => end > begin)
  return gaps.filter(([begin, end]) => end - begin > noon_gap_min === (part.section === 'noon'))
}

function clockMinutes(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number)
  return hours * 60 + minutes
}

function joined(parts: readonly Span[]): Span[] {
  const result: Span[] = []
  for (const [begin, end] of parts.filter(([from, to]) => to > from).toSorted((a, b) => a[0] - b[0])) {
    const last = result.at(-1)
    if (last && begin <= last[1]) result[result.length - 1] = [last[0], Math.max(last[1], end)]
    else result.push([begin, end])
  }
  return result
}

/** What a board plays and when: the plan that the server compiles, and what of it is seen at an instant. No schema and no clock in here: the player carries it. */

/** A part of the screen on a grid of 24 by 24. `zone` is its name for contents, `module` what it shows of itself. */
export type PlanZone = { zone: string; title: string; module: string; x: number; y: number; w: number; h: number; z: number }
export type PlanFile = { sha256: string; mime: string; bytes: number; name: string }
/** Times as milliseconds since 1970, the end not included. */
export type Span = readonly [from: number, until: number]
export type ItemBody =
  | { kind: 'files'; files: readonly PlanFile[] }
  | { kind: 'text'; text: string }
  | { kind: 'notice'; title: string; text: string }
  | { kind: 'countdown'; title: string; target_on: string; style: number; done_text: string; days: Readonly<Record<string, number>> }
  | { kind: 'module'; module: string }
export type PlanItem = {
  content_id: string
  title: string
  zone: string
  urgent: boolean
  priority: number
  weight: number
  order_mode: number
  seconds: number
  mute_in_lesson: boolean
  from: number
  until: number | null
  /** null: as long as it is valid */
  windows: readonly Span[] | null
  rule_name: string | null
  offline_hours: number
  body: ItemBody
}
export type PlanLesson = { begin: number; end: number; name: string; subject: string }
export type PlanMeal = { meal_kind: string; dishes: readonly string[] }
/** What zones show of themselves; days as YYYY-MM-DD. */
export type PlanModules = {
  lessons: Readonly<Record<string, readonly PlanLesson[]>>
  honours: readonly string[]
  meals: Readonly<Record<string, readonly PlanMeal[]>>
}
export type BoardPlan = {
  board: { device_id: string; device_name: string; place_name: string; class_name: string | null; orientation: number }
  template: { name: string; zones: readonly PlanZone[] }
  /** first day, and the first day that is not planned any more */
  from: string
  until: string
  items: readonly PlanItem[]
  modules: PlanModules
}

/** What a zone shows. `item` null: its module. `until`: when it is to be asked again; null: nothing changes by itself. `waiting`: what else is meant for it, and why it is not seen. */
export type Shown = {
  zone: string
  module: string
  item: PlanItem | null
  frame: number
  until: number | null
  why: string
  waiting: { content_id: string; title: string; why: string }[]
}
export type Screen = { urgent: Shown | null; full: Shown | null; ticker: Shown | null; zones: Shown[] }

export const [full_zone, ticker_zone] = ['full', 'ticker'] as const
const [random, weighted] = [2, 3] as const
const [second_ms, hour_ms, day_ms, zone_ms] = [1000, 3_600_000, 86_400_000, 8 * 3_600_000] as const

/** The calendar day of the school at an instant, YYYY-MM-DD. */
export function dayAt(at: number): string {
  return new Date(at + zone_ms).toISOString().slice(0, 10)
}

/** The instant at which a day of the school begins. */
export function startOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) - zone_ms
}

/**
 * What a board that holds this plan shows at an instant, and why (chapter 60 rule 32): urgent, then priority 9 to 1, then the zone's own module. Pure: player, console and tests ask the same.
 * @param last_contact when the board last heard of the server: contents are hidden after their hours without it
 */
export function resolvePlan(plan: BoardPlan, at: number, last_contact: number = at): Screen {
  const zones = inOrder(plan.template.zones, zone => zone.z).map(({ zone, module }) => showZone(plan, { zone, module }, at, last_contact))
  const over = (zone: string, urgent: boolean) => {
    const shown = showZone({ ...plan, items: plan.items.filter(item => item.urgent === urgent) }, { zone, module: '' }, at, last_contact)
    return shown.item === null ? null : shown
  }
  return { urgent: over(full_zone, true), full: over(full_zone, false), ticker: over(ticker_zone, false), zones }
}

/** Contents that a screen shows. */
export function shownContents({ urgent, full, ticker, zones }: Screen): Set<string> {
  const covering = urgent ?? full
  const seen = covering === null ? [...zones, ticker] : [covering, urgent === null ? ticker : null]
  return new Set(seen.flatMap(shown => (shown?.item ? [shown.item.content_id] : [])))
}

/** Contents whose turn it is at an instant, those that alternate with what is seen included. */
export function activeContents(plan: BoardPlan, at: number): Set<string> {
  return new Set(plan.items.filter(item => whyHidden(item, at, at) === null).map(item => item.content_id))
}

function showZone(plan: BoardPlan, { zone, module }: { zone: string; module: string }, at: number, last_contact: number): Shown {
  const meant = plan.items.filter(item => item.zone === zone)
  const hidden = meant.map(item => ({ item, why: whyHidden(item, at, last_contact) }))
  const live = hidden.flatMap(({ item, why }) => (why === null ? [item] : []))
  const top = Math.max(...live.map(item => item.priority))
  const best = live.filter(item => item.priority === top)
  const turn = best.length === 0 ? null : turnAt(best, plan.board.device_id, at)
  const changes = [turn?.until ?? null, ...meant.map(item => nextEdge(item, at))].filter(edge => edge !== null)
  const waiting = hidden
    .filter(({ item }) => item !== turn?.item)
    .map(({ item, why }) => ({ content_id: item.content_id, title: item.title, why: why ?? whyBehind(item, top) }))
  return {
    zone,
    module,
    item: turn?.item ?? null,
    frame: turn?.frame ?? 0,
    until: changes.length === 0 ? null : Math.min(...changes),
    why: whyShown(turn?.item ?? null),
    waiting,
  }
}

function whyHidden({ from, until, windows, rule_name, offline_hours }: PlanItem, at: number, last_contact: number): string | null {
  if (at < from) return '还没有到开始时间'
  if (until !== null && at >= until) return '已到结束时间'
  if (at - last_contact > offline_hours * hour_ms) return `离线超过${offline_hours}小时，已自动隐藏`
  return windows === null || windows.some(([begin, end]) => at >= begin && at < end) ? null : `不在播放规则“${rule_name ?? ''}”的时段内`
}

function whyBehind({ priority }: PlanItem, top: number): string {
  return priority === top ? '同优先级轮播中' : `优先级${priority}低于正在播放的${top}`
}

function whyShown(item: PlanItem | null): string {
  if (item === null) return '没有要播放的内容，显示区域本身'
  if (item.urgent) return '紧急插播'
  return item.rule_name === null ? `优先级${item.priority}，全天播放` : `优先级${item.priority}，播放规则“${item.rule_name}”`
}

/** When an item begins or ends to be meant, after an instant. */
function nextEdge({ from, until, windows }: PlanItem, at: number): number | null {
  const edges = [from, ...(until === null ? [] : [until]), ...(windows ?? []).flat()].filter(edge => edge > at)
  return edges.length === 0 ? null : Math.min(...edges)
}

type Turn = { item: PlanItem; frame: number; until: number | null }

/** Whose turn it is among equals: a round that begins at midnight, the same on every look (chapter 60 rule 32). */
function turnAt(best: readonly PlanItem[], device_id: string, at: number): Turn {
  const midnight = startOf(dayAt(at))
  const is_random = best.some(item => item.order_mode === random)
  const ordered = is_random ? inOrder(best, item => mix(`${item.content_id} ${device_id} ${midnight}`)) : best
  const rounds = Math.max(...ordered.map(times))
  const frames = Array.from({ length: rounds }, (_, round) => ordered.filter(item => times(item) > round))
    .flat()
    .flatMap(item => Array.from({ length: frameCount(item) }, (_, frame) => ({ item, frame })))
  const [only] = frames
  if (frames.length === 1 && only) return { ...only, until: null }
  const total = frames.reduce((sum, { item }) => sum + item.seconds * second_ms, 0)
  const since = ((at - midnight) % day_ms) % total
  let passed = 0
  for (const { item, frame } of frames) {
    passed += item.seconds * second_ms
    if (since < passed) return { item, frame, until: at + passed - since }
  }
  throw new Error('a round is as long as its parts')
}

const times = ({ order_mode, weight }: PlanItem) => (order_mode === weighted ? weight : 1)
const frameCount = ({ body }: PlanItem) => (body.kind === 'files' ? Math.max(1, body.files.length) : 1)

/** A list by a number, equals as they stood: screens of 2020 know no `toSorted`. */
export function inOrder<T>(list: readonly T[], of: (one: T) => number): T[] {
  const ordered: T[] = []
  for (const one of list) {
    const at = ordered.findIndex(other => of(other) > of(one))
    ordered.splice(at === -1 ? ordered.length : at, 0, one)
  }
  return ordered
}

/** A number of a text that looks like chance and is always the same. */
function mix(text: string): number {
  let hash = 2_166_136_261
  for (const sign of text) hash = Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 16_777_619)
  return hash >>> 0
}

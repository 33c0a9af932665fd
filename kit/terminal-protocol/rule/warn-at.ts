import type { Span, WarnRuleBody } from './body.ts'
import { minuteOf, schoolMoment } from './rule-at.ts'

/** Something that happens before a camera (its serial number): where in the picture, how sure a box is of it in percent, and how long it has gone on. */
export type Scene = { kind: string; camera: string; x: number; y: number; score: number; lasts_s: number; at: Date }
/** Why a rule says nothing of a scene. */
export type Silence = 'kind' | 'camera' | 'time' | 'area' | 'score' | 'dwell'
type Week = NonNullable<WarnRuleBody['weekly']>
type Corner = { x: number; y: number }

const weekdays = ['1', '2', '3', '4', '5', '6', '7'] as const
const all_sure = 100

/** What keeps a rule from warning of a scene; null: it warns. The one judgement of boxes and of whoever checks them. */
export function silenceOf(rule: WarnRuleBody, scene: Scene): Silence | null {
  const camera = rule.cameras.find(one => one.sn === scene.camera)
  if (rule.warn_kind !== scene.kind) return 'kind'
  if (!camera) return 'camera'
  if (!isWatching(rule, scene.at)) return 'time'
  if (camera.roi && !isInside(camera.roi, scene)) return 'area'
  if (scene.score < all_sure - rule.sensitivity) return 'score'
  return scene.lasts_s < rule.dwell_sec ? 'dwell' : null
}

/** Whether a rule looks at all at a moment; its times are half open in Asia/Shanghai (chapter 30 rule 17). */
export function isWatching({ weekly }: Pick<WarnRuleBody, 'weekly'>, at: Date): boolean {
  if (!weekly) return true
  const { weekday, minute } = schoolMoment(at)
  const spans = weekdays.filter(day => Number(day) === weekday).flatMap(day => weekly[day] ?? [])
  return spans.some(({ from, to }) => minuteOf(from) <= minute && minute < minuteOf(to))
}

/** Windows of a week as a box is told them: cut at midnight, joined where they meet; none: at all times. Monday is the first of `weekdays`; an end that is not after its beginning is on the next day. */
export function watchingWeek(windows: readonly { weekdays: readonly boolean[]; begin: string; end: string }[]): Week | undefined {
  if (windows.length === 0) return undefined
  const days = weekdays.map(() => new Array<Span>())
  for (const { weekdays: on, begin, end } of windows) {
    const is_over = minuteOf(end) <= minuteOf(begin)
    for (const [day, is_on] of on.entries()) {
      if (is_on) days[day]?.push({ from: begin, to: is_over ? '24:00' : end })
      if (is_on && is_over && minuteOf(end) > 0) days[(day + 1) % weekdays.length]?.push({ from: '00:00', to: end })
    }
  }
  return Object.fromEntries(weekdays.flatMap((day, at) => ((days[at]?.length ?? 0) > 0 ? [[day, joined(days[at] ?? [])]] : [])))
}

function joined(spans: readonly Span[]): Span[] {
  const found: Span[] = []
  for (const span of spans.toSorted((a, b) => minuteOf(a.from) - minuteOf(b.from))) {
    const last = found.at(-1)
    if (!last || minuteOf(span.from) > minuteOf(last.to)) found.push({ ...span })
    else if (minuteOf(span.to) > minuteOf(last.to)) last.to = span.to
  }
  return found
}

/** By the number of sides that a line to the right of the point crosses. */
function isInside(corners: readonly Corner[], { x, y }: Corner): boolean {
  const crossed = corners.filter((a, at) => {
    const b = corners[(at + 1) % corners.length] ?? a
    return a.y > y !== b.y > y && x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x
  })
  return crossed.length % 2 === 1
}

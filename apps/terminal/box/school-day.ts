import { createHash } from 'node:crypto'
import { addDays, isWatching, schoolMoment, startOfDate, weekdayOfDate } from '@kit/terminal-protocol'
import type { Scene, WarnRuleBody } from '@kit/terminal-protocol'
import type { AiBox } from './ai-box.ts'

const [minute_ms, second_ms, tick_ms] = [60_000, 1000, 15_000] as const
/** The hours of school, in minutes of a day; Friday is the last day. */
const [first_minute, last_minute, last_weekday] = [450, 1050, 5] as const
/** Of so many percent what happens lies in the area of the rule, and lasts as long as it asks. */
const [inside_pct, lasting_pct] = [75, 80] as const
const [least_score, most_score, most_lasts_s, spread] = [35, 99, 40, 0.1] as const

/** How often something happens before the cameras of all boxes together, and what makes it the same every time. */
export type Seeing = { a_day: number; seed: string }
type Drawn = { at: Date; part: (what: string) => number }

/**
 * What happens before the cameras of boxes while school is on: so many scenes a day, on school days alone, always the same ones with the same seed. Each is of a kind and before a camera that a rule of the box looks at just then;
 * whether it warns is the box's to judge.
 */
export class SchoolDay {
  readonly #boxes: readonly AiBox[]
  readonly #seeing: Seeing
  #until: Date

  /** What was due before `since` never happens. */
  constructor(boxes: readonly AiBox[], seeing: Seeing, since: Date) {
    this.#boxes = boxes
    this.#seeing = seeing
    this.#until = since
  }

  /** Lets happen what has fallen due since the last time. */
  pass(now: Date): void {
    const today = schoolMoment(now).date
    for (let { date } = schoolMoment(this.#until); date <= today; date = addDays(date, 1)) {
      for (const drawn of momentsOf(date, this.#seeing)) if (drawn.at > this.#until && drawn.at <= now) this.#play(drawn)
    }
    this.#until = now
  }

  #play({ at, part }: Drawn): void {
    const box = pick(this.#boxes, part('box'))
    const rule = pick(box?.rules.filter(one => isWatching(one, at)) ?? [], part('rule'))
    const scene = rule && sceneOf(rule, { at, part })
    if (scene) box?.watch(scene)
  }
}

/** Runs a school day by the clock of this computer. @returns what ends it */
export function startSeeing(boxes: readonly AiBox[], seeing: Seeing): () => void {
  const day = new SchoolDay(boxes, seeing, new Date())
  const ticking = setInterval(() => day.pass(new Date()), tick_ms).unref()
  return () => clearInterval(ticking)
}

/** When something happens on a day, and the numbers from 0 to 1 that say what; nothing at weekends. */
function momentsOf(date: string, { a_day, seed }: Seeing): Drawn[] {
  if (weekdayOfDate(date) > last_weekday) return []
  return Array.from({ length: a_day }, (_, n) => {
    const part = (what: string) => createHash('sha256').update(`${seed} ${date} ${n} ${what}`).digest().readUInt32BE(0) / 2 ** 32
    return { at: new Date(startOfDate(date).getTime() + (first_minute + part('minute') * (last_minute - first_minute)) * minute_ms), part }
  }).toSorted((a, b) => a.at.getTime() - b.at.getTime())
}

/** Mostly where the rule looks and as long as it asks; sure enough or not. It is over at its moment. */
function sceneOf(rule: WarnRuleBody, { at, part }: Drawn): Scene | undefined {
  const camera = pick(rule.cameras, part('camera'))
  if (!camera) return undefined
  const middle = (axis: 'x' | 'y') => (camera.roi ?? [{ x: 0.5, y: 0.5 }]).reduce((sum, corner) => sum + corner[axis], 0) / (camera.roi?.length ?? 1)
  const is_inside = part('inside') * 100 < inside_pct
  const place = (axis: 'x' | 'y') => (is_inside ? Math.min(1, Math.max(0, middle(axis) + (part(axis) - 0.5) * spread)) : part(axis))
  const lasts_s = Math.floor(part('lasts') * most_lasts_s) + (part('long') * 100 < lasting_pct ? rule.dwell_sec : 0)
  return { kind: rule.warn_kind, camera: camera.sn, x: place('x'), y: place('y'), score: Math.round(least_score + part('score') * (most_score - least_score)), lasts_s, at: new Date(at.getTime() - lasts_s * second_ms) }
}

function pick<T>(of: readonly T[], part: number): T | undefined {
  return of[Math.floor(part * of.length)]
}

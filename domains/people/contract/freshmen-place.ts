import { api, get, id, Instant, post } from '@kit/contract'
import { z } from 'zod'
import { DeptId } from './dept.ts'
import { SeasonId } from './freshmen.ts'

const ApplyId = z.uuid().meta({ id_of: 'people.freshmen_apply' })
const RunId = id('people.freshmen_place_run')

/** A child to be placed; `fixed` = the class where it stays. */
export const PlaceChild = z.object({
  id: ApplyId,
  user_name: z.string(),
  is_boy: z.boolean(),
  score: z.number().nullable(),
  twin_group: z.string().nullable(),
  apart_group: z.string().nullable(),
  fixed: DeptId.nullable(),
  is_left_behind: z.boolean(),
  is_boarder: z.boolean(),
})
export type PlaceChild = z.output<typeof PlaceChild>
/** A class; `room` = places for these children, those who sit there otherwise taken off. */
export const PlaceClass = z.object({ dept_id: DeptId, dept_name: z.string(), room: z.number().int() })
export type PlaceClass = z.output<typeof PlaceClass>
const Place = z.strictObject({ id: ApplyId, dept_id: DeptId })

const ClassFigures = z.object({ dept_id: DeptId, size: z.number(), boys: z.number(), mean: z.number().nullable(), top: z.number(), left_behind: z.number(), boarders: z.number() })
export type ClassFigures = z.output<typeof ClassFigures>
const Figures = z.object({
  classes: z.array(ClassFigures),
  /** largest less smallest over the classes; `mean` of the scores */
  spread: z.object({ size: z.number(), boys: z.number(), mean: z.number(), top: z.number(), left_behind: z.number(), boarders: z.number() }),
  /** hard rules that do not hold, as sentences */
  broken: z.array(z.string()),
})
export type PlaceFigures = z.output<typeof Figures>

export const PlaceBoard = z.object({
  run_id: RunId,
  state: z.enum(['draft', 'adopted']),
  created_at: Instant,
  input_hash: z.string(),
  /** who is admitted, or the classes, changed since */
  is_stale: z.boolean(),
  /** moved by hand before it was adopted */
  moved: z.number().int(),
  children: z.array(PlaceChild),
  classes: z.array(PlaceClass),
  places: z.array(Place),
  figures: Figures,
})
export type PlaceBoard = z.output<typeof PlaceBoard>

const place = { need: 'people.freshmen.place', within: 'school' } as const
const most_moved = 2000

/** Placement of the admitted into classes (chapter 20 rule 30). */
export const freshmenPlaceApi = api('v2', 'people.freshmen_place', {
  current: get('student-register/place/current', { query: z.object({ season_id: SeasonId }), reply: z.object({ board: PlaceBoard.nullable() }), ...place }),
  run: post('student-register/place/run', { body: z.strictObject({ season_id: SeasonId, is_anew: z.boolean().default(false) }), reply: PlaceBoard, op: 4, ...place }),
  adopt: post('student-register/place/adopt', { body: z.strictObject({ run_id: RunId, moved: z.array(Place).max(most_moved).default([]) }), reply: PlaceBoard, op: 6, ...place }),
})

/** Lowest and highest count a class may have when `total` is shared out evenly over classes that hold `least` already and take `most`. */
export function evenShare(total: number, bounds: readonly { least: number; most: number }[]): { low: number; high: number } {
  const filled = (level: number) => bounds.reduce((sum, { least, most }) => sum + Math.min(Math.max(level, least), Math.max(most, least)), 0)
  let low = 0
  while (low < total && filled(low + 1) <= total) low += 1
  return { low, high: filled(low) === total ? low : low + 1 }
}

/** Which children count as the best tenth: those whose score is at least that of the last of them. */
export function topScore(children: readonly PlaceChild[]): number {
  const scores = children.flatMap(child => child.score ?? []).toSorted((a, b) => b - a)
  return scores[Math.max(Math.ceil(scores.length / 10) - 1, 0)] ?? Number.POSITIVE_INFINITY
}

/** What a placement looks like, and which hard rules it breaks. */
export function placeFigures(children: readonly PlaceChild[], classes: readonly PlaceClass[], placeOf: (id: string) => string | undefined): PlaceFigures {
  const best = topScore(children)
  const seated = Map.groupBy(children, child => placeOf(child.id) ?? '')
  const figures = classes.map(({ dept_id }) => classFigures(dept_id, seated.get(dept_id) ?? [], best))
  const spreadOf = (pick: (one: ClassFigures) => number | null) => {
    const numbers = figures.flatMap(one => pick(one) ?? [])
    return numbers.length === 0 ? 0 : Math.max(...numbers) - Math.min(...numbers)
  }
  const spread = { size: spreadOf(one => one.size), boys: spreadOf(one => one.boys), mean: Math.round(spreadOf(one => one.mean) * 100) / 100, top: spreadOf(one => one.top), left_behind: spreadOf(one => one.left_behind), boarders: spreadOf(one => one.boarders) }
  return { classes: figures, spread, broken: brokenRules(children, classes, figures, placeOf) }
}

function classFigures(dept_id: string, seated: readonly PlaceChild[], best: number): ClassFigures {
  const scores = seated.flatMap(child => child.score ?? [])
  const count = (test: (child: PlaceChild) => boolean) => seated.filter(test).length
  return {
    dept_id, size: seated.length, boys: count(child => child.is_boy), mean: scores.length === 0 ? null : scores.reduce((sum, score) => sum + score, 0) / scores.length,
    top: count(child => child.score !== null && child.score >= best), left_behind: count(child => child.is_left_behind), boarders: count(child => child.is_boarder),
  }
}

function brokenRules(children: readonly PlaceChild[], classes: readonly PlaceClass[], figures: readonly ClassFigures[], placeOf: (id: string) => string | undefined): string[] {
  const nameOf = new Map(classes.map(one => [one.dept_id, one.dept_name]))
  const fixed = Map.groupBy(children.filter(child => child.fixed !== null), child => child.fixed)
  const stay = (dept_id: string, test: (child: PlaceChild) => boolean) => (fixed.get(dept_id) ?? []).filter(test).length
  const size = evenShare(children.length, classes.map(({ dept_id, room }) => ({ least: stay(dept_id, () => true), most: room })))
  const boys = evenShare(children.filter(child => child.is_boy).length, classes.map(({ dept_id }) => ({ least: stay(dept_id, child => child.is_boy), most: children.length })))
  const uneven = figures.flatMap(({ dept_id, size: seats, boys: n }) => {
    const name = nameOf.get(dept_id) ?? ''
    const room = classes.find(one => one.dept_id === dept_id)?.room ?? 0
    const over = seats > room ? [`${name}超过可编入的${room}人`] : []
    const bad_size = seats > Math.max(size.high, stay(dept_id, () => true)) || seats < Math.min(size.low, room)
    const bad_boys = n > Math.max(boys.high, stay(dept_id, child => child.is_boy)) || n < boys.low
    return [...over, ...(bad_size ? [`${name}${seats}人，各班人数相差应不超过1人`] : []), ...(bad_boys ? [`${name}男生${n}人，各班男生相差应不超过1人`] : [])]
  })
  return [...uneven, ...groupRules(children, placeOf)]
}

function groupRules(children: readonly PlaceChild[], placeOf: (id: string) => string | undefined): string[] {
  const names = (list: readonly PlaceChild[]) => list.map(child => child.user_name).join('、')
  const nowhere = children.filter(child => placeOf(child.id) === undefined)
  const moved = children.filter(child => child.fixed !== null && placeOf(child.id) !== child.fixed)
  const split = [...Map.groupBy(children, child => child.twin_group)].filter(([group, list]) => group !== null && new Set(list.map(child => placeOf(child.id))).size > 1)
  const together = [...Map.groupBy(children, child => child.apart_group)].filter(([group, list]) => group !== null && new Set(list.map(child => placeOf(child.id))).size < list.length)
  return [
    ...(nowhere.length > 0 ? [`${names(nowhere)}还没有班级`] : []),
    ...(moved.length > 0 ? [`${names(moved)}已在班级中，不能移动`] : []),
    ...split.map(([, list]) => `${names(list)}应在同一班`),
    ...together.map(([, list]) => `${names(list)}应在不同班`),
  ]
}

import { first_age } from '@campus/people/server'
import type { InventedPupil, SampleTools } from '@campus/people/server'
import type { Promotion } from './cohorts.ts'
import { dept_type } from './departments.ts'
import type { PlannedDept } from './departments.ts'
import { spread } from './spread.ts'
import type { Stage } from './staff.ts'

/** A pupil's place before there is a pupil: class of today (or the last one), since when, and the class it began in. */
export type Seat = {
  /** in class today; kept on the roll without being there; left by graduation; left for another school */
  kind: 'in class' | 'suspended' | 'graduated' | 'gone'
  class_key: string
  first_class: PlannedDept
  stage: Stage
  enrol_year: number
  sex: '1' | '2'
  is_boarder: boolean
  by_bus: boolean
  from: string
  open_kind: 'IN' | 'ENROL'
  entry_way?: InventedPupil['entry_way']
}
export type Days = { past_from: string; left_on: string; from: string; today: string }

export const counts = { bus_riders: 462, suspended: 11, gone: 37 } as const

/** Every seat of the main school: who is in class, who came up from the stage below, who is suspended, who left. */
export function planSeats(tools: SampleTools, depts: readonly PlannedDept[], promotion: Promotion, days: Days): Seat[] {
  const { draw } = tools
  const fresh = new Set(promotion.opened.map(dept => dept.key))
  const classes = depts.filter(dept => dept.dept_type === dept_type.class)
  const older = classes.filter(dept => !fresh.has(dept.key))
  const in_class = classes.flatMap(dept => seatsOf(tools, dept, 'in class', fresh.has(dept.key) ? days.from : days.past_from))
  comeUp(tools, in_class, promotion, days)
  giveBusSeats(tools, in_class)
  const one = (kind: Seat['kind'], dept: PlannedDept) => seatsOf(tools, { ...dept, pupils: { all: 1, boys: draw.below(2), boarders: 0 } }, kind, days.past_from)
  return [
    ...in_class,
    ...spread(older, counts.suspended).flatMap(dept => one('suspended', dept)),
    ...spread(older, counts.gone).flatMap(dept => one('gone', dept)),
    ...promotion.graduated.filter(dept => dept.pupils).flatMap(dept => seatsOf(tools, dept, 'graduated', days.past_from)),
  ]
}

/** The year in which the one who sits here was born, or the next. */
export function birthYearOf({ stage, enrol_year }: Pick<Seat, 'stage' | 'enrol_year'>): number {
  return enrol_year - first_age[stage] - 1
}

function seatsOf({ draw }: SampleTools, dept: PlannedDept, kind: Seat['kind'], from: string): Seat[] {
  const { all, boys, boarders } = dept.pupils ?? { all: 0, boys: 0, boarders: 0 }
  const sexes = draw.shuffled(Array.from({ length: all }, (_, at) => (at < boys ? '1' : '2')))
  const beds = draw.shuffled(Array.from({ length: all }, (_, at) => at < boarders))
  const place = { kind, class_key: dept.key, first_class: dept, stage: stageOf(dept), enrol_year: dept.enrol_year ?? 0, from, open_kind: 'ENROL' as const, by_bus: false }
  return sexes.map((sex, at) => ({ ...place, sex, is_boarder: beds[at] === true }))
}

/** Who ended a stage last year without leaving sits in the first grade of the next one now. */
function comeUp({ draw }: SampleTools, seats: readonly Seat[], promotion: Promotion, days: Days): void {
  const opened = promotion.opened.map(dept => dept.key)
  for (const [stage, ended] of Map.groupBy(promotion.continued.filter(dept => dept.pupils), dept => dept.stage)) {
    const waiting = draw.shuffled(seats.filter(seat => seat.stage === nextStage(stage) && opened.includes(seat.class_key)))
    for (const dept of ended) {
      for (const seat of waiting.splice(0, dept.pupils?.all ?? 0)) Object.assign(seat, { first_class: dept, from: days.past_from })
    }
  }
}

/** Day pupils of primary and junior school ride the school's buses. */
function giveBusSeats({ draw }: SampleTools, seats: readonly Seat[]): void {
  const riders = draw.shuffled(seats.filter(seat => seat.stage !== '3' && !seat.is_boarder)).slice(0, counts.bus_riders)
  for (const seat of riders) seat.by_bus = true
}

function stageOf({ stage, dept_name }: PlannedDept): Stage {
  if (stage === '1' || stage === '2' || stage === '3') return stage
  throw new Error(`${dept_name} has no stage`)
}

function nextStage(stage: string | null | undefined): string {
  return String(Number(stage) + 1)
}

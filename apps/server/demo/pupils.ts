import { makePupil, withGaps } from '@campus/people/server'
import type { InventedFamily, InventedPupil, SampleTools } from '@campus/people/server'
import type { Promotion } from './cohorts.ts'
import type { PlannedDept } from './departments.ts'
import { planFamilies } from './families.ts'
import type { Household } from './families.ts'
import { planPast } from './pupil-past.ts'
import type { PlannedStep } from './pupil-past.ts'
import { planSeats } from './seats.ts'
import type { Days, Seat } from './seats.ts'
import type { PlannedStaff } from './staff.ts'

/** A pupil of the plan: where he began, what happened since, who is at home. */
export type PlannedPupil = { facts: InventedPupil; family: InventedFamily; seat: Seat; steps: readonly PlannedStep[] }

/** Every pupil of the main school, by class and number: those in class today, those who are away, those who left. */
export function planPupils(tools: SampleTools, depts: readonly PlannedDept[], staff: readonly PlannedStaff[], promotion: Promotion, days: Days): PlannedPupil[] {
  const seats = planSeats(tools, depts, promotion, days)
  const past = planPast(tools, seats, days)
  const numbers = numberSeats(seats)
  const homes = new Map(planFamilies(tools, seats, staff).flatMap(household => household.children.map(seat => [seat, household] as const)))
  const twins = new Map<Household, string>()
  return seats.map(seat => {
    const household = homes.get(seat)
    if (!household) throw new Error('a pupil has no family')
    const facts = newPupil(tools, seat, household, { student_no: numbers.get(seat) ?? '', birthday: twins.get(household) })
    if (household.are_twins && facts.birthday) twins.set(household, facts.birthday)
    return { facts, family: household.family, seat, steps: past.get(seat) ?? [] }
  })
}

function newPupil(tools: SampleTools, seat: Seat, { family, children }: Household, known: { student_no: string; birthday: string | undefined }): InventedPupil {
  const { stage, enrol_year, sex, is_boarder, by_bus, entry_way } = seat
  const pupil = makePupil(tools, { ...known, stage, enrol_year, sex, is_boarder, by_bus, is_alone: children.length === 1 }, family)
  return withGaps(tools.draw, entry_way === undefined ? pupil : { ...pupil, entry_way })
}

/** A number says year and stage of the first class here, the class, and a place in it: `202010312`. */
function numberSeats(seats: readonly Seat[]): Map<Seat, string> {
  const taken = new Map<string, number>()
  return new Map(
    seats.map(seat => {
      const { enrol_year, stage, class_no } = seat.first_class
      const begin = `${enrol_year}${stage}${two(class_no ?? 0)}`
      const place = (taken.get(begin) ?? 0) + 1
      taken.set(begin, place)
      return [seat, begin + two(place)]
    }),
  )
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}

import type { BellUseDraft, BellDraft, SemesterDraft } from '@campus/calendar/contract'
import type { z } from 'zod'
import type { Db } from './db.ts'
import { insertBell } from './bell/bell.service.ts'
import { ringBell } from './bell/bell-use.service.ts'
import { loadWorld } from './day/day.queries.ts'
import { nationalFact } from './day/national.service.ts'
import { nationalSpecials } from './day/national.ts'
import { coveredDays, rebuildDays } from './day/rebuild.ts'
import type { Changing } from './day/rebuild.ts'
import { factOf, insertSpecial } from './day/special.write.ts'
import type { Draft } from './day/special.write.ts'
import { insertSemester } from './semester/semester.service.ts'

/** A whole calendar before anybody uses it; `uses` name their bell by its name, `make_up` the day a national make-up day follows. */
export type CalendarPlan = {
  semesters: readonly Omit<z.output<typeof SemesterDraft>, 'preview'>[]
  years: readonly number[]
  make_up: readonly { date: string; follows_date: string }[]
  specials: readonly Draft[]
  bells: readonly z.output<typeof BellDraft>[]
  uses: readonly (Omit<z.output<typeof BellUseDraft>, 'preview' | 'bell_id'> & { bell: string })[]
}

/** Writes a calendar into a school that has none, and the days that follow from it, past ones too. */
export async function createCalendar(from: Changing, plan: CalendarPlan): Promise<void> {
  const db: Db = from.db
  for (const semester of plan.semesters) await insertSemester(from, semester)
  const follows = new Map(plan.make_up.map(({ date, follows_date }) => [date, follows_date]))
  for (const national of plan.years.flatMap(nationalSpecials)) await insertSpecial(from, { ...nationalFact(national), follows_date: follows.get(national.begin_date) ?? null })
  for (const special of plan.specials) await insertSpecial(from, factOf(special, 'school'))
  const ids = new Map<string, string>()
  for (const bell of plan.bells) ids.set(bell.name, await insertBell(from, bell))
  for (const { bell, ...use } of plan.uses) await ringBell(from, { ...use, bell_id: ids.get(bell) ?? '' })
  const world = await loadWorld(db, from.school_id)
  const span = coveredDays(world.terms)
  if (span) await rebuildDays(from, world, span, { preview: false })
}

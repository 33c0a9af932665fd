import { calendarErrors } from '@campus/calendar/contract'
import type { specialApi } from '@campus/calendar/contract'
import { fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import type { CalendarCtx } from '../db.ts'
import { loadWorld, lockCalendar } from './day.queries.ts'
import { judgeNational, nationalSpecials } from './national.ts'
import type { NationalSpecial, NationalVerdict } from './national.ts'
import { rebuildDays } from './rebuild.ts'
import type { Changing } from './rebuild.ts'
import type { SpecialFact } from './resolve.ts'
import { readSpecials } from './special.queries.ts'
import { insertSpecial, replaceSpecial } from './special.write.ts'

const bare = { scope_kind: 'school', scope_codes: [], follows_date: null, follows_weekday: null, follows_week_kind: null, closed_from: null, closed_to: null, bell_id: null, source: 'national' } as const

/** A line of the national calendar as the resolver knows it. */
export function nationalFact({ name, begin_date, end_date, kind }: NationalSpecial): SpecialFact {
  return { ...bare, name, begin_date, end_date, kind }
}

/** Loads the holidays and make-up days of a year; what the school changed stays (chapter 50 rule 5). @throws Refusal 422 nationalUnknown */
export async function importNational(ctx: CalendarCtx, { year, preview }: Input<typeof specialApi.national>): Promise<Reply<typeof specialApi.national>> {
  const { db, school_id } = ctx
  const planned = nationalSpecials(year)
  if (planned.length === 0) throw fail(calendarErrors.nationalUnknown, { errors: [{ field: 'year', msg: calendarErrors.nationalUnknown.msg }] })
  await lockCalendar(db, school_id)
  const span = { from: `${year}-01-01`, to: `${year}-12-31` }
  const verdicts = judgeNational(planned, await readSpecials(db, school_id, span))
  if (!preview) for (const verdict of verdicts) await apply(ctx, verdict)
  const world = await loadWorld(db, school_id)
  const touched = verdicts.filter(({ verdict }) => verdict === 'new' || verdict === 'update')
  const gone = new Set(touched.flatMap(({ known }) => (known ? [known.id] : [])))
  const stored = await readSpecials(db, school_id, { from: '0001-01-01', to: '9999-12-31' })
  const specials = preview ? [...stored.filter(({ id }) => !gone.has(id)), ...touched.map(nationalFact)] : world.specials
  const effects = await rebuildDays(ctx, { ...world, specials }, span, { preview })
  const lines = verdicts.map(({ known: _known, ...line }) => line)
  ctx.note({ target_kind: 'calendar.national', target_id: String(year), target_name: `${year}年法定节假日`, after: { lines: touched.length } })
  return { lines, effects }
}

async function apply(from: Changing, { verdict, known, ...planned }: NationalVerdict): Promise<void> {
  if (verdict === 'new') await insertSpecial(from, nationalFact(planned))
  if (verdict === 'update' && known) await replaceSpecial(from, { id: known.id, row_version: known.row_version }, nationalFact(planned))
}

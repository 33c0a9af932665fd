import { calendarErrors, holiday_kinds, minutesOf, weekdayOf } from '@campus/calendar/contract'
import type { Special, SpecialDraft } from '@campus/calendar/contract'
import { commonErrors, fail } from '@kit/contract'
import type { z } from 'zod'
import type { Db } from '../db.ts'
import type { Changing } from './rebuild.ts'
import { termOf } from './resolve.ts'
import type { SpecialFact, World } from './resolve.ts'

/** What is to be set, checked by its schema. */
export type Draft = Omit<z.output<typeof SpecialDraft>, 'preview'>
type Own = SpecialFact & { id?: string }

const [last_whole_day_kind, saturday] = [8, 6]
/** Kinds that mean something only inside a term. */
const of_term: readonly number[] = [holiday_kinds.make_up, holiday_kinds.teaching, holiday_kinds.exam, holiday_kinds.activity]

/** A draft as the table and the resolver know it. */
export function factOf({ closed_from, closed_to, scope_codes, scope_kind, ...draft }: Draft, source: Special['source']): SpecialFact & { note: string | null } {
  return {
    ...draft, scope_kind, source,
    scope_codes: scope_kind === 'school' ? [] : [...new Set(scope_codes)].toSorted(),
    closed_from: closed_from === null ? null : minutesOf(closed_from),
    closed_to: closed_to === null ? null : minutesOf(closed_to),
  }
}

/**
 * Whether something may be set beside what is there; `id` = the row that it replaces.
 * @throws Refusal 422 specialOverlap, outsideTerm, followNotSchoolDay, followChain
 */
export function refuseSpecial({ terms, specials }: { terms: World['terms']; specials: readonly Own[] }, fact: SpecialFact, id?: string): void {
  const others = specials.filter(one => id === undefined || one.id !== id)
  const clash = isWhole(fact) ? others.find(one => isWhole(one) && meets(one, fact)) : undefined
  if (clash) throw fail(calendarErrors.specialOverlap, { params: { name: clash.name }, errors: [{ field: 'begin_date', msg: `该日期已设置「${clash.name}」，请修改已有设置` }] })
  if (of_term.includes(fact.kind) && fact.source === 'school' && !termOf(terms, fact.begin_date)) throw fail(calendarErrors.outsideTerm, { errors: [{ field: 'begin_date', msg: calendarErrors.outsideTerm.msg }] })
  const { follows_date } = fact
  if (follows_date === null) return
  const is_chain = follows_date === fact.begin_date || others.some(one => one.kind === holiday_kinds.make_up && one.begin_date <= follows_date && follows_date <= one.end_date)
  if (is_chain) throw fail(calendarErrors.followChain, { errors: [{ field: 'follows_date', msg: calendarErrors.followChain.msg }] })
  if (!termOf(terms, follows_date) || weekdayOf(follows_date) >= saturday) {
    throw fail(calendarErrors.followNotSchoolDay, { params: { date: follows_date }, errors: [{ field: 'follows_date', msg: `所跟随的${follows_date}不是教学日，请选择学期内的周一至周五` }] })
  }
}

function isWhole({ kind, closed_from }: SpecialFact): boolean {
  return kind <= last_whole_day_kind && closed_from === null
}

/** The same scope on a common day. */
function meets(a: SpecialFact, b: SpecialFact): boolean {
  const shares = a.scope_kind === 'school' || a.scope_codes.some(code => b.scope_codes.includes(code))
  return a.scope_kind === b.scope_kind && shares && a.begin_date <= b.end_date && b.begin_date <= a.end_date
}

type Written = SpecialFact & { note?: string | null }

/** Writes what is set. @returns its id @throws Refusal 404 for a bell of nobody */
export async function insertSpecial({ db, school_id, now }: Changing, fact: Written): Promise<string> {
  await requireBell(db, school_id, fact.bell_id)
  const { id } = await db.insertInto('calendar_special').values({ ...columnsOf(fact), school_id, updated_at: now }).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Writes it over what was set. */
export async function replaceSpecial({ db, school_id, now }: Changing, { id, row_version }: { id: string; row_version: number }, fact: Written): Promise<void> {
  await requireBell(db, school_id, fact.bell_id)
  await db.updateTable('calendar_special').set({ ...columnsOf(fact), row_version: row_version + 1, updated_at: now }).where('school_id', '=', school_id).where('id', '=', id).execute()
}

function columnsOf({ begin_date, end_date, kind, name, scope_kind, scope_codes, follows_date, follows_weekday, follows_week_kind, closed_from, closed_to, bell_id, source, note = null }: Written) {
  return { begin_date, end_date, kind, name, scope_kind, scope_codes: [...scope_codes], scope_hash: scope_codes.join(), follows_date, follows_weekday, follows_week_kind, closed_from, closed_to, bell_id, source, note }
}

async function requireBell(db: Db, school_id: number, bell_id: string | null): Promise<void> {
  if (bell_id === null) return
  const bell = await db.selectFrom('bell').select('id').where('school_id', '=', school_id).where('id', '=', bell_id).executeTakeFirst()
  if (!bell) throw fail(commonErrors.notFound)
}

import { schoolDay } from '@campus/school/server'
import type { AppliedRow, ApplyRow, ApplyStep, ImportUndo, Judgement, ParsedRow, UndoRow } from '@kit/server/excel'
import { calendarErrors } from '@campus/calendar/contract'
import { Refusal } from '@kit/contract'
import type { CalendarDb, Db } from '../db.ts'
import { loadWorld, lockCalendar } from '../day/day.queries.ts'
import { rebuildDays } from '../day/rebuild.ts'
import type { SpecialFact, World } from '../day/resolve.ts'
import { factOf, insertSpecial, refuseSpecial } from '../day/special.write.ts'
import type { ParsedSpecial } from './special.parsed.ts'

type Step = ApplyStep<CalendarDb>
export type SpecialSnapshot = { world: World; today: string }
const cell_of: Readonly<Record<string, string>> = { follows_date: 'follows_date' }

/** What importing a line would do; the same day of the same name and kind is there already. */
export function judgeSpecial({ parsed }: ParsedRow<ParsedSpecial>, { world, today }: SpecialSnapshot): Judgement {
  const fact = factOf(parsed, 'school')
  const plain = { target_id: null, diff: [], errors: [], warnings: [] }
  if (world.specials.some(one => isSame(one, fact))) return { ...plain, verdict: 'same' }
  if (fact.begin_date < today) return { ...plain, verdict: 'new', errors: [{ prop: 'begin_date', msg: calendarErrors.specialPast.msg }] }
  try {
    refuseSpecial(world, fact)
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause
    return { ...plain, verdict: 'new', errors: (cause.details.errors ?? []).map(({ field, msg }) => ({ prop: cell_of[field] ?? 'begin_date', msg })) }
  }
  return { ...plain, verdict: 'new' }
}

function isSame(a: SpecialFact, b: SpecialFact): boolean {
  return a.begin_date === b.begin_date && a.end_date === b.end_date && a.kind === b.kind && a.name === b.name && a.scope_codes.join() === b.scope_codes.join() && a.follows_date === b.follows_date
}

export async function loadSpecials({ db, school_id, now }: Pick<Step, 'db' | 'school_id' | 'now'>): Promise<SpecialSnapshot> {
  return { world: await loadWorld(db, school_id), today: schoolDay(now) }
}

/** Writes the new lines and the days that follow from them. */
export async function applySpecials(step: Step, rows: readonly ApplyRow<ParsedSpecial>[]): Promise<AppliedRow[]> {
  await lockCalendar(step.db, step.school_id)
  const applied: AppliedRow[] = []
  for (const { row_no, parsed, judgement } of rows) {
    const target_id = judgement.verdict === 'new' ? await insertSpecial(step, factOf(parsed, 'school')) : '0'
    applied.push({ row_no, target_id, before: null, ...(judgement.verdict === 'new' ? { touched: [{ key: `s:${target_id}`, mark: '1' }] } : {}) })
  }
  await follow(step, rows.map(({ parsed }) => parsed))
  return applied
}

async function follow(step: Step, spans: readonly { begin_date: string; end_date: string }[]): Promise<void> {
  const [from] = spans.map(({ begin_date }) => begin_date).toSorted()
  const to = spans.map(({ end_date }) => end_date).toSorted().at(-1)
  if (from !== undefined && to !== undefined) await rebuildDays(step, await loadWorld(step.db, step.school_id), { from, to }, { preview: false })
}

/** What an import set is taken away again; what was changed since stays. */
export const specialUndo: ImportUndo<CalendarDb> = {
  async marks({ db, school_id }, keys, lock) {
    if (lock) await lockCalendar(db, school_id)
    const found = await readSet(db, school_id, keys.map(key => key.slice('s:'.length)))
    return new Map(found.map(({ id, row_version }) => [`s:${id}`, String(row_version)]))
  },
  reason: () => '该日期的设置在导入后已被修改',
  async undo(step, rows: readonly UndoRow[], kept) {
    const ids = rows.map(({ target_id }) => target_id).filter(id => id !== '0' && !kept.has(`s:${id}`))
    const found = await readSet(step.db, step.school_id, ids)
    if (found.length === 0) return
    await step.db.deleteFrom('calendar_special').where('school_id', '=', step.school_id).where('id', 'in', found.map(({ id }) => id)).execute()
    await follow(step, found)
  },
}

async function readSet(db: Db, school_id: number, ids: readonly string[]) {
  if (ids.length === 0) return []
  return db.selectFrom('calendar_special').select(['id', 'row_version', 'begin_date', 'end_date']).where('school_id', '=', school_id).where('id', 'in', [...ids]).execute()
}

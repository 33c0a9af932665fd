import { attend_states as states, attendanceEvents } from '@campus/attendance/contract'
import { insertMany } from '@kit/server/db'
import { publish, setTimer } from '@kit/server/event'
import { sql } from 'kysely'
import { raiseConsecutive } from '../clock/alert.raise.ts'
import { raiseMissing } from '../clock/missing.ts'
import { pushUnit } from '../clock/push.ts'
import type { Db, Step } from '../db.ts'
import { minute_ms } from '../judge/window.ts'
import { planNotices } from '../notice/plan.ts'
import { readSetting } from '../rule/setting.service.ts'
import { assemble } from './assemble.ts'
import type { Assembled } from './assemble.ts'
import { digestOf, engine_version } from './digest.ts'
import { unit_timer } from './dirty.ts'
import { staff_shard } from './group.ts'
import type { Group } from './group.ts'
import { isSame, judgeAll, rowKey } from './rows.ts'
import type { Judged, ResultRow } from './rows.ts'

export type Mode = 'normal' | 'force' | 'verify'
/** A row that is or would be other than it was; `before` or `after` null: it is new, or gone. */
export type Difference = { user_id: string; expect_kind: number; occurrence_id: string; before: ResultRow | null; after: ResultRow | null }
export type Outcome = { is_skipped: boolean; expected: number; differences: Difference[] }

type Unit = { state: string; input_hash: string | null; engine_version: number; dirty: boolean; dirty_cause: string; dirty_ref: string | null; judged_at: Date | null }
const columns = [
  'section', 'subject', 'course_id', 'place_id', 'dept_id', 'class_id', 'role', 'state', 'in_at', 'out_at', 'identify_type', 'late_min',
  'early_min', 'flags', 'event_ref', 'rule_version', 'correction_id', 'provisional'
] as const
const stored = ['occurrence_id', 'user_id', 'expect_kind', 'person_kind', ...columns] as const
const result_key = ['school_id', 'lesson_date', 'expect_kind', 'occurrence_id', 'user_id'] as const
const retried_ms = 40 * minute_ms
const untouched: Outcome = { is_skipped: true, expected: 0, differences: [] }

/**
 * Judges a unit and writes what differs, in the caller's transaction (chapter 55 §3.14): the same facts write nothing, a sealed month keeps
 * its rows and
 * notes what would change. A unit that another worker holds is left to it. @returns what differs
 */
export async function recomputeUnit(step: Step, group: Group, mode: Mode, run_id: string | null = null): Promise<Outcome> {
  const { db, school_id, now } = step
  const unit = await lockUnit(db, school_id, group)
  if (!unit) return untouched
  const days = await assemble(db, school_id, group, now.getTime())
  const { hash, next } = digestOf(group.date, days, now.getTime())
  if (mode === 'normal' && unit.input_hash === hash && unit.engine_version === engine_version) {
    const is_over = unit.state === 'provisional' && now.getTime() >= (await settlesAt(step, days))
    if (unit.dirty || is_over) await setUnit(db, school_id, group, { dirty: false, ...(is_over ? { state: 'settled' } : {}) })
    if (is_over) await publish(step, attendanceEvents.unitSettled, { date: group.date, shard: group.shard })
    await wakeAt(step, group, next)
    return untouched
  }
  const judged = judgeAll(days)
  const differences = compare(await readResults(db, school_id, group), judged.map(one => one.row))
  const outcome = { is_skipped: false, expected: judged.length, differences }
  if (mode === 'verify') return outcome
  const is_sealed = await isSealed(db, school_id, group.date)
  if (is_sealed) await notePending(step, group, unit, differences)
  else await writeRows(step, group, unit, differences, run_id)
  const settled = await settledState(step, days, judged, next)
  const counts = Array.from({ length: 10 }, (_, at) => judged.filter(one => one.row.state === at + 1).length)
  await setUnit(
    db, school_id, group,
    {
      dirty: false, state: is_sealed ? 'sealed' : settled, input_hash: hash, engine_version, judged_at: now, expected: judged.length,
      ...(is_sealed ? {} : { counts })
    }
  )
  const again = settled === 'provisional' ? Math.max(now.getTime() + minute_ms, await settlesAt(step, days)) : next
  await wakeAt(step, group, retryAt(judged, again, now.getTime()))
  if (!is_sealed) await announce(step, group, { judged, differences, counts, was: unit.state, is: settled })
  return outcome
}

async function lockUnit(db: Db, school_id: number, { date, shard }: Group): Promise<Unit | undefined> {
  const find = () => db.selectFrom('attend_unit').select([
    'state', 'input_hash', 'engine_version', 'dirty', 'dirty_cause', 'dirty_ref', 'judged_at'
  ])
    .where('school_id', '=', school_id).where('lesson_date', '=', date).where('shard', '=', shard).forUpdate().skipLocked()
      .executeTakeFirst()
  const found = await find()
  if (found) return found
  await insertMany(db, 'attend_unit', [{ school_id, lesson_date: date, shard }], { columns: ['school_id', 'lesson_date', 'shard'] })
  return find()
}

async function setUnit(db: Db, school_id: number, { date, shard }: Group, facts: object): Promise<void> {
  await db.updateTable('attend_unit').set(facts).where('school_id', '=', school_id).where('lesson_date', '=', date)
    .where('shard', '=', shard).execute()
}

/** The rows that are stored of a group, by the class or department they were judged under. */
async function readResults(db: Db, school_id: number, { date, shard }: Group): Promise<ResultRow[]> {
  const rows = db.selectFrom('attend_result').select(stored).where('school_id', '=', school_id).where('lesson_date', '=', date)
  if (shard === staff_shard) return rows.where('person_kind', '=', 2).execute().then(found => found.map(withDept))
  const of_grade = sql<boolean>`dept_id in (select v.id from dept_on_date v where v.school_id = ${school_id} and v.parent_id = ${shard} and v.valid_from <= ${date}::date and (v.valid_to is null or v.valid_to > ${date}::date))`
  return (await rows.where('person_kind', '=', 1).where(of_grade).execute()).map(withDept)
}

function withDept<T extends { dept_id: string | null }>(row: T): T & { dept_id: string } {
  return { ...row, dept_id: row.dept_id ?? '0' }
}

/** What differs between stored and judged rows. */
function compare(before: readonly ResultRow[], after: readonly ResultRow[]): Difference[] {
  const old = new Map(before.map(row => [rowKey(row), row]))
  const fresh = new Set(after.map(rowKey))
  const changed = after.flatMap(row => {
    const was = old.get(rowKey(row)) ?? null
    return was && isSame(was, row) ? [] : [{
      user_id: row.user_id, expect_kind: row.expect_kind, occurrence_id: row.occurrence_id, before: was, after: row,
    }]
  })
  const gone = before.filter(row => !fresh.has(rowKey(row)))
    .map(row => ({ user_id: row.user_id, expect_kind: row.expect_kind, occurrence_id: row.occurrence_id, before: row, after: null }))
  return [...changed, ...gone]
}

/** Whether a difference is worth a line: state or minutes of a row that was said already are others now. */
function isChange({ before, after }: Difference): boolean {
  if (before === null || before.state === states.early_to_say) return false
  return after === null || before.state !== after.state || before.late_min !== after.late_min || before.early_min !== after.early_min
}

async function writeRows(
  { db, school_id, now }: Step, { date }: Group, { dirty_cause, dirty_ref }: Unit, differences: readonly Difference[], run_id: string | null
): Promise<void> {
  const gone = differences.filter(one => one.after === null)
  for (const [expect_kind, of] of Map.groupBy(gone, one => one.expect_kind)) {
    const [users, occurrences] = [of.map(one => one.user_id), of.map(one => one.occurrence_id)]
    await sql`delete from attend_result r using unnest(${users}::bigint[], ${occurrences}::bigint[]) k(user_id, occurrence_id)
      where r.school_id = ${school_id} and r.lesson_date = ${date}::date and r.expect_kind = ${expect_kind} and r.user_id = k.user_id
        and r.occurrence_id = k.occurrence_id`.execute(db)
  }
  const fresh = differences.flatMap(({ after }) => (after ? [{ ...after, school_id, lesson_date: date }] : []))
  await insertMany(db, 'attend_result', fresh, { columns: result_key, set: columns })
  const changes = differences.filter(isChange).map(({ user_id, expect_kind, occurrence_id, before, after }) => ({
    school_id, lesson_date: date, expect_kind, occurrence_id, user_id, at: now, from_state: before?.state ?? null, to_state: after?.state ?? null, cause: dirty_cause, cause_ref: dirty_ref, run_id,
  }))
  await insertMany(db, 'attend_change', changes)
}

async function notePending(
  { db, school_id, now }: Step, { date }: Group, { dirty_cause, dirty_ref }: Unit, differences: readonly Difference[]
): Promise<void> {
  const rows = differences.map(({ user_id, expect_kind, occurrence_id, before, after }) => (
    {
      school_id, lesson_date: date, expect_kind, occurrence_id, user_id, from_state: before?.state ?? null, to_state: after?.state ?? null,
      cause: dirty_cause, cause_ref: dirty_ref, found_at: now,
    }
  ))
  await insertMany(db, 'attend_pending', rows, { columns: result_key, set: ['from_state', 'to_state', 'cause', 'cause_ref', 'found_at'] })
}

async function isSealed(db: Db, school_id: number, date: string): Promise<boolean> {
  const found = await db.selectFrom('attend_seal').select('seal_id').where('school_id', '=', school_id)
    .where('month', '=', date.slice(0, 7)).where('state', '=', 'sealed').executeTakeFirst()
  return found !== undefined
}

/**
 * open: a window is still to come; provisional: a device has not handed over everything; settled: nothing more is waited for (chapter 55
 * §2.1).
 */
async function settledState(
  step: Step, days: readonly Assembled[], judged: readonly Judged[], next: number | null,
): Promise<string> {
  if (next !== null) return 'open'
  return judged.some(one => one.row.provisional) && step.now.getTime() < (await settlesAt(step, days)) ? 'provisional' : 'settled'
}

/** When a day whose devices have not all reported is taken for settled. */
async function settlesAt({ db, school_id }: Step, days: readonly Assembled[]): Promise<number> {
  const { settle_hours } = await readSetting(db, school_id)
  return Math.max(0, ...days.flatMap(one => one.day.expectations.map(each => each.end))) + settle_hours * 60 * minute_ms
}

/** A device that is at the line hands over within a minute of the end of a window: what waits for it is judged once more then. */
function retryAt(judged: readonly Judged[], next: number | null, now: number): number | null {
  const is_waiting = judged.some(one => one.row.provisional && one.of.begin > now - retried_ms)
  return is_waiting ? Math.min(next ?? Number.MAX_SAFE_INTEGER, now + minute_ms) : next
}

/** Judges again when a window ends or a lesson begins; a turn long ago needs no timer. */
async function wakeAt({ app, db, school_id }: Step, { date, shard }: Group, next: number | null): Promise<void> {
  if (next === null) return
  const due_at = new Date(next)
  await setTimer({ app, db, school_id }, { kind: unit_timer, ref: `${date}/${shard}/${due_at.toISOString().slice(11, 19)}`, due_at })
}

type Announced = { judged: readonly Judged[]; differences: readonly Difference[]; counts: number[]; was: string; is: string }

async function announce(step: Step, { date, shard }: Group, { judged, differences, counts, was, is }: Announced): Promise<void> {
  await raiseMissing(step, date, judged)
  if (differences.length > 0) {
    await publish(step, attendanceEvents.resultChanged, { date, shard, counts })
    await pushUnit(step, date, [...new Set(differences.flatMap(one => (one.after ?? one.before)?.dept_id ?? []))])
  }
  // A correction has changed its row already: nothing differs, and the family is still to hear of it.
  await planNotices(step, date, judged)
  if (was === is || is !== 'settled') return
  await publish(step, attendanceEvents.unitSettled, { date, shard })
  if (shard !== staff_shard) await raiseConsecutive(step, date, shard)
}

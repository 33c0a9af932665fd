import { randomUUID } from 'node:crypto'
import { mondayOf } from '@campus/calendar/contract'
import {
  dup_minutes,
  evaluationErrors,
  evaluationEvents,
  giver,
  record_state,
  source as sources,
  starChannel,
} from '@campus/evaluation/contract'
import type { recordApi } from '@campus/evaluation/contract'
import { deptScope } from '@campus/people/server'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { insertReturning } from '@kit/server/db'
import { publish } from '@kit/server/event'
import { push } from '@kit/server/realtime'
import { sql } from 'kysely'
import type { Selectable } from 'kysely'
import type { EvaluationCtx, EvaluationDb, Work } from './db.ts'
import { manage_code } from './db.ts'
import { followLevels } from './levels.service.ts'
import { notifyFamilies } from './notify.ts'
import { planSettling } from './plan.ts'
import { childrenOf, ledClasses, requireStarred, termEnd } from './subjects.ts'
import type { Subject } from './subjects.ts'

export type TypeRow = Selectable<EvaluationDb['star_type']>
type Give = Input<typeof recordApi.give>
const [of_giver, of_subject] = [1, 2] as const
const [evidence_text, evidence_photo] = [1, 2] as const
const whole_school = '0'

/** An indicator that may be given. @throws Refusal 404, notIndicator, typeDisabled */
async function requireType({ db, school_id }: Pick<Work, 'db' | 'school_id'>, id: string): Promise<TypeRow> {
  const type = await db
    .selectFrom('star_type')
    .selectAll()
    .where('school_id', '=', school_id)
    .where('star_type_id', '=', id)
    .executeTakeFirst()
  if (!type) throw fail(commonErrors.notFound)
  if (type.superior_id === null) throw fail(evaluationErrors.notIndicator)
  if (!type.enabled) throw fail(evaluationErrors.typeDisabled)
  return type
}

/**
 * Gives one star to up to 60 pupils or classes as one command (chapter 55 rules 40–42): all or none.
 * @throws Refusal giver, self, quota, dayMax, dup, evidence*, timesMax; 404 for somebody out of the scope
 */
export async function giveStars(ctx: EvaluationCtx, asked: Give): Promise<Reply<typeof recordApi.give>> {
  const { now, me } = ctx
  const scope = await deptScope(ctx, 'student')
  const type = await requireType(ctx, asked.star_type_id)
  const subjects = await requireStarred(ctx, type.subject_kind, [...new Set(asked.subject_ids)], scope)
  checkAsked(type, asked)
  const own = await childrenOf(ctx)
  if (subjects.some(one => one.subject_id === me.user_id || own.includes(one.subject_id))) throw fail(evaluationErrors.self)
  const as_role = await roleOf(ctx, type, subjects)
  const today = schoolDay(now)
  await takeQuota(ctx, type, me.user_id, today, subjects.length)
  if (!asked.confirm) await refuseTwice(ctx, type, subjects)
  for (const { subject_id, name } of subjects) {
    if (!(await takeDay(ctx, type, subject_id, today, asked.times))) throw fail(evaluationErrors.dayMax, { params: { name } })
  }
  const batch_no = randomUUID()
  const waiting = type.approve && !me.codes.has(manage_code)
  await enterRecords(ctx, type, subjects, {
    times: asked.times,
    reason: asked.reason === '' ? type.star_name : asked.reason,
    file_keys: asked.file_keys,
    batch_no,
    as_role,
    given_by: me.user_id,
    source: sources.teacher,
    day: today,
    waiting,
  })
  ctx.note({
    target_kind: 'evaluation.star',
    target_id: batch_no,
    target_name: `${type.star_name} ${subjects.length}个`,
    after: { star_type_id: type.star_type_id, times: asked.times },
  })
  return { batch_no, given: subjects.length, waiting }
}

function checkAsked({ times_max, evidence }: TypeRow, { times, reason, file_keys }: Give): void {
  const say = (failure: (typeof evaluationErrors)[keyof typeof evaluationErrors], field: string) =>
    fail(failure, { errors: [{ field, msg: failure.msg }] })
  if (times > times_max) throw fail(evaluationErrors.timesMax, { params: { n: String(times_max) } })
  if (evidence >= evidence_text && reason.length < 2) throw say(evaluationErrors.evidenceText, 'reason')
  if (evidence === evidence_photo && file_keys.length === 0) throw say(evaluationErrors.evidencePhoto, 'file_keys')
}

/** As whom somebody gives: the office, the class teacher of all of them, or a teacher. @throws Refusal giver */
async function roleOf(ctx: EvaluationCtx, { givers }: TypeRow, subjects: readonly Subject[]): Promise<number> {
  const { db, school_id, now, me } = ctx
  const depts = [...new Set(subjects.map(one => one.dept_id))]
  const led = await ledClasses(ctx, me.user_id, now)
  const taught = await db
    .selectFrom('teaching_now_v')
    .select('dept_id')
    .where('school_id', '=', school_id)
    .where('user_id', '=', me.user_id)
    .where('dept_id', 'in', depts)
    .execute()
  const held = [
    ...(me.codes.has(manage_code) ? [giver.office] : []),
    ...(depts.every(dept_id => led.includes(dept_id)) ? [giver.head] : []),
    ...(depts.every(dept_id => taught.some(one => one.dept_id === dept_id)) ? [giver.teacher] : []),
  ]
  if (givers.length === 0) return held[0] ?? 0
  const fit = held.find(role => givers.includes(role))
  if (fit === undefined) throw fail(evaluationErrors.giver)
  return fit
}

/** One statement takes from the week's quota, so that parallel gives share it exactly (55-A29). @throws Refusal quota */
async function takeQuota(
  { db, school_id }: EvaluationCtx,
  { star_type_id, giver_week_quota }: TypeRow,
  user_id: string,
  day: string,
  n: number,
): Promise<void> {
  const most = giver_week_quota ?? 1_000_000
  if (n > most || !(await take(db, { school_id, count_kind: of_giver, star_type_id, who_id: user_id, begin_date: mondayOf(day) }, n, most)))
    throw fail(evaluationErrors.quota)
}

/** Takes from what a subject may get of a type on a day; false: no more. */
export async function takeDay(
  { db, school_id }: Pick<Work, 'db' | 'school_id'>,
  { star_type_id, person_day_max }: TypeRow,
  subject_id: string,
  day: string,
  times: number,
): Promise<boolean> {
  if (person_day_max === null) return true
  return (
    times <= person_day_max &&
    take(db, { school_id, count_kind: of_subject, star_type_id, who_id: subject_id, begin_date: day }, times, person_day_max)
  )
}

type CountKey = { school_id: number; count_kind: number; star_type_id: string; who_id: string; begin_date: string }

async function take(db: EvaluationCtx['db'], key: CountKey, n: number, most: number): Promise<boolean> {
  const { rows } = await sql`insert into star_count (school_id, count_kind, star_type_id, who_id, begin_date, used)
    values (${key.school_id}, ${key.count_kind}, ${key.star_type_id}, ${key.who_id}, ${key.begin_date}, ${n})
    on conflict (school_id, count_kind, star_type_id, who_id, begin_date) do update set used = star_count.used + excluded.used
      where star_count.used + excluded.used <= ${most}::int returning used`.execute(db)
  return rows.length > 0
}

type Taken = { star_type_id: string; given_by: string | null; subject_id: string; day: string; times: number }

/** What a record took from quotas goes back, when it is revoked. */
export async function giveBack({ db, school_id }: Pick<Work, 'db' | 'school_id'>, records: readonly Taken[]): Promise<void> {
  for (const one of records) {
    const less = (count_kind: number, who_id: string, begin_date: string, n: number) =>
      db
        .updateTable('star_count')
        .set({ used: sql<number>`greatest(used - ${n}::int, 0)` })
        .where('school_id', '=', school_id)
        .where('count_kind', '=', count_kind)
        .where('star_type_id', '=', one.star_type_id)
        .where('who_id', '=', who_id)
        .where('begin_date', '=', begin_date)
        .execute()
    if (one.given_by !== null) await less(of_giver, one.given_by, mondayOf(one.day), 1)
    await less(of_subject, one.subject_id, one.day, one.times)
  }
}

/** The quota line of the giver is held by now, so nothing slips in between (chapter 55 rule 42). @throws Refusal dup */
async function refuseTwice(
  { db, school_id, now, me }: EvaluationCtx,
  { star_type_id }: TypeRow,
  subjects: readonly Subject[],
): Promise<void> {
  const since = new Date(now.getTime() - dup_minutes * 60_000)
  const found = await db
    .selectFrom('star_record')
    .select('record_id')
    .where('school_id', '=', school_id)
    .where('given_by', '=', me.user_id)
    .where('happened_at', '>=', since)
    .where('star_type_id', '=', star_type_id)
    .where(
      'subject_id',
      'in',
      subjects.map(one => one.subject_id),
    )
    .where('state', 'in', [record_state.waiting, record_state.counts, record_state.appealed])
    .limit(1)
    .executeTakeFirst()
  if (found) throw fail(evaluationErrors.dup)
}

type Entered = {
  times: number
  reason: string
  file_keys: readonly string[]
  batch_no: string
  as_role: number
  given_by: string | null
  source: number
  day: string
  waiting: boolean
  corrects?: string
}

/** Writes records alone. */
export async function storeRecords(
  { db, school_id, now }: Pick<Work, 'db' | 'school_id' | 'now'>,
  type: TypeRow,
  subjects: readonly Subject[],
  { day, waiting, corrects, file_keys, ...one }: Entered,
): Promise<string[]> {
  const term_end = await termEnd(db, school_id, day)
  const happened_at = day === schoolDay(now) ? now : new Date(`${day}T12:00:00+08:00`)
  return insertReturning(
    db,
    'star_record',
    subjects.map(({ subject_id, dept_id }) => ({
      school_id,
      record_date: day,
      happened_at,
      subject_kind: type.subject_kind,
      subject_id,
      dept_id,
      star_type_id: type.star_type_id,
      milli: type.step * type.sign * one.times,
      ...one,
      file_keys: [...file_keys],
      state: waiting ? record_state.waiting : record_state.counts,
      visible_at: waiting ? null : now,
      term_end,
      corrects: corrects ?? null,
      idem_key: `${one.batch_no}:${subject_id}`,
    })),
    'record_id',
  )
}

/** Writes records, and what follows from them: events, walls, the settling of their week. */
export async function enterRecords(work: Work, type: TypeRow, subjects: readonly Subject[], entered: Entered): Promise<string[]> {
  const record_ids = await storeRecords(work, type, subjects, entered)
  if (entered.waiting) return record_ids
  await announce(
    work,
    subjects.map(each => each.dept_id),
    record_ids,
  )
  await planSettling(work, entered.day)
  const subject_ids = subjects.map(each => each.subject_id)
  const milli = type.step * type.sign * entered.times
  await notifyFamilies(work, type, subject_ids, { ref: record_ids[0] ?? '', milli })
  await followLevels(work, type.star_type_id, subject_ids, record_ids[0] ?? '')
  return record_ids
}

/** New stars are told to other domains and to open walls. */
export async function announce(work: Work, depts: readonly string[], record_ids: string[]): Promise<void> {
  const dept_ids = [...new Set(depts)]
  await publish(work, evaluationEvents.given, { record_ids, dept_ids })
  await refreshWalls(work, dept_ids)
}

export async function refreshWalls(work: Work, dept_ids: readonly string[]): Promise<void> {
  for (const dept_id of new Set([...dept_ids, whole_school])) await push(work, starChannel, [{ dept_id }], { of: dept_id })
}

import { appeal_days, appeal_state, AppealRow, evaluationErrors, evaluationEvents, record_state, source } from '@campus/evaluation/contract'
import type { appealApi, myStarApi } from '@campus/evaluation/contract'
import { deptScope, inScope, selfScope } from '@campus/people/server'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { asTables, pageTotal } from '@kit/server/db'
import { publish } from '@kit/server/event'
import type { TimerKind } from '@kit/server/event'
import { sql } from 'kysely'
import { z } from 'zod'
import type { EvaluationCtx, EvaluationDb, Work } from './db.ts'
import { manage_code } from './db.ts'
import { enterRecords } from './give.service.ts'
import { appeal_kind, planAppeal } from './plan.ts'
import { fromRecords } from './record.queries.ts'
import { endRecords, lockRecords } from './revoke.service.ts'
import type { Locked } from './revoke.service.ts'
import { ledClasses } from './subjects.ts'

const day_ms = 86_400_000
const [by_head, by_office] = [1, 2] as const
const days_of_step: Readonly<Record<number, number>> = { [by_head]: 3, [by_office]: 5 }
const [uphold, revoke, replace] = [1, 2, 3] as const
const { counts, appealed, revoked, replaced } = record_state
const dueAt = (now: Date, step: number) => new Date(now.getTime() + (days_of_step[step] ?? 0) * day_ms)

/**
 * A pupil or a guardian objects to a record within seven days of seeing it (chapter 55 §2.7). @throws Refusal 404, appealExists,
 * appealLate, recordState
 */
export async function addAppeal(
  ctx: EvaluationCtx,
  { record_id, text }: Input<typeof myStarApi.add>,
): Promise<Reply<typeof myStarApi.add>> {
  const { db, school_id, now, me } = ctx
  const own = await selfScope(ctx)
  const [record] = await lockRecords(ctx, sql`r.record_id = ${record_id}`)
  if (!record || record.subject_kind !== 1 || !own.includes(record.subject_id)) throw fail(commonErrors.notFound)
  if (record.state === appealed) throw fail(evaluationErrors.appealExists)
  if (record.state !== counts) throw fail(evaluationErrors.recordState)
  if (now.getTime() - (record.visible_at ?? record.happened_at).getTime() > appeal_days * day_ms) throw fail(evaluationErrors.appealLate)
  const due_at = dueAt(now, by_head)
  const { appeal_id } = await db
    .insertInto('star_appeal')
    .values({ school_id, record_id, record_date: record.day, dept_id: record.dept_id, asked_by: me.user_id, asked_at: now, text, due_at })
    .returning('appeal_id')
    .executeTakeFirstOrThrow()
  await setState(ctx, record, appealed)
  await planAppeal(ctx, appeal_id, by_head, due_at)
  await publish(ctx, evaluationEvents.appealOpened, { appeal_id, record_id })
  ctx.note({ target_kind: 'evaluation.appeal', target_id: appeal_id, target_name: record.star_name })
  return { appeal_id, due_at: due_at.toISOString() }
}

async function setState({ db, school_id }: Pick<Work, 'db' | 'school_id'>, { day, record_id }: Locked, state: number): Promise<void> {
  await db
    .updateTable('star_record')
    .set({ state })
    .where('school_id', '=', school_id)
    .where('record_date', '=', day)
    .where('record_id', '=', record_id)
    .execute()
}

/** 申诉处理: the open ones first, the most urgent at the top. */
export async function pageAppeals(
  ctx: EvaluationCtx,
  { state, page_index, page_size }: Input<typeof appealApi.page>,
): Promise<Reply<typeof appealApi.page>> {
  const { db, school_id, me, now } = ctx
  const scope = await deptScope(ctx, 'student')
  const led = await ledClasses(ctx, me.user_id, now)
  const is_office = me.codes.has(manage_code)
  const which = sql`a.school_id = ${school_id} and ${inScope('a.dept_id', scope)} and (${is_office}::boolean
    or a.dept_id = any(${led}::bigint[]))`
  const asked = state === undefined ? sql`true` : state === '0' ? sql`a.state = 0` : sql`a.state > 0`
  const page = (limit: number, offset: number) =>
    sql<{ total: number }>`
    select a.appeal_id::text as appeal_id, a.record_id::text as record_id, a.asked_at, coalesce(b.display_name, '') as asked_by_name,
      a.text, a.step::int as step, a.state::int as state, a.due_at, a.opinion, c.display_name as decided_by_name,
      coalesce(p.display_name, '') as subject_name, coalesce(d.dept_name, '') as dept_name, t.star_name, r.milli, r.times::int as times,
        t.times_max::int as times_max, r.reason, coalesce(g.display_name, '系统') as giver_name,
      (a.state = 0 and (${is_office}::boolean or a.step = 1)) as may_decide, (count(*) over ())::int as total
    ${fromRecords(school_id)}
    join star_appeal a on a.school_id = ${school_id} and a.record_date = r.record_date and a.record_id = r.record_id
    left join person_label b on b.school_id = ${school_id} and b.user_id = a.asked_by
    left join person_label c on c.school_id = ${school_id} and c.user_id = a.decided_by
    where r.school_id = ${school_id} and ${which} and ${asked} order by a.state = 0 desc, case when a.state = 0 then a.due_at end,
    a.asked_at desc, a.appeal_id limit ${limit} offset ${offset}`.execute(db)
  const { rows } = await page(page_size, (page_index - 1) * page_size)
  const open = await sql<{ n: number }>`select count(*)::int as n from star_appeal a where ${which} and a.state = 0`.execute(db)
  const Kept = AppealRow.extend({
    asked_at: z.date().transform(at => at.toISOString()),
    due_at: z.date().transform(at => at.toISOString()),
  })
  return {
    list: z.array(Kept).parse(rows),
    total: await pageTotal(rows, page_index, async () => (await page(1, 0)).rows),
    open: open.rows[0]?.n ?? 0,
  }
}

type Appeal = { appeal_id: string; record_id: string; dept_id: string; step: number; state: number; asked_by: string }

async function lockAppeal({ db, school_id }: Pick<Work, 'db' | 'school_id'>, appeal_id: string): Promise<Appeal | undefined> {
  return db
    .selectFrom('star_appeal')
    .select(['appeal_id', 'record_id', 'dept_id', 'step', 'state', 'asked_by'])
    .where('school_id', '=', school_id)
    .where('appeal_id', '=', appeal_id)
    .forUpdate()
    .executeTakeFirst()
}

/**
 * The class teacher decides first, after his time the moral office (chapter 55 §2.7). @throws Refusal 404, appealClosed, appealStep,
 * appealTimes
 */
export async function decideAppeal(
  ctx: EvaluationCtx,
  { appeal_id, decision, opinion, times }: Input<typeof appealApi.decide>,
): Promise<Record<string, never>> {
  const { me, now } = ctx
  const scope = await deptScope(ctx, 'student')
  const appeal = await lockAppeal(ctx, appeal_id)
  const is_office = me.codes.has(manage_code)
  if (!appeal || (scope !== 'all' && !scope.includes(appeal.dept_id))) throw fail(commonErrors.notFound)
  if (appeal.asked_by === me.user_id || (!is_office && !(await ledClasses(ctx, me.user_id, now)).includes(appeal.dept_id)))
    throw fail(commonErrors.forbidden)
  if (appeal.state !== appeal_state.open) throw fail(evaluationErrors.appealClosed)
  if (!is_office && appeal.step === by_office) throw fail(evaluationErrors.appealStep)
  const [record] = await lockRecords(ctx, sql`r.record_id = ${appeal.record_id}`)
  if (!record) throw fail(commonErrors.notFound)
  if (decision === uphold) await setState(ctx, record, counts)
  if (decision === revoke) await endRecords(ctx, [record], { state: revoked, decided_by: me.user_id, decide_reason: opinion })
  if (decision === replace) await replaceRecord(ctx, record, times, opinion)
  await closeAppeal(ctx, appeal, { state: decision, opinion, decided_by: me.user_id })
  ctx.note({ target_kind: 'evaluation.appeal', target_id: appeal_id, target_name: record.star_name, after: { decision }, reason: opinion })
  return {}
}

async function replaceRecord(ctx: EvaluationCtx, record: Locked, times: number | undefined, opinion: string): Promise<void> {
  const { db, school_id, me } = ctx
  const type = await db
    .selectFrom('star_type')
    .selectAll()
    .where('school_id', '=', school_id)
    .where('star_type_id', '=', record.star_type_id)
    .executeTakeFirstOrThrow()
  if (times === undefined || times === record.times || times > type.times_max)
    throw fail(evaluationErrors.appealTimes, { errors: [{ field: 'times', msg: evaluationErrors.appealTimes.msg }] })
  await endRecords(ctx, [record], { state: replaced, decided_by: me.user_id, decide_reason: opinion })
  await enterRecords(ctx, type, [{ subject_id: record.subject_id, name: '', dept_id: record.dept_id }], {
    times,
    reason: record.reason,
    file_keys: [],
    batch_no: `appeal-${record.record_id}`,
    as_role: 0,
    given_by: me.user_id,
    source: source.teacher,
    day: record.day,
    waiting: false,
    corrects: record.record_id,
  })
}

async function closeAppeal(
  work: Work,
  { appeal_id, record_id }: Appeal,
  end: { state: number; opinion: string; decided_by: string | null },
): Promise<void> {
  await work.db
    .updateTable('star_appeal')
    .set({ ...end, decided_at: work.now })
    .where('school_id', '=', work.school_id)
    .where('appeal_id', '=', appeal_id)
    .execute()
  await publish(work, evaluationEvents.appealClosed, { appeal_id, record_id })
}

/** Nobody answered: first the moral office is asked, then the record falls (chapter 55 §2.7). */
export const appealTimer: TimerKind = {
  kind: appeal_kind,
  async run(handle, { app, school_id, ref, now }) {
    const work: Work = { app, db: asTables<EvaluationDb>(handle), school_id, now }
    const [appeal_id = '', step] = ref.split(':')
    const appeal = await lockAppeal(work, appeal_id)
    if (!appeal || appeal.state !== appeal_state.open || appeal.step !== Number(step)) return
    if (appeal.step === by_head) {
      const due_at = dueAt(now, by_office)
      await work.db
        .updateTable('star_appeal')
        .set({ step: by_office, due_at })
        .where('school_id', '=', school_id)
        .where('appeal_id', '=', appeal_id)
        .execute()
      await planAppeal(work, appeal_id, by_office, due_at)
      return
    }
    const records = await lockRecords(work, sql`r.record_id = ${appeal.record_id}`)
    await endRecords(work, records, { state: revoked, decided_by: null, decide_reason: '申诉超时未处理，自动撤销' })
    await closeAppeal(work, appeal, { state: appeal_state.late, opinion: '超时未处理，自动撤销', decided_by: null })
  },
}

/** Open appeals of somebody who left are over; his records stay as they stand (chapter 55 §7). */
export async function closeAppealsOf(work: Work, user_ids: readonly string[]): Promise<void> {
  const { rows } = await sql<{ appeal_id: string }>`
    select a.appeal_id::text as appeal_id from star_appeal a join star_record r on r.school_id = ${work.school_id}
      and r.record_date = a.record_date and r.record_id = a.record_id
    where a.school_id = ${work.school_id} and a.state = 0 and r.subject_kind = 1
    and r.subject_id = any(${[...user_ids]}::bigint[]) order by a.appeal_id`.execute(work.db)
  for (const { appeal_id } of rows) {
    const appeal = await lockAppeal(work, appeal_id)
    if (!appeal || appeal.state !== appeal_state.open) continue
    const [record] = await lockRecords(work, sql`r.record_id = ${appeal.record_id}`)
    if (record) await setState(work, record, counts)
    await closeAppeal(work, appeal, { state: appeal_state.upheld, opinion: `学生已离校（${schoolDay(work.now)}）`, decided_by: null })
  }
}

import { createHash } from 'node:crypto'
import { addDays } from '@campus/calendar/contract'
import { evaluationErrors, evaluationEvents } from '@campus/evaluation/contract'
import type { starShowApi } from '@campus/evaluation/contract'
import { deptScope } from '@campus/people/server'
import { schoolDay } from '@campus/school/server'
import { fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { asTables, insertMany } from '@kit/server/db'
import { publish } from '@kit/server/event'
import type { TimerKind } from '@kit/server/event'
import { sql } from 'kysely'
import { counts } from './worth.ts'
import type { EvaluationCtx, EvaluationDb, Work } from './db.ts'
import { settle_kind, spanOf } from './plan.ts'

/** Sum of public stars of the period; classes by head. Kept with each period. */
const formula_version = 1
const term = 3
/** Days after a period in which it is issued anew (chapter 55 §2.8). */
const reissue_days = 14
const [settled, reissued] = [1, 2] as const
type Span = { kind: number; begin_date: string; end_date: string }
type Line = { subject_kind: number; subject_id: string; dept_id: string; milli: number }

/** The figures of a period, always in the same order, so that their hash proves a repetition (55-A32). */
async function figuresOf({ db, school_id }: Pick<Work, 'db' | 'school_id'>, { begin_date, end_date }: Span): Promise<Line[]> {
  const records = sql`star_record r join star_type t on t.school_id = ${school_id} and t.star_type_id = r.star_type_id
    where r.school_id = ${school_id} and r.record_date >= ${begin_date}::date and r.record_date <= ${end_date}::date and ${counts}
    and t.show_public and t.sign = 1`
  const { rows: pupils } =
    await sql<Line>`select 1 as subject_kind, r.subject_id::text as subject_id, max(r.dept_id)::text as dept_id,
      sum(r.milli)::int as milli from ${records} and r.subject_kind = 1 group by r.subject_id order by r.subject_id`.execute(db)
  const { rows: classes } = await sql<Line>`
    select 2 as subject_kind, g.dept_id::text as subject_id, g.dept_id::text as dept_id, (g.milli / greatest(1, (select count(*)
      from live_student s where s.school_id = ${school_id} and s.dept_id = g.dept_id)))::int as milli
    from (select r.dept_id, sum(r.milli) as milli from ${records} group by r.dept_id) g order by g.dept_id`.execute(db)
  return [...pupils, ...classes]
}

/** Settles a period, or issues it anew where its figures have changed; the same figures write nothing. */
export async function settlePeriod(
  work: Work,
  span: Span,
  settled_by: string | null,
): Promise<{ period_id: string; edition: number; hash: string; changed: boolean }> {
  const { db, school_id, now } = work
  const lines = await figuresOf(work, span)
  const hash = createHash('sha256')
    .update(JSON.stringify([formula_version, lines]))
    .digest('hex')
  const before = await db
    .selectFrom('star_period')
    .select(['period_id', 'edition', 'hash'])
    .where('school_id', '=', school_id)
    .where('kind', '=', span.kind)
    .where('begin_date', '=', span.begin_date)
    .orderBy('edition', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()
  if (before?.hash === hash) return { ...before, changed: false }
  const edition = (before?.edition ?? 0) + 1
  const { period_id } = await db
    .insertInto('star_period')
    .values({ school_id, ...span, edition, state: before ? reissued : settled, formula_version, hash, settled_at: now, settled_by })
    .returning('period_id')
    .executeTakeFirstOrThrow()
  await insertMany(
    db,
    'star_ranking',
    lines.map(line => ({ school_id, period_id, ...line })),
  )
  await publish(work, before ? evaluationEvents.reissued : evaluationEvents.settled, {
    period_id,
    kind: span.kind,
    begin_date: span.begin_date,
    edition,
  })
  return { period_id, edition, hash, changed: true }
}

/** The settled periods that hold these days and ended at most 14 days ago are settled again (chapter 55 §2.8). */
export async function reissue(work: Work, days: readonly string[]): Promise<void> {
  const { db, school_id, now } = work
  const since = addDays(schoolDay(now), -reissue_days)
  if (days.length === 0) return
  const { rows } = await sql<Span>`
    select distinct p.kind::int as kind, p.begin_date::text as begin_date, p.end_date::text as end_date from star_period p
    where p.school_id = ${school_id} and p.end_date >= ${since}::date and exists (select 1
    from unnest(${[...new Set(days)]}::date[]) as d(day) where d.day between p.begin_date and p.end_date) order by 1, 2`.execute(db)
  for (const span of rows) await settlePeriod(work, span, null)
}

/** By hand, for the period that holds a day. @throws Refusal periodOpen */
export async function settleNow(
  ctx: EvaluationCtx,
  { kind, day }: Input<typeof starShowApi.settle>,
): Promise<Reply<typeof starShowApi.settle>> {
  await deptScope(ctx, 'student')
  const span = await periodOf(ctx, Number(kind), day)
  if (span.end_date >= schoolDay(ctx.now)) throw fail(evaluationErrors.periodOpen)
  const done = await settlePeriod(ctx, span, ctx.me.user_id)
  ctx.note({
    target_kind: 'evaluation.ranking',
    target_id: done.period_id,
    target_name: `${span.begin_date} 至 ${span.end_date}`,
    after: { edition: done.edition },
  })
  return done
}

async function periodOf({ db, school_id }: Pick<Work, 'db' | 'school_id'>, kind: number, day: string): Promise<Span> {
  if (kind !== term) return { kind, ...spanOf(kind, day) }
  const { rows } = await sql<{
    begin_date: string
    end_date: string
  }>`select s.begin_date::text as begin_date, s.end_date::text as end_date from semester_v s where s.school_id = ${school_id}
    and s.begin_date <= ${day}::date and s.end_date >= ${day}::date order by s.begin_date desc limit 1`.execute(db)
  const [found] = rows
  if (!found) throw fail(evaluationErrors.periodOpen)
  return { kind, ...found }
}

/** In the night after a week or a month (chapter 55 §2.8). */
export const settleTimer: TimerKind = {
  kind: settle_kind,
  async run(handle, { app, school_id, ref, now }) {
    const [kind = '', begin_date = ''] = ref.split(':')
    const span = { kind: Number(kind), ...spanOf(Number(kind), begin_date) }
    await settlePeriod({ app, db: asTables<EvaluationDb>(handle), school_id, now }, span, null)
  },
}

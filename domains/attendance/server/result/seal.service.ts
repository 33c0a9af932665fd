import { resultErrors } from '@campus/attendance/contract'
import type { PendingRow, sealApi, SealRow } from '@campus/attendance/contract'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { AttendanceCtx, Step } from '../db.ts'
import { markDays } from '../recompute/dirty.ts'

const most_pending = 300
const most_months = 24
type Found = Omit<SealRow, 'sealed_at' | 'state'> & { sealed_at: Date | null; state: 'sealed' | 'reopened' | null }

/** Months that have results, with what keeps them open, and their seals; the latest first. */
export async function listSeals({ db, school_id }: AttendanceCtx): Promise<Reply<typeof sealApi.list>> {
  const { rows } = await sql<Found>`
    with m as (
      select to_char(r.lesson_date, 'YYYY-MM') as month, count(*)::int as rows, (count(*) filter (where r.state = 10))::int as unverified
      from attend_result r where r.school_id = ${school_id} group by 1 order by 1 desc limit ${most_months}),
    n as (select to_char(u.lesson_date, 'YYYY-MM') as month, count(*)::int as unfinished from attend_unit u
      where u.school_id = ${school_id} and ${unfinished} group by 1),
    s as (select distinct on (s.month) s.* from attend_seal s where s.school_id = ${school_id} order by s.month, s.seal_id desc)
    select m.month, m.rows, m.unverified, coalesce(n.unfinished, 0) as unfinished, s.seal_id::text as seal_id, s.state,
      a.display_name as sealed_name, s.sealed_at, b.display_name as reopened_name, s.reopen_reason, s.result_hash,
      case when s.state = 'sealed' then (select count(*)::int
        from (${pendingOf(school_id, sql`s.month`, sql`s.sealed_at`)}) q) else 0 end as pending
    from m left join n on n.month = m.month left join s on s.month = m.month
    left join person_label a on a.school_id = ${school_id} and a.user_id = s.sealed_by
    left join person_label b on b.school_id = ${school_id} and b.user_id = s.reopened_by
    order by m.month desc`.execute(db)
  return { list: rows.map(row => ({ ...row, state: row.state ?? 'open', sealed_at: row.sealed_at?.toISOString() ?? null })) }
}

/** Seals a month that is over and has nothing open (chapter 55 §3.18). @throws Refusal 422, 409 attend.sealOpen or attend.sealTaken */
export async function sealMonth(ctx: AttendanceCtx, { month }: Input<typeof sealApi.add>): Promise<Reply<typeof sealApi.add>> {
  const { db, school_id, me, now } = ctx
  if (month >= schoolDay(now).slice(0, 7))
    throw fail(resultErrors.sealEarly, { errors: [{ field: 'month', msg: resultErrors.sealEarly.msg }] })
  const { rows: figures } = await sql<{ rows: number; n: number; m: number }>`
    select count(*)::int as rows, (count(*) filter (where r.state = 10))::int as n,
      (select count(*)::int from attend_unit u where u.school_id = ${school_id} and ${inMonth('u.lesson_date', month)}
        and ${unfinished}) as m
    from attend_result r where r.school_id = ${school_id} and ${inMonth('r.lesson_date', month)}`.execute(db)
  const { rows = 0, n = 0, m = 0 } = figures[0] ?? {}
  if (rows === 0) throw fail(resultErrors.sealEmpty)
  if (n + m > 0) throw fail(resultErrors.sealOpen, { params: { n, m } })
  const result_hash = await hashOf(ctx, month)
  const made = await db
    .insertInto('attend_seal')
    .values({ school_id, month, state: 'sealed', rows, result_hash, sealed_by: me.user_id, sealed_at: now })
    .onConflict(on => on.columns(['school_id', 'month']).where('state', '=', sql.lit('sealed')).doNothing())
    .returning('seal_id')
    .executeTakeFirst()
  if (!made) throw fail(resultErrors.sealTaken)
  await setUnits(ctx, month, { state: 'sealed' })
  ctx.note({ target_kind: 'attendance.seal', target_id: made.seal_id, target_name: month, after: { rows, result_hash } })
  return { seal_id: made.seal_id, rows, result_hash }
}

/** A unit that is waited for, or has to be judged again. */
const unfinished = sql`(u.dirty or u.state in ('open', 'provisional'))`

async function setUnits({ db, school_id }: AttendanceCtx, month: string, facts: { state: string; input_hash?: null }): Promise<void> {
  await db.updateTable('attend_unit').set(facts).where('school_id', '=', school_id).where(inMonth('lesson_date', month)).execute()
}

/** SHA-256 over all results of a month in their order, day by day. */
export async function hashOf({ db, school_id }: Pick<Step, 'db' | 'school_id'>, month: string): Promise<string> {
  const { rows } = await sql<{ hash: string }>`
    select encode(sha256(convert_to(string_agg(d.day || ':' || d.hash, ',' order by d.day), 'UTF8')), 'hex') as hash from (
      select r.lesson_date::text as day,
        encode(sha256(convert_to(string_agg(concat_ws('|', r.expect_kind, r.occurrence_id, r.user_id, r.section, r.course_id, r.place_id,
        r.dept_id, r.class_id, r.role, r.state,
        extract(epoch from r.in_at), extract(epoch from r.out_at), r.identify_type, r.late_min, r.early_min, r.flags, r.correction_id),
          ',' order by r.expect_kind, r.occurrence_id, r.user_id), 'UTF8')), 'hex') as hash
      from attend_result r where r.school_id = ${school_id} and ${inMonth('r.lesson_date', month)} group by r.lesson_date) d`.execute(db)
  return rows[0]?.hash ?? ''
}

function inMonth(column: string, month: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(column)} >= ${`${month}-01`}::date and ${sql.ref(column)} < ${`${month}-01`}::date + interval '1 month'`
}

/** Opens a sealed month again; not by whoever sealed it. What was kept aside is judged by the next recompute. @throws Refusal 404, 409, 403 attend.sealSame */
export async function reopenSeal(
  ctx: AttendanceCtx,
  { seal_id, reason }: Input<typeof sealApi.reopen>,
): Promise<Reply<typeof sealApi.reopen>> {
  const { db, school_id, me, now } = ctx
  const locked = await db
    .selectFrom('attend_seal')
    .select('seal_id')
    .where('school_id', '=', school_id)
    .where('seal_id', '=', seal_id)
    .forUpdate()
    .executeTakeFirst()
  if (!locked) throw fail(commonErrors.notFound)
  const seal = await requireSeal(ctx, seal_id)
  if (seal.state !== 'sealed') throw fail(commonErrors.stale)
  if (seal.sealed_by === me.user_id) throw fail(resultErrors.sealSame)
  const { list } = await listPending(ctx, { seal_id })
  await db
    .updateTable('attend_seal')
    .set({ state: 'reopened', reopened_by: me.user_id, reopened_at: now, reopen_reason: reason })
    .where('school_id', '=', school_id)
    .where('seal_id', '=', seal_id)
    .execute()
  await sql`delete from attend_pending p where p.school_id = ${school_id} and ${inMonth('p.lesson_date', seal.month)}`.execute(db)
  await setUnits(ctx, seal.month, { state: 'settled', input_hash: null })
  await markDays(ctx, `${seal.month}-01`, lastDay(seal.month), 'engine', seal_id)
  ctx.note({
    target_kind: 'attendance.seal',
    target_id: seal_id,
    target_name: seal.month,
    before: { state: 'sealed' },
    after: { state: 'reopened', reason },
  })
  return { pending: list.length }
}

async function requireSeal({ db, school_id }: AttendanceCtx, seal_id: string) {
  const seal = await db
    .selectFrom('attend_seal')
    .select(['month', 'state', 'sealed_by', 'sealed_at'])
    .where('school_id', '=', school_id)
    .where('seal_id', '=', seal_id)
    .executeTakeFirst()
  if (!seal) throw fail(commonErrors.notFound)
  return seal
}

/** What came, or would change, after the seal (待处理差异). @throws Refusal 404 */
export async function listPending(ctx: AttendanceCtx, { seal_id }: Input<typeof sealApi.pending>): Promise<Reply<typeof sealApi.pending>> {
  const { db, school_id } = ctx
  const seal = await requireSeal(ctx, seal_id)
  if (seal.state !== 'sealed') return { list: [] }
  const { rows } = await sql<Omit<PendingRow, 'at'> & { at: Date }>`
    select q.pending_key, q.kind, q.lesson_date::text as lesson_date, q.user_id::text as user_id,
      coalesce(p.display_name, '已注销人员') as user_name, q.at, q.from_state, q.to_state, q.text
    from (${pendingOf(school_id, sql`${seal.month}::text`, sql`${seal.sealed_at}::timestamptz`)}) q
    left join person_label p on p.school_id = ${school_id} and p.user_id = q.user_id
    order by q.at desc, q.pending_key limit ${most_pending}`.execute(db)
  return { list: rows.map(row => ({ ...row, at: row.at.toISOString() })) }
}

function pendingOf(school_id: number, month: RawBuilder<unknown>, since: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select 'event/' || e.event_date || '/' || e.source || '/' || e.source_key as pending_key, 'event' as kind,
      e.event_date as lesson_date, e.user_id, e.received_at as at, null::int as from_state, null::int as to_state, '封存后收到的打卡记录' as text
    from attend_event e where e.school_id = ${school_id} and to_char(e.event_date, 'YYYY-MM') = ${month} and e.received_at > ${since}
    union all
    select 'result/' || d.lesson_date || '/' || d.expect_kind || '/' || d.occurrence_id || '/' || d.user_id, 'result', d.lesson_date,
      d.user_id, d.found_at, d.from_state::int, d.to_state::int, '重新计算的结果不同'
    from attend_pending d where d.school_id = ${school_id} and to_char(d.lesson_date, 'YYYY-MM') = ${month}`
}

/** @throws Refusal 409 attend.sealed for a day of a sealed month */
export async function requireOpenMonth({ db, school_id }: Pick<Step, 'db' | 'school_id'>, lesson_date: string): Promise<void> {
  const month = lesson_date.slice(0, 7)
  const seal = await db
    .selectFrom('attend_seal')
    .select('seal_id')
    .where('school_id', '=', school_id)
    .where('month', '=', month)
    .where('state', '=', 'sealed')
    .executeTakeFirst()
  if (seal) throw fail(resultErrors.sealed, { params: { month } })
}

function lastDay(month: string): string {
  const [year, nth] = month.split('-').map(Number)
  return new Date(Date.UTC(year ?? 0, nth ?? 1, 0)).toISOString().slice(0, 10)
}

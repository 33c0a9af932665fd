import { dueDays, post_state, StreakRow, streakOf } from '@campus/publishing/contract'
import type { CalendarDay, noticeApi, RepeatRule, Streak } from '@campus/publishing/contract'
import { schoolDay } from '@campus/school/server'
import type { Input, Reply } from '@kit/contract'
import { pageTotal } from '@kit/server/db'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { PublishingCtx, Work } from '../db.ts'
import { requireDept } from '../depts.ts'
import { requirePost, sliceOf } from '../post/post.queries.ts'
import type { Family, Post } from '../post/post.queries.ts'

type At = Pick<Work, 'db' | 'school_id' | 'now'>
const [whole_school, week] = ['00', 7] as const
const zone_ms = 8 * 3_600_000

/** The school's calendar of these days; days that it does not know are left out. */
async function readCalendar({ db, school_id }: At, from: string, to: string): Promise<Map<string, CalendarDay>> {
  const { rows } = await sql<{ day: string; is_school_day: boolean; weekday: number | null }>`
    select date::text as day, is_school_day, plan_weekday::int as weekday from school_day_v
    where school_id = ${school_id} and grade = ${whole_school} and date >= ${from}::date and date <= ${to}::date`.execute(db)
  return new Map(rows.map(({ day, ...known }) => [day, known]))
}

/** The days until today on which a check-in was and is due. */
async function daysOf(at: At, rule: RepeatRule): Promise<string[]> {
  const today = schoolDay(at.now)
  if (today < rule.from) return []
  return dueDays(rule, await readCalendar(at, rule.from, today), today)
}

/** Whether a reader can be asked today: a post that does not repeat always. */
export async function isDueToday(at: At, { repeat_rule }: Pick<Post, 'repeat_rule'>): Promise<boolean> {
  return repeat_rule === null || (await daysOf(at, repeat_rule)).at(-1) === schoolDay(at.now)
}

/** Whether the hour until which a check-in is taken each day is over. */
export function isPastHour(now: Date, { repeat_rule }: Pick<Post, 'repeat_rule'>): boolean {
  const until = repeat_rule?.daily_until ?? null
  return until !== null && new Date(now.getTime() + zone_ms).toISOString().slice(11, 16) > until
}

/** When the school's day began: what was given before is not of today. */
export const beginOfToday = (now: Date): Date => new Date(`${schoolDay(now)}T00:00:00+08:00`)

/** Of recipients `r` and their posts `p`: what a reader still owes, of a check-in that repeats what it asks today (chapter 60 rule 21). */
export async function owes(at: At): Promise<RawBuilder<boolean>> {
  const today = schoolDay(at.now)
  const own = ((new Date(`${today}T00:00:00Z`).getUTCDay() + week - 1) % week) + 1
  const known = (await readCalendar(at, today, today)).get(today)
  const of_plan = known?.is_school_day === false ? 0 : (known?.weekday ?? own)
  return sql<boolean>`(p.reply_kind > 0 and p.state = ${post_state.sent} and case when p.repeat_rule is null then r.submitted_at is null
    else p.repeat_rule->>'from' <= ${today} and p.repeat_rule->>'to' >= ${today}
      and p.repeat_rule->'weekdays' @> to_jsonb(case when (p.repeat_rule->>'skip_holiday')::boolean then ${of_plan}::int else ${own}::int end)
      and (r.submitted_at is null or r.submitted_at < ${beginOfToday(at.now)}::timestamptz) end)`
}

/** How these pupils or people have kept up a check-in until today; null where it does not repeat. */
export async function readStreaks(
  at: At,
  { post_id, repeat_rule }: Pick<Post, 'post_id' | 'repeat_rule'>,
  subject_ids: readonly string[],
): Promise<Map<string, Streak & { last_day: string | null; is_due: boolean }> | null> {
  if (repeat_rule === null) return null
  const today = schoolDay(at.now)
  const due = await daysOf(at, repeat_rule)
  const { rows } = await sql<{ subject_user_id: string; days: string[] }>`
    select subject_user_id::text as subject_user_id, array_agg(day::text order by day) as days from publishing_submission
    where school_id = ${at.school_id} and post_id = ${post_id} and state in (1, 3) and day is not null
      and subject_user_id = any(${[...subject_ids]}::bigint[]) group by subject_user_id`.execute(at.db)
  const given = new Map(rows.map(row => [row.subject_user_id, row.days]))
  return new Map(
    subject_ids.map(id => {
      const days = given.get(id) ?? []
      return [id, { ...streakOf(due, new Set(days), today), last_day: days.at(-1) ?? null, is_due: due.at(-1) === today }]
    }),
  )
}

/** One page of pupils or people with their streaks, of the classes that the acting identity looks after. */
export async function listStreaks(
  ctx: PublishingCtx,
  family: Family,
  query: Input<typeof noticeApi.streaks>,
): Promise<Reply<typeof noticeApi.streaks>> {
  const { db, school_id } = ctx
  const { post, scopes } = await requirePost(ctx, family, query.notice_id)
  if (query.dept_id !== undefined) await requireDept(ctx, 'all', query.dept_id)
  if (post.repeat_rule === null) return { list: [], total: 0 }
  const of_dept = query.dept_id === undefined ? sql`true` : sql`r.dept_id = ${query.dept_id}`
  const page = (limit: number, offset: number) => sql<{ id: string; subject_name: string; dept_name: string | null; total: number }>`
    select r.subject_user_id::text as id, n.display_name as subject_name, min(d.dept_name) as dept_name, (count(*) over ())::int as total
    from publishing_recipient r join person_label n on n.school_id = ${school_id} and n.user_id = r.subject_user_id
    left join dept_now d on d.school_id = ${school_id} and d.id = r.dept_id
    where r.school_id = ${school_id} and r.post_id = ${query.notice_id} and r.left_at is null and ${sliceOf(ctx, scopes, post)} and ${of_dept}
    group by r.subject_user_id, n.display_name order by min(d.node_path), n.display_name, r.subject_user_id
    limit ${limit} offset ${offset}`.execute(db)
  const { rows } = await page(query.page_size, (query.page_index - 1) * query.page_size)
  const ids = rows.map(row => row.id)
  const streaks = await readStreaks(ctx, post, ids)
  const list = rows.map(({ id, subject_name, dept_name }) => StreakRow.parse({ subject_user_id: id, subject_name, dept_name, ...streaks?.get(id) }))
  return { list, total: await pageTotal(rows, query.page_index, async () => (await page(1, 0)).rows) }
}

import { content_state, CountdownRow, delivery, publishingErrors, source, startOf } from '@campus/publishing/contract'
import type { countdownApi, CountdownDraft } from '@campus/publishing/contract'
import { addDays } from '@campus/calendar/contract'
import { placeScope } from '@campus/places/server'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { pageTotal } from '@kit/server/db'
import { sql } from 'kysely'
import { z } from 'zod'
import type { PublishingCtx } from '../db.ts'
import { countDays } from './compile.ts'
import { targetNames } from './content.queries.ts'
import { endContents } from './content.end.ts'
import { requireContent, requireRule, spread, writeTargets } from './content.service.ts'
import { targetBoards } from './scope.ts'

const weeks_offline = 720

/** One page of countdowns with the days that are left today, and the boards that say they play each. */
export async function listCountdowns(ctx: PublishingCtx, query: Input<typeof countdownApi.list>): Promise<Reply<typeof countdownApi.list>> {
  const { db, school_id, now } = ctx
  await placeScope(ctx)
  const today = schoolDay(now)
  const state = sql`case when c.state = ${content_state.taken} or k.show_until < ${today}::date then '3' when k.show_from > ${today}::date then '2' else '1' end`
  const parts = [
    sql`k.school_id = ${school_id}`,
    query.keyword === undefined ? sql`true` : sql`strpos(c.title, ${query.keyword}) > 0`,
    query.state === undefined ? sql`true` : sql`${state} = ${query.state}`,
  ]
  const page = (limit: number, offset: number) =>
    sql<{ content_id: string; target_on: string; count_mode: number; total: number }>`
    select k.countdown_id::text as id, k.content_id::text as content_id, c.title, k.target_on::text as target_on, k.count_mode::int as count_mode, k.show_from::text as show_from, k.show_until::text as show_until, k.done_text, k.style::int as style, c.zone, c.rule_id::text as rule_id, c.priority::int as priority,
      c.row_version, ${state} as state, n.boards, n.playing, (count(*) over ())::int as total
    from publishing_countdown k join publishing_content c on c.school_id = ${school_id} and c.content_id = k.content_id
    cross join lateral (select count(*)::int as boards, count(*) filter (where d.state = ${delivery.playing})::int as playing from publishing_delivery d where d.school_id = ${school_id} and d.content_id = k.content_id) n
    where ${sql.join(parts, sql` and `)} order by ${state}, k.target_on, k.countdown_id limit ${limit} offset ${offset}`.execute(db)
  const { rows } = await page(query.page_size, (query.page_index - 1) * query.page_size)
  const targets = await targetNames(
    ctx,
    rows.map(row => row.content_id),
  )
  const days = await schoolDays(
    ctx,
    today,
    rows.reduce((last, row) => (row.target_on > last ? row.target_on : last), today),
  )
  const list = z
    .array(z.looseObject({ content_id: z.string(), target_on: z.string(), count_mode: z.number() }))
    .parse(rows)
    .map(({ total: _total, ...row }) =>
      CountdownRow.parse({
        ...row,
        days: countDays(row, days, today, addDays(today, 1))[today] ?? 0,
        targets: targets.get(row.content_id) ?? [],
      }),
    )
  return { list, total: await pageTotal(rows, query.page_index, async () => (await page(1, 0)).rows) }
}

async function schoolDays({ db, school_id }: PublishingCtx, from: string, to: string) {
  const rows = await db
    .selectFrom('school_day_v')
    .select(['date', 'is_school_day'])
    .where('school_id', '=', school_id)
    .where('grade', '=', '00')
    .where('date', '>=', from)
    .where('date', '<=', to)
    .execute()
  return Object.fromEntries(rows.map(row => [row.date, { is_school_day: row.is_school_day, bells: [] }]))
}

/** The days on which it is shown. @throws Refusal countdownPast, countdownDates */
function datesOf(ctx: PublishingCtx, { target_on, show_from, show_until }: CountdownDraft) {
  const today = schoolDay(ctx.now)
  if (target_on < today) throw fail(publishingErrors.countdownPast)
  const dates = { show_from: show_from ?? today, show_until: show_until ?? addDays(target_on, 1) }
  if (dates.show_until < dates.show_from || dates.show_until < today) throw fail(publishingErrors.countdownDates)
  return { ...dates, valid_from: new Date(startOf(dates.show_from)), valid_to: new Date(startOf(addDays(dates.show_until, 1))) }
}

/** A countdown is shown at once where it is to be. @throws Refusal */
export async function addCountdown(ctx: PublishingCtx, draft: CountdownDraft): Promise<{ id: string }> {
  const { db, school_id, now, me } = ctx
  const { show_from, show_until, valid_from, valid_to } = datesOf(ctx, draft)
  const { title, zone, rule_id, priority, targets, target_on, count_mode, done_text, style } = draft
  const boards = await targetBoards(ctx, targets)
  if (rule_id !== null) await requireRule(ctx, rule_id)
  const { content_id } = await db
    .insertInto('publishing_content')
    .values({
      school_id,
      title,
      source_kind: source.countdown,
      zone,
      rule_id,
      priority,
      weight: 1,
      valid_from,
      valid_to,
      offline_ttl_hours: weeks_offline,
      state: content_state.live,
      created_at: now,
      created_by: me.user_id,
      updated_at: now,
    })
    .returning('content_id')
    .executeTakeFirstOrThrow()
  const { countdown_id } = await db
    .insertInto('publishing_countdown')
    .values({ school_id, content_id, target_on, count_mode, show_from, show_until, done_text, style })
    .returning('countdown_id')
    .executeTakeFirstOrThrow()
  await writeTargets(ctx, content_id, targets)
  await spread(ctx, boards, { content_id, valid_to })
  ctx.note({ target_kind: 'publishing.countdown', target_id: countdown_id, target_name: title })
  return { id: countdown_id }
}

async function requireCountdown(ctx: PublishingCtx, countdown_id: string) {
  const found = await ctx.db
    .selectFrom('publishing_countdown')
    .select('content_id')
    .where('school_id', '=', ctx.school_id)
    .where('countdown_id', '=', countdown_id)
    .executeTakeFirst()
  if (!found) {
    await placeScope(ctx)
    throw fail(commonErrors.notFound)
  }
  return requireContent(ctx, found.content_id)
}

/** @throws Refusal stale, contentOver and those of a new one */
export async function updateCountdown(
  ctx: PublishingCtx,
  { id, row_version, ...draft }: Input<typeof countdownApi.update>,
): Promise<Record<string, never>> {
  const { db, school_id, now } = ctx
  const { found, boards: before } = await requireCountdown(ctx, id)
  if (found.state === content_state.taken) throw fail(publishingErrors.contentOver)
  if (found.row_version !== row_version) throw fail(publishingErrors.stale)
  const { show_from, show_until, valid_from, valid_to } = datesOf(ctx, draft)
  const { title, zone, rule_id, priority, targets, target_on, count_mode, done_text, style } = draft
  const boards = await targetBoards(ctx, targets)
  if (rule_id !== null) await requireRule(ctx, rule_id)
  await db
    .updateTable('publishing_content')
    .set({ title, zone, rule_id, priority, valid_from, valid_to, updated_at: now, row_version: row_version + 1 })
    .where('school_id', '=', school_id)
    .where('content_id', '=', found.content_id)
    .execute()
  await db
    .updateTable('publishing_countdown')
    .set({ target_on, count_mode, show_from, show_until, done_text, style })
    .where('school_id', '=', school_id)
    .where('countdown_id', '=', id)
    .execute()
  await writeTargets(ctx, found.content_id, targets)
  await spread(ctx, [...before, ...boards], { content_id: found.content_id, valid_to })
  ctx.note({ target_kind: 'publishing.countdown', target_id: id, target_name: title })
  return {}
}

/** Takes a countdown off its boards; the line stays as ended until the boards have said so. */
export async function removeCountdown(ctx: PublishingCtx, { id }: { id: string }): Promise<Record<string, never>> {
  const { found } = await requireCountdown(ctx, id)
  if (found.state === content_state.taken) throw fail(publishingErrors.contentNotLive)
  await endContents(ctx, [found.content_id], '删除倒计时')
  ctx.note({ target_kind: 'publishing.countdown', target_id: id, target_name: found.title })
  return {}
}

import { content_state, PlayRule, publishingErrors } from '@campus/publishing/contract'
import type { playRuleApi, PlayRuleDraft } from '@campus/publishing/contract'
import { placeScope } from '@campus/places/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { pageTotal } from '@kit/server/db'
import { sql } from 'kysely'
import { z } from 'zod'
import type { PublishingCtx } from '../db.ts'
import { compileBoards, markDirty } from './plan.service.ts'

const custom_days = 4
const living = (ctx: Pick<PublishingCtx, 'school_id' | 'now'>) =>
  sql`c.school_id = ${ctx.school_id} and c.state <> ${content_state.taken} and (c.valid_to is null or c.valid_to > ${ctx.now})`

export async function listRules(
  ctx: PublishingCtx,
  { page_index, page_size }: Input<typeof playRuleApi.list>,
): Promise<Reply<typeof playRuleApi.list>> {
  const { db, school_id } = ctx
  await placeScope(ctx)
  const page = (limit: number, offset: number) =>
    sql<{ total: number }>`
    select r.rule_id::text as id, r.name, r.day_kind::int as day_kind, r.weekdays, r.dayparts, r.order_mode::int as order_mode, r.item_seconds::int as item_seconds, r.mute_in_lesson, r.enabled, r.row_version,
      (select count(*)::int from publishing_content c where ${living(ctx)} and c.rule_id = r.rule_id) as in_use, (count(*) over ())::int as total
    from publishing_play_rule r where r.school_id = ${school_id} order by r.rule_id limit ${limit} offset ${offset}`.execute(db)
  const { rows } = await page(page_size, (page_index - 1) * page_size)
  return {
    list: z
      .array(z.looseObject({}))
      .parse(rows)
      .map(({ total: _total, ...row }) => PlayRule.parse(row)),
    total: await pageTotal(rows, page_index, async () => (await page(1, 0)).rows),
  }
}

function check({ day_kind, weekdays, dayparts }: PlayRuleDraft): void {
  if (day_kind === custom_days && weekdays.length === 0) throw fail(publishingErrors.ruleDayMissing)
  if (dayparts.some(part => 'from' in part && part.to <= part.from)) throw fail(publishingErrors.ruleTimeWrong)
}

const columnsOf = ({ dayparts, ...draft }: PlayRuleDraft) => ({
  ...draft,
  weekdays: draft.day_kind === custom_days ? draft.weekdays : [],
  dayparts: JSON.stringify(dayparts),
})

/** @throws Refusal ruleDayMissing, ruleTimeWrong, ruleNameTaken */
export async function addRule(ctx: PublishingCtx, draft: PlayRuleDraft): Promise<{ id: string }> {
  const { db, school_id, now, me } = ctx
  await placeScope(ctx)
  check(draft)
  const { rule_id } = await db
    .insertInto('publishing_play_rule')
    .values({ school_id, ...columnsOf(draft), created_at: now, created_by: me.user_id })
    .returning('rule_id')
    .executeTakeFirstOrThrow()
  ctx.note({ target_kind: 'publishing.rule', target_id: rule_id, target_name: draft.name })
  return { id: rule_id }
}

async function requireRule(ctx: PublishingCtx, rule_id: string) {
  await placeScope(ctx)
  const found = await ctx.db
    .selectFrom('publishing_play_rule')
    .select(['name', 'enabled', 'row_version'])
    .where('school_id', '=', ctx.school_id)
    .where('rule_id', '=', rule_id)
    .forUpdate()
    .executeTakeFirst()
  if (!found) throw fail(commonErrors.notFound)
  return found
}

/** Boards with contents of a rule. */
async function boardsOf({ db, school_id }: PublishingCtx, rule_id: string): Promise<string[]> {
  const { rows } = await sql<{ device_id: string }>`
    select distinct d.device_id::text as device_id from publishing_delivery d join publishing_content c on c.school_id = ${school_id} and c.content_id = d.content_id where d.school_id = ${school_id} and c.rule_id = ${rule_id} and c.state = ${content_state.live}`.execute(
    db,
  )
  return rows.map(row => row.device_id)
}

/** @throws Refusal stale and those of a new one */
export async function updateRule(
  ctx: PublishingCtx,
  { id, row_version, ...draft }: Input<typeof playRuleApi.update>,
): Promise<Record<string, never>> {
  const found = await requireRule(ctx, id)
  if (found.row_version !== row_version) throw fail(publishingErrors.stale)
  check(draft)
  await ctx.db
    .updateTable('publishing_play_rule')
    .set({ ...columnsOf(draft), row_version: row_version + 1 })
    .where('school_id', '=', ctx.school_id)
    .where('rule_id', '=', id)
    .execute()
  await markDirty(ctx, await boardsOf(ctx, id), '播放规则修改')
  ctx.note({ target_kind: 'publishing.rule', target_id: id, target_name: draft.name })
  return {}
}

/** @throws Refusal ruleInUse */
export async function removeRule(ctx: PublishingCtx, { id }: { id: string }): Promise<Record<string, never>> {
  const { db, school_id } = ctx
  const found = await requireRule(ctx, id)
  const {
    rows: [used],
  } = await sql<{ n: number }>`select count(*)::int as n from publishing_content c where ${living(ctx)} and c.rule_id = ${id}`.execute(db)
  if ((used?.n ?? 0) > 0) throw fail(publishingErrors.ruleInUse, { params: { n: used?.n ?? 0 } })
  await db.updateTable('publishing_content').set({ rule_id: null }).where('school_id', '=', school_id).where('rule_id', '=', id).execute()
  await db.deleteFrom('publishing_play_rule').where('school_id', '=', school_id).where('rule_id', '=', id).execute()
  ctx.note({ target_kind: 'publishing.rule', target_id: id, target_name: found.name })
  return {}
}

/** A rule that is stopped stops its contents; they play again with it. @returns the titles of the contents that stop */
export async function enableRule(ctx: PublishingCtx, { id, enabled }: Input<typeof playRuleApi.enable>): Promise<{ stopped: string[] }> {
  const { db, school_id } = ctx
  const found = await requireRule(ctx, id)
  const { rows } = await sql<{
    title: string
  }>`select c.title from publishing_content c where ${living(ctx)} and c.rule_id = ${id} and c.state = ${content_state.live} order by c.content_id`.execute(
    db,
  )
  const boards = await boardsOf(ctx, id)
  await db
    .updateTable('publishing_play_rule')
    .set({ enabled, row_version: sql<number>`row_version + 1` })
    .where('school_id', '=', school_id)
    .where('rule_id', '=', id)
    .execute()
  await compileBoards(ctx, boards, enabled ? '启用播放规则' : '停用播放规则')
  ctx.note({ target_kind: 'publishing.rule', target_id: id, target_name: found.name, after: { enabled } })
  return { stopped: enabled ? [] : rows.map(row => row.title) }
}

import { content_state, delivery, publishingErrors } from '@campus/publishing/contract'
import type { contentApi } from '@campus/publishing/contract'
import { fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import type { PublishingCtx } from '../db.ts'
import { endContents } from './content.end.ts'
import { requireContent, requireRule, spread } from './content.service.ts'

/**
 * Drafts become live; their boards are told within moments. A content that is live already stays so.
 * @throws Refusal contentOver, contentNoBoard, contentWindow
 */
export async function publishContents(ctx: PublishingCtx, { ids }: Input<typeof contentApi.publish>): Promise<{ boards: number }> {
  const { db, school_id, now } = ctx
  const told = new Set<string>()
  for (const id of [...new Set(ids)].toSorted()) {
    const { found, boards } = await requireContent(ctx, id)
    if (found.state === content_state.taken) throw fail(publishingErrors.contentOver)
    if (found.valid_to !== null && found.valid_to <= now) throw fail(publishingErrors.contentWindow)
    if (boards.length === 0) throw fail(publishingErrors.contentNoBoard)
    if (found.rule_id !== null) await requireRule(ctx, found.rule_id)
    await db
      .updateTable('publishing_content')
      .set({ state: content_state.live, updated_at: now })
      .where('school_id', '=', school_id)
      .where('content_id', '=', id)
      .execute()
    await spread(ctx, boards, { content_id: id, valid_to: found.valid_to })
    for (const board of boards) told.add(board.device_id)
    ctx.note({ target_kind: 'publishing.content', target_id: id, target_name: found.title })
  }
  return { boards: told.size }
}

/** Takes contents off their boards at once, and says until when a board that is away may still show them (chapter 60 §10). @throws Refusal contentNotLive */
export async function takeDown(
  ctx: PublishingCtx,
  { ids, reason }: Input<typeof contentApi.takedown>,
): Promise<Reply<typeof contentApi.takedown>> {
  for (const id of [...new Set(ids)].toSorted()) {
    const { found } = await requireContent(ctx, id)
    if (found.state !== content_state.live) throw fail(publishingErrors.contentNotLive)
    ctx.note({ target_kind: 'publishing.content', target_id: id, target_name: found.title, reason })
  }
  await closeUsagesOf(ctx, ids)
  await endContents(ctx, ids, reason)
  const { db, school_id } = ctx
  const {
    rows: [row],
  } = await sql<{ online: number; offline: number; latest: Date | null }>`
    select count(*) filter (where v.online)::int as online, count(*) filter (where not v.online)::int as offline, max(case when v.online then null else coalesce(b.reported_at, v.last_seen_at) + c.offline_ttl_hours * interval '1 hour' end) as latest
    from publishing_delivery d join publishing_content c on c.school_id = ${school_id} and c.content_id = d.content_id
    join device_live_v v on v.school_id = ${school_id} and v.device_id = d.device_id
    left join publishing_board b on b.school_id = ${school_id} and b.device_id = d.device_id
    where d.school_id = ${school_id} and d.content_id = any(${[...ids]}::bigint[]) and d.state = ${delivery.stopping}`.execute(db)
  return { online: row?.online ?? 0, offline: row?.offline ?? 0, latest: row?.latest?.toISOString() ?? null }
}

/** What was published from the library is taken back there too: it is not shown again by itself (chapter 60 §2.3). */
async function closeUsagesOf({ db, school_id, now, me }: PublishingCtx, content_ids: readonly string[]): Promise<void> {
  await sql`
    update publishing_usage set valid_to = greatest(valid_from, ${now}::timestamptz), cancelled_by = ${me.user_id}
    where school_id = ${school_id} and valid_to is null and place_id is not null and resource_id in (
      select c.resource_id from publishing_content c
      where c.school_id = ${school_id} and c.content_id = any(${[...content_ids]}::bigint[]) and c.resource_id is not null)`.execute(db)
}

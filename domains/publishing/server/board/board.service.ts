import { createHash, randomInt } from 'node:crypto'
import { content_state, full_zone, publishingErrors, source, target_kind } from '@campus/publishing/contract'
import type { classBoardApi } from '@campus/publishing/contract'
import { fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { setTimer } from '@kit/server/event'
import { sql } from 'kysely'
import type { PublishingCtx } from '../db.ts'
import { endContents } from './content.end.ts'
import { writeTargets } from './content.service.ts'
import { compileBoards, over_kind } from './plan.service.ts'
import { requireBoards } from './scope.ts'

const minute_ms = 60_000
const pairing_ms = 10 * minute_ms
/** Signs that nobody mistakes for another. */
const signs = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
const code_length = 8
/** So many of them name the code; the others prove that one knows it. */
const head_length = 4
const most_priority = 9

/** @throws Refusal 404 */
export async function updateBoard(
  ctx: PublishingCtx,
  { id, name_mode }: Input<typeof classBoardApi.update>,
): Promise<Record<string, never>> {
  const { db, school_id } = ctx
  await requireBoards(ctx, [id])
  await db
    .insertInto('publishing_board')
    .values({ school_id, device_id: id, name_mode })
    .onConflict(conflict => conflict.columns(['school_id', 'device_id']).doUpdateSet({ name_mode }))
    .execute()
  ctx.note({ target_kind: 'publishing.board', target_id: id, after: { name_mode } })
  return {}
}

/** Makes plans anew now. What has not changed is not sent again. @throws Refusal 404 */
export async function refreshBoards(ctx: PublishingCtx, { device_ids }: Input<typeof classBoardApi.refresh>): Promise<{ changed: number }> {
  const boards = await requireBoards(ctx, device_ids)
  ctx.note({
    target_kind: 'publishing.board',
    target_name: boards
      .map(board => board.device_name)
      .join('、')
      .slice(0, 100),
  })
  return {
    changed: await compileBoards(
      ctx,
      boards.map(board => board.device_id),
      '手动刷新',
    ),
  }
}

/** Shows a text over everything at once; one that a board shows already gives way (chapter 60 rule 41). @throws Refusal 404 */
export async function showUrgent(
  ctx: PublishingCtx,
  { device_ids, text, minutes, reason }: Input<typeof classBoardApi.urgent>,
): Promise<Reply<typeof classBoardApi.urgent>> {
  const { db, school_id, now, me } = ctx
  const boards = await requireBoards(ctx, device_ids)
  const places = [...new Set(boards.flatMap(board => board.place_id ?? []))]
  if (places.length === 0) throw fail(publishingErrors.contentNoBoard)
  await liftUrgent(ctx, device_ids)
  const valid_to = new Date(now.getTime() + minutes * minute_ms)
  const { content_id } = await db
    .insertInto('publishing_content')
    .values({
      school_id,
      title: [...text].slice(0, 40).join(''),
      source_kind: source.text,
      text,
      zone: full_zone,
      priority: most_priority,
      weight: 1,
      valid_from: now,
      valid_to,
      offline_ttl_hours: 24,
      urgent: true,
      state: content_state.live,
      created_at: now,
      created_by: me.user_id,
      updated_at: now,
    })
    .returning('content_id')
    .executeTakeFirstOrThrow()
  await writeTargets(
    ctx,
    content_id,
    places.map(target_id => ({ mode: 1, target: target_kind.place, target_id })),
  )
  await setTimer(ctx, { kind: over_kind, ref: `${content_id}:${valid_to.getTime()}`, due_at: valid_to })
  await compileBoards(
    ctx,
    boards.map(board => board.device_id),
    '紧急插播',
  )
  ctx.note({ target_kind: 'publishing.content', target_id: content_id, target_name: text.slice(0, 100), reason })
  return { content_id, boards: boards.length }
}

/** @throws Refusal 404 */
export async function stopUrgent(
  ctx: PublishingCtx,
  { device_ids, reason }: Input<typeof classBoardApi.urgent_stop>,
): Promise<{ stopped: number }> {
  const boards = await requireBoards(ctx, device_ids)
  const ended = await liftUrgent(ctx, device_ids, reason)
  ctx.note({
    target_kind: 'publishing.board',
    target_name: boards
      .map(board => board.device_name)
      .join('、')
      .slice(0, 100),
    reason,
  })
  return { stopped: ended }
}

/** Ends the urgent texts of boards: of one that others show too only these boards are taken out. @returns how many texts */
async function liftUrgent(ctx: PublishingCtx, device_ids: readonly string[], reason = '新的紧急插播'): Promise<number> {
  const { db, school_id } = ctx
  const { rows } = await sql<{ content_id: string; others: number }>`
    select c.content_id::text as content_id, count(*) filter (where not (d.device_id = any(${[...device_ids]}::bigint[])))::int as others from publishing_content c join publishing_delivery d on d.school_id = ${school_id} and d.content_id = c.content_id and d.stop_requested_at is null
    where c.school_id = ${school_id} and c.urgent and c.state = ${content_state.live} group by c.content_id having bool_or(d.device_id = any(${[...device_ids]}::bigint[]))`.execute(
    db,
  )
  await endContents(
    ctx,
    rows.filter(row => row.others === 0).map(row => row.content_id),
    reason,
  )
  for (const { content_id } of rows.filter(row => row.others > 0)) {
    await sql`delete from publishing_content_target t using device_live_v v where t.school_id = ${school_id} and t.content_id = ${content_id} and v.school_id = ${school_id} and v.device_id = any(${[...device_ids]}::bigint[]) and t.target_id = v.place_id`.execute(
      db,
    )
    await compileBoards(ctx, device_ids, '停止紧急插播')
  }
  return rows.length
}

/** A code with which the player page of this board comes in, for ten minutes; told once. @throws Refusal 404 */
export async function makePairing(
  ctx: PublishingCtx,
  { device_id }: Input<typeof classBoardApi.pair>,
): Promise<Reply<typeof classBoardApi.pair>> {
  const { db, school_id, now } = ctx
  const [board] = await requireBoards(ctx, [device_id])
  const code = `${school_id}-${Array.from({ length: code_length }, () => signs[randomInt(signs.length)]).join('')}`
  const row = { code_digest: digestOf(code), code_head: headOf(code), expires_at: new Date(now.getTime() + pairing_ms), tries: 0 }
  await db
    .insertInto('publishing_pairing')
    .values({ school_id, device_id, ...row })
    .onConflict(conflict => conflict.columns(['school_id', 'device_id']).doUpdateSet(row))
    .execute()
  ctx.note({ target_kind: 'publishing.board', target_id: device_id, target_name: board?.device_name ?? '' })
  return { code, path: `/board/#${code}`, expires_at: row.expires_at.toISOString() }
}

/** Which code of the school a typed one means, as it is kept. */
export function headOf(code: string): string {
  return code.toUpperCase().slice(code.indexOf('-') + 1, code.indexOf('-') + 1 + head_length)
}

export function digestOf(code: string): string {
  return createHash('sha256').update(code.toUpperCase()).digest('hex')
}

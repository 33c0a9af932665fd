import { publishingErrors, Template, zoneFault } from '@campus/publishing/contract'
import type { templateApi, TemplateDraft } from '@campus/publishing/contract'
import { inPlaces, placeScope } from '@campus/places/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { insertMany, pageTotal } from '@kit/server/db'
import { sql } from 'kysely'
import { z } from 'zod'
import type { PublishingCtx } from '../db.ts'
import { board_types } from './facts.ts'
import { compileBoards, markDirty } from './plan.service.ts'
import { requireBoards } from './scope.ts'

const live = 1
const instant = z.date().transform(at => at.toISOString())

/** Templates with the number of boards that go by each. */
export async function listTemplates(
  ctx: PublishingCtx,
  { page_index, page_size }: Input<typeof templateApi.list>,
): Promise<Reply<typeof templateApi.list>> {
  const { db, school_id } = ctx
  await placeScope(ctx)
  const page = (limit: number, offset: number) =>
    sql<{ total: number }>`
    select t.template_id::text as id, t.name, t.orientation::int as orientation, t.state::int as state, t.layout as zones, t.rev, t.updated_at, t.row_version,
      (select count(*)::int from publishing_template_use u where u.school_id = ${school_id} and u.template_id = t.template_id and u.valid_to is null) as in_use, (count(*) over ())::int as total
    from publishing_template t where t.school_id = ${school_id} order by t.state = ${live} desc, t.template_id limit ${limit} offset ${offset}`.execute(
      db,
    )
  const { rows } = await page(page_size, (page_index - 1) * page_size)
  const list = z
    .array(z.looseObject({ updated_at: instant }))
    .parse(rows)
    .map(row => Template.parse(row))
  return { list, total: await pageTotal(rows, page_index, async () => (await page(1, 0)).rows) }
}

function check({ zones }: TemplateDraft): void {
  const what = zoneFault(zones)
  if (what !== null) throw fail(publishingErrors.zoneBad, { params: { what } })
}

/** @throws Refusal zoneBad, templateNameTaken */
export async function addTemplate(ctx: PublishingCtx, draft: TemplateDraft): Promise<{ id: string }> {
  const { db, school_id, now, me } = ctx
  await placeScope(ctx)
  check(draft)
  const { name, orientation, state, zones } = draft
  const { template_id } = await db
    .insertInto('publishing_template')
    .values({
      school_id,
      name,
      orientation,
      state,
      layout: JSON.stringify(zones),
      created_at: now,
      created_by: me.user_id,
      updated_at: now,
    })
    .returning('template_id')
    .executeTakeFirstOrThrow()
  ctx.note({ target_kind: 'publishing.template', target_id: template_id, target_name: name })
  return { id: template_id }
}

/** Boards that go by it get new plans. @throws Refusal zoneBad, stale, templateInUse where it would be stopped */
export async function updateTemplate(
  ctx: PublishingCtx,
  { id, row_version, ...draft }: Input<typeof templateApi.update>,
): Promise<Record<string, never>> {
  const { db, school_id, now } = ctx
  const found = await requireTemplate(ctx, id)
  if (found.row_version !== row_version) throw fail(publishingErrors.stale)
  check(draft)
  const boards = await boardsOf(ctx, id)
  if (draft.state !== live && boards.length > 0) throw fail(publishingErrors.templateInUse, { params: { n: boards.length } })
  const { name, orientation, state, zones } = draft
  await db
    .updateTable('publishing_template')
    .set({ name, orientation, state, layout: JSON.stringify(zones), updated_at: now, rev: found.rev + 1, row_version: row_version + 1 })
    .where('school_id', '=', school_id)
    .where('template_id', '=', id)
    .execute()
  await markDirty(ctx, boards, '模板修改')
  ctx.note({ target_kind: 'publishing.template', target_id: id, target_name: name })
  return {}
}

/** @throws Refusal templateInUse */
export async function removeTemplate(ctx: PublishingCtx, { id }: { id: string }): Promise<Record<string, never>> {
  const { db, school_id } = ctx
  const found = await requireTemplate(ctx, id)
  const boards = await boardsOf(ctx, id)
  if (boards.length > 0) throw fail(publishingErrors.templateInUse, { params: { n: boards.length } })
  await db.deleteFrom('publishing_template_use').where('school_id', '=', school_id).where('template_id', '=', id).execute()
  await db.deleteFrom('publishing_template').where('school_id', '=', school_id).where('template_id', '=', id).execute()
  ctx.note({ target_kind: 'publishing.template', target_id: id, target_name: found.name })
  return {}
}

async function requireTemplate(ctx: PublishingCtx, template_id: string, lock = true) {
  await placeScope(ctx)
  const query = ctx.db
    .selectFrom('publishing_template')
    .select(['name', 'state', 'rev', 'row_version'])
    .where('school_id', '=', ctx.school_id)
    .where('template_id', '=', template_id)
  const found = await (lock ? query.forUpdate() : query).executeTakeFirst()
  if (!found) throw fail(commonErrors.notFound)
  return found
}

async function boardsOf({ db, school_id }: PublishingCtx, template_id: string): Promise<string[]> {
  const rows = await db
    .selectFrom('publishing_template_use')
    .select('device_id')
    .where('school_id', '=', school_id)
    .where('template_id', '=', template_id)
    .where('valid_to', 'is', null)
    .execute()
  return rows.map(row => row.device_id)
}

/** Which boards go by which template; those without one go by the usual. */
export async function listUses(
  ctx: PublishingCtx,
  { template_id, page_index, page_size }: Input<typeof templateApi.in_use>,
): Promise<Reply<typeof templateApi.in_use>> {
  const { db, school_id } = ctx
  const scope = await placeScope(ctx)
  if (template_id !== undefined) await requireTemplate(ctx, template_id, false)
  const page = (limit: number, offset: number) =>
    sql<{
      device_id: string
      device_name: string
      node_path_name: string | null
      template_id: string | null
      since: Date | null
      total: number
    }>`
    select v.device_id::text as device_id, v.device_name, p.node_path_name, u.template_id::text as template_id, u.valid_from as since, (count(*) over ())::int as total
    from device_live_v v left join place_live_v p on p.school_id = ${school_id} and p.place_id = v.place_id left join publishing_template_use u on u.school_id = ${school_id} and u.device_id = v.device_id and u.valid_to is null
    where v.school_id = ${school_id} and v.device_type = any(${[...board_types]}::text[]) and ${inPlaces('p.node_path', scope)} and (${template_id ?? null}::bigint is null or u.template_id = ${template_id ?? null}::bigint)
    order by p.node_path nulls last, v.device_name, v.device_id limit ${limit} offset ${offset}`.execute(db)
  const { rows } = await page(page_size, (page_index - 1) * page_size)
  return {
    list: rows.map(({ total: _total, ...row }) => ({ ...row, since: row.since?.toISOString() ?? null })),
    total: await pageTotal(rows, page_index, async () => (await page(1, 0)).rows),
  }
}

/** Gives boards another template from now on; null: the usual one. @throws Refusal 404, templateNotLive */
export async function changeTemplate(
  ctx: PublishingCtx,
  { device_ids, place_ids, template_id }: Input<typeof templateApi.change>,
): Promise<{ changed: number }> {
  const { db, school_id, now, me } = ctx
  if (template_id !== null && (await requireTemplate(ctx, template_id)).state !== live) throw fail(publishingErrors.templateNotLive)
  const boards = (await requireBoards(ctx, [...device_ids, ...(await boardsIn(ctx, place_ids))])).map(board => board.device_id)
  if (boards.length === 0) throw fail(publishingErrors.contentNoBoard)
  const of = sql<boolean>`device_id = any(${boards}::bigint[])`
  // What begins at this very moment has never held.
  await db.deleteFrom('publishing_template_use').where('school_id', '=', school_id).where(of).where('valid_from', '>=', now).execute()
  await db
    .updateTable('publishing_template_use')
    .set({ valid_to: now })
    .where('school_id', '=', school_id)
    .where(of)
    .where('valid_to', 'is', null)
    .execute()
  if (template_id !== null)
    await insertMany(
      db,
      'publishing_template_use',
      boards.map(device_id => ({ school_id, device_id, template_id, valid_from: now, created_by: me.user_id })),
    )
  const changed = await compileBoards(ctx, boards, '更换模板')
  ctx.note({ target_kind: 'publishing.template', target_id: template_id ?? '0', target_name: `${boards.length}块班牌` })
  return { changed }
}

/** Boards at and below places. @throws Refusal 404 */
async function boardsIn({ db, school_id }: PublishingCtx, place_ids: readonly string[]): Promise<string[]> {
  if (place_ids.length === 0) return []
  const { rows } = await sql<{ root: string; device_id: string | null }>`
    select r.place_id::text as root, v.device_id::text as device_id from place_live_v r
    left join place_live_v p on p.school_id = ${school_id} and p.node_path >= r.node_path and p.node_path < left(r.node_path, -1) || '0'
    left join device_live_v v on v.school_id = ${school_id} and v.place_id = p.place_id and v.device_type = any(${[...board_types]}::text[])
    where r.school_id = ${school_id} and r.place_id = any(${[...place_ids]}::bigint[])`.execute(db)
  if (new Set(rows.map(row => row.root)).size < new Set(place_ids).size) throw fail(commonErrors.notFound)
  return [...new Set(rows.flatMap(row => row.device_id ?? []))]
}

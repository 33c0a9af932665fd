import { claim } from '@campus/files/server'
import { kindOfName } from '@campus/files/contract'
import { bin_days, most_resources, publishingErrors, resource_extensions } from '@campus/publishing/contract'
import type { resourceApi } from '@campus/publishing/contract'
import { commonErrors, fail, Refusal } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { insertMany } from '@kit/server/db'
import type { Pre } from '@kit/server/http'
import { sql } from 'kysely'
import { followAlbums } from '../board/resource-content.ts'
import type { PublishingCtx } from '../db.ts'
import { refOf } from './purge.ts'
import { libraryScope, readResources, requireChosen, state } from './resource.queries.ts'

const day_ms = 86_400_000
const most_name = 80

/** One page of a library, the newest first. */
export async function listResources(ctx: PublishingCtx, query: Input<typeof resourceApi.list>): Promise<Reply<typeof resourceApi.list>> {
  const { school_id } = ctx
  if (query.folder_id !== undefined) await requireFolder(ctx, query.folder_id)
  if (query.label_id !== undefined) await requireLabels(ctx, [query.label_id])
  const parts = [sql`r.state = ${query.state === '3' ? state.bin : state.ready}`]
  if (query.type !== undefined) parts.push(sql`r.resource_type = ${query.type}`)
  if (query.folder_id !== undefined) parts.push(sql`r.folder_id = ${query.folder_id}`)
  if (query.keyword !== undefined) parts.push(sql`strpos(r.resource_name, ${query.keyword}) > 0`)
  if (query.label_id !== undefined)
    parts.push(
      sql`r.resource_id in (select k.resource_id from publishing_resource_label k where k.school_id = ${school_id}
        and k.label_id = ${query.label_id})`,
    )
  const used = sql`r.resource_id in (select u.resource_id from publishing_usage u where u.school_id = ${school_id} and u.valid_to is null)`
  if (query.published !== undefined) parts.push(query.published ? used : sql`not (${used})`)
  const scope = await libraryScope(ctx)
  const which = sql.join(parts, sql` and `)
  const page = await readResources(ctx, scope, which, { limit: query.page_size, offset: (query.page_index - 1) * query.page_size })
  if (page.list.length > 0 || query.page_index === 1) return page
  return { list: [], total: (await readResources(ctx, scope, which, { limit: 1, offset: 0 })).total }
}

/** @throws Refusal 404 */
export async function readResource(ctx: PublishingCtx, { id }: { id: string }): Promise<Reply<typeof resourceApi.detail>> {
  const {
    list: [row],
  } = await readResources(ctx, await libraryScope(ctx), sql`r.resource_id = ${id}`, { limit: 1, offset: 0 })
  if (!row) throw fail(commonErrors.notFound)
  return row
}

type Entry = { file_key: string; name: string; enter: Awaited<ReturnType<typeof claim>> }
type Failed = { file_key: string; failed: string }
export type Brought = { entries: Entry[]; failed: Failed[] }

/** Checks the files of a batch before the transaction; what one is refused for does not hold up the others. */
export async function prepareResources(pre: Pre, { resource_type, files }: Input<typeof resourceApi.add>): Promise<Brought> {
  const found: Brought = { entries: [], failed: [] }
  const taken = resource_extensions[String(resource_type)] ?? []
  for (const { file_key, name } of files) {
    const ext = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
    if (!taken.includes(ext) || kindOfName(file_key) !== String(resource_type))
      found.failed.push({ file_key, failed: publishingErrors.wrongKind.msg })
    else
      await claim(pre, { file_key, purpose: 'resource', measured: true }).then(
        enter => found.entries.push({ file_key, name, enter }),
        (cause: unknown) => found.failed.push({ file_key, failed: sentenceOf(cause) }),
      )
  }
  return found
}

function sentenceOf(cause: unknown): string {
  if (cause instanceof Refusal) return cause.message
  throw cause
}

type Adding = Input<typeof resourceApi.add>
type Added = Reply<typeof resourceApi.add>

/** Takes a batch into a library; each file says what became of it. @throws Refusal quotaFull; 404 for a folder or label */
export async function addResources(ctx: PublishingCtx, asked: Adding, { entries, failed }: Brought): Promise<Added> {
  const { school_id } = ctx
  await libraryScope(ctx)
  if (asked.folder_id !== null) await requireFolder(ctx, asked.folder_id, asked.resource_type)
  await requireLabels(ctx, asked.label_ids)
  await checkQuota(ctx, asked.resource_type, entries.length)
  const list: Added['list'] = []
  for (const entry of entries) list.push(await addOne(ctx, asked, entry))
  const labelled = list.flatMap(({ id }) => (id === null ? [] : asked.label_ids.map(label_id => ({ school_id, resource_id: id, label_id }))))
  await insertMany(ctx.db, 'publishing_resource_label', labelled)
  await followAlbums(ctx, [asked.folder_id])
  ctx.note({ target_kind: 'publishing.resource', target_name: `上传 ${list.length}个` })
  return { list: [...list, ...failed.map(one => ({ ...one, id: null, taken: null }))], added: list.length }
}

async function addOne(ctx: PublishingCtx, asked: Adding, { file_key, name, enter }: Entry): Promise<Added['list'][number]> {
  const { db, school_id, now, me } = ctx
  const { resource_type, folder_id } = asked
  const place = { resource_type, folder_id, is_picture: false, state: state.ready, created_at: now, created_by: me.user_id }
  const { resource_id } = await db
    .insertInto('publishing_resource')
    .values({ school_id, ...place, resource_name: nameOf(name), cdn_name: file_key, bytes: '0', mime: '' })
    .returning('resource_id')
    .executeTakeFirstOrThrow()
  const { size, mime, width, height, sha256 = null, duration_ms = null } = await enter(ctx, refOf(resource_id))
  const same = db.selectFrom('publishing_resource').select('resource_name').where('school_id', '=', school_id).where('state', '=', state.ready)
  const taken = sha256 === null ? undefined : await same.where('sha256', '=', sha256).limit(1).executeTakeFirst()
  await db
    .updateTable('publishing_resource')
    .set({ bytes: String(size), mime, width, height, sha256, duration_ms })
    .where('school_id', '=', school_id)
    .where('resource_id', '=', resource_id)
    .execute()
  return { file_key, id: resource_id, taken: taken ? `已存在同名内容：${taken.resource_name}` : null, failed: null }
}

/** The name without its ending, as long as a name may be. */
function nameOf(file_name: string): string {
  const bare = file_name.replace(/\.[^.]*$/, '').trim()
  return [...(bare === '' ? file_name : bare)].slice(0, most_name).join('')
}

async function checkQuota({ db, school_id }: PublishingCtx, resource_type: number, more: number): Promise<void> {
  const {
    rows: [row],
  } = await sql<{
    n: number
  }>`select count(*)::int as n from publishing_resource r where r.school_id = ${school_id} and r.resource_type = ${resource_type} and r.state = ${state.ready}`.execute(
    db,
  )
  if ((row?.n ?? 0) + more > most_resources) throw fail(publishingErrors.quotaFull)
}

/** @throws Refusal 404 for a folder of another school or library, or one that cannot be seen */
export async function requireFolder(ctx: PublishingCtx, folder_id: string, resource_type?: number): Promise<void> {
  const scope = await libraryScope(ctx)
  const found = await ctx.db
    .selectFrom('publishing_folder')
    .select(['resource_type', 'visibility', 'owner_dept_id', 'created_by'])
    .where('school_id', '=', ctx.school_id)
    .where('folder_id', '=', folder_id)
    .executeTakeFirst()
  const is_seen =
    found &&
    (scope === 'all' ||
      found.visibility === 1 ||
      found.created_by === ctx.me.user_id ||
      (found.owner_dept_id !== null && scope.includes(found.owner_dept_id)))
  if (!is_seen || (resource_type !== undefined && found.resource_type !== resource_type)) throw fail(commonErrors.notFound)
}

/** 移动 to another album of the same library, or out of all of them. */
export async function moveResources(
  ctx: PublishingCtx,
  { resource_ids, folder_id }: Input<typeof resourceApi.move>,
): Promise<{ moved: number }> {
  const chosen = await requireChosen(ctx, resource_ids, { edit: true })
  for (const resource_type of new Set(chosen.map(one => one.resource_type)))
    if (folder_id !== null) await requireFolder(ctx, folder_id, resource_type)
  await ctx.db
    .updateTable('publishing_resource')
    .set({ folder_id, row_version: sql<number>`row_version + 1` })
    .where('school_id', '=', ctx.school_id)
    .where(
      'resource_id',
      'in',
      chosen.map(one => one.resource_id),
    )
    .execute()
  await followAlbums(ctx, [folder_id, ...chosen.map(one => one.folder_id)])
  ctx.note({ target_kind: 'publishing.resource', target_name: `移动 ${chosen.length}个` })
  return { moved: chosen.length }
}

/** Takes resources out of the bin; where they were published they do not come back (chapter 60 §2.3). @throws Refusal restoreLate, quotaFull */
export async function restoreResources(
  ctx: PublishingCtx,
  { resource_ids }: Input<typeof resourceApi.restore>,
): Promise<{ restored: number }> {
  const { db, school_id, now } = ctx
  const chosen = await requireChosen(ctx, resource_ids, { edit: true, in: 'bin' })
  const ids = chosen.map(one => one.resource_id)
  const rows = await db
    .selectFrom('publishing_resource')
    .select('deleted_at')
    .where('school_id', '=', school_id)
    .where('resource_id', 'in', ids)
    .execute()
  if (rows.some(row => row.deleted_at !== null && row.deleted_at.getTime() + bin_days * day_ms <= now.getTime()))
    throw fail(publishingErrors.restoreLate)
  for (const resource_type of new Set(chosen.map(one => one.resource_type)))
    await checkQuota(ctx, resource_type, chosen.filter(one => one.resource_type === resource_type).length)
  await db
    .updateTable('publishing_resource')
    .set({ state: state.ready, deleted_at: null, deleted_by: null, row_version: sql<number>`row_version + 1` })
    .where('school_id', '=', school_id)
    .where('resource_id', 'in', ids)
    .execute()
  await followAlbums(
    ctx,
    chosen.map(one => one.folder_id),
  )
  ctx.note({ target_kind: 'publishing.resource', target_name: `恢复 ${ids.length}个` })
  return { restored: ids.length }
}

/** @throws Refusal 404 for a label of another school */
export async function requireLabels({ db, school_id }: PublishingCtx, label_ids: readonly string[]): Promise<void> {
  if (label_ids.length === 0) return
  const found = await db
    .selectFrom('publishing_label')
    .select('label_id')
    .where('school_id', '=', school_id)
    .where('label_id', 'in', [...label_ids])
    .execute()
  if (found.length < new Set(label_ids).size) throw fail(commonErrors.notFound)
}

import { Readable } from 'node:stream'
import { openFile } from '@campus/files/server'
import { publishingErrors } from '@campus/publishing/contract'
import type { educationApi, resourceApi } from '@campus/publishing/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { insertMany } from '@kit/server/db'
import type { FileReply, Pre } from '@kit/server/http'
import { sql } from 'kysely'
import { followAlbums, followUsages } from '../board/resource-content.ts'
import type { PublishingCtx } from '../db.ts'
import { libraryScope, picture, readResources, requireChosen, state } from './resource.queries.ts'
import { requireLabels } from './resource.service.ts'
import { savedName } from './saved-name.ts'

/** Every picture at once: the one list that may be that long (chapter 60 §4.6). */
export async function listPictures(
  ctx: PublishingCtx,
  { page_index, page_size }: Input<typeof educationApi.list>,
): Promise<Reply<typeof educationApi.list>> {
  const scope = await libraryScope(ctx)
  return readResources(ctx, scope, sql`r.resource_type = ${picture} and r.state = ${state.ready}`, {
    limit: page_size,
    offset: (page_index - 1) * page_size,
  })
}

/** 设为班牌图片, or no longer. @throws Refusal pictureInUse while rooms show it */
export async function markPictures(
  ctx: PublishingCtx,
  { resource_ids, is_picture }: Input<typeof educationApi.isPicture>,
): Promise<{ changed: number }> {
  const { db, school_id } = ctx
  const ids = (await requireChosen(ctx, resource_ids, { edit: true })).map(one => one.resource_id)
  if (is_picture === 0) {
    const {
      rows: [used],
    } = await sql<{ n: number }>`
      select count(distinct u.place_id)::int as n from publishing_usage u
      where u.school_id = ${school_id} and u.resource_id = any(${ids}::bigint[]) and u.place_id is not null and u.valid_to is null`.execute(
      db,
    )
    const n = used?.n ?? 0
    if (n > 0) throw fail(publishingErrors.pictureInUse, { params: { n } })
  }
  const { numUpdatedRows } = await db
    .updateTable('publishing_resource')
    .set({ is_picture: is_picture === 1 })
    .where('school_id', '=', school_id)
    .where('resource_id', 'in', ids)
    .where('is_picture', '=', is_picture === 0)
    .executeTakeFirstOrThrow()
  ctx.note({ target_kind: 'publishing.resource', target_name: `班牌图片 ${numUpdatedRows}个`, after: { is_picture } })
  return { changed: Number(numUpdatedRows) }
}

export async function renameResource(
  ctx: PublishingCtx,
  { id, resource_name }: Input<typeof educationApi.rename>,
): Promise<Record<string, never>> {
  const [found] = await requireChosen(ctx, [id], { edit: true })
  await ctx.db
    .updateTable('publishing_resource')
    .set({ resource_name, row_version: sql<number>`row_version + 1` })
    .where('school_id', '=', ctx.school_id)
    .where('resource_id', '=', id)
    .execute()
  await followUsages(ctx, [id], { by: ctx.me.user_id, pace: 'soon' })
  await followAlbums(ctx, [found?.folder_id ?? null])
  ctx.note({
    target_kind: 'publishing.resource',
    target_id: id,
    target_name: resource_name,
    before: { resource_name: found?.resource_name },
  })
  return {}
}

/** The file key in a key or in an address on this server; nothing is ever fetched from anywhere else (chapter 60 rule 28). */
const keyOf = (url: string): string | null =>
  /^(?:\/material\/f\/)?(\d{1,9}\/\d{1,18}\/\d{8}\/[A-Za-z0-9][A-Za-z0-9._-]{0,79})(?:\?[\w=&.,/:-]*)?$/.exec(url)?.[1] ?? null

/** Opens the file before the transaction. @throws Refusal urlUnknown for what is no file of this school */
export async function openDownload(
  pre: Pre,
  { url, filename }: Input<typeof educationApi.download>,
): Promise<(ctx: PublishingCtx) => Promise<FileReply>> {
  const file_key = keyOf(url)
  if (!pre.me) throw fail(commonErrors.unauthorized)
  const { school_id } = pre.me
  const file = file_key?.startsWith(`${school_id}/`) ? await openFile(pre, { school_id, file_key }).catch(() => null) : null
  return async ctx => {
    const scope = await libraryScope(ctx)
    const which = sql`r.cdn_name = ${file_key ?? ''} and r.state = ${state.ready}`
    const {
      list: [row],
    } = await readResources(ctx, scope, which, { limit: 1, offset: 0 })
    if (!row || !file) {
      if (file && 'body' in file && file.body instanceof Readable) file.body.destroy()
      throw fail(publishingErrors.urlUnknown)
    }
    ctx.note({ target_kind: 'publishing.resource', target_id: row.id, target_name: row.resource_name })
    return { ...file, file_name: savedName(filename, row.cdn_name) }
  }
}

export async function listLabels(ctx: PublishingCtx): Promise<Reply<typeof resourceApi.labels>> {
  const { db, school_id } = ctx
  await libraryScope(ctx)
  const { rows } = await sql<{ id: string; name: string; items: number }>`
    select l.label_id::text as id, l.name, coalesce(k.items, 0)::int as items from publishing_label l
    left join (select k.label_id, count(*) as items from publishing_resource_label k where k.school_id = ${school_id}
      group by k.label_id) k on k.label_id = l.label_id
    where l.school_id = ${school_id} order by l.name, l.label_id`.execute(db)
  return { list: rows }
}

/** @throws Refusal labelTaken */
export async function saveLabel(ctx: PublishingCtx, { name }: { name: string }): Promise<{ id: string }> {
  await libraryScope(ctx)
  const { label_id } = await ctx.db
    .insertInto('publishing_label')
    .values({ school_id: ctx.school_id, name, created_at: ctx.now, created_by: ctx.me.user_id })
    .returning('label_id')
    .executeTakeFirstOrThrow()
  ctx.note({ target_kind: 'publishing.label', target_id: label_id, target_name: name })
  return { id: label_id }
}

export async function removeLabel(ctx: PublishingCtx, { id }: { id: string }): Promise<Record<string, never>> {
  await libraryScope(ctx)
  const gone = await ctx.db
    .deleteFrom('publishing_label')
    .where('school_id', '=', ctx.school_id)
    .where('label_id', '=', id)
    .returning('name')
    .executeTakeFirst()
  if (!gone) throw fail(commonErrors.notFound)
  ctx.note({ target_kind: 'publishing.label', target_id: id, target_name: gone.name })
  return {}
}

/** Puts exactly these labels on each of the resources. */
export async function setLabels(
  ctx: PublishingCtx,
  { resource_ids, label_ids }: Input<typeof resourceApi.setLabels>,
): Promise<Record<string, never>> {
  const { db, school_id } = ctx
  const ids = (await requireChosen(ctx, resource_ids, { edit: true })).map(one => one.resource_id)
  const wanted = [...new Set(label_ids)]
  await requireLabels(ctx, wanted)
  await db.deleteFrom('publishing_resource_label').where('school_id', '=', school_id).where('resource_id', 'in', ids).execute()
  await insertMany(
    db,
    'publishing_resource_label',
    ids.flatMap(resource_id => wanted.map(label_id => ({ school_id, resource_id, label_id }))),
  )
  ctx.note({ target_kind: 'publishing.resource', target_name: `标签 ${ids.length}个` })
  return {}
}

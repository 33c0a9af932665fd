import { addressOf } from '@campus/files/server'
import { folder_words, FolderRow, publishingErrors } from '@campus/publishing/contract'
import type { folderApi } from '@campus/publishing/contract'
import type { DeptScope } from '@campus/people/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import { z } from 'zod'
import type { PublishingCtx } from '../db.ts'
import { requireDept } from '../depts.ts'
import { isSeen, libraryScope, picture, state, thumbOf } from './resource.queries.ts'

const words: Readonly<Record<string, string>> = folder_words
const Found = z.looseObject({
  id: z.string(),
  owner_dept_id: z.string().nullable(),
  created_by: z.string(),
  bytes: z.coerce.number(),
  cover_key: z.string().nullable(),
})

const mayEdit = ({ me }: PublishingCtx, scope: DeptScope, folder: { created_by: string; owner_dept_id: string | null }): boolean =>
  scope === 'all' || folder.created_by === me.user_id || (folder.owner_dept_id !== null && scope.includes(folder.owner_dept_id))

/** The albums of a library in their order, with their newest picture in front; `loose` lies in none of them. */
export async function listFolders(ctx: PublishingCtx, { resource_type }: { resource_type: number }): Promise<Reply<typeof folderApi.list>> {
  const { app, db, school_id, now, me } = ctx
  const scope = await libraryScope(ctx)
  const seen =
    scope === 'all' ? sql`true` : sql`(f.visibility = 1 or f.owner_dept_id = any(${[...scope]}::bigint[]) or f.created_by = ${me.user_id})`
  const { rows } = await sql`
    select f.folder_id::text as id, f.resource_type::int as resource_type, f.name, f.visibility::int as visibility,
      f.owner_dept_id::text as owner_dept_id,
      d.dept_name as owner_dept_name, a.display_name as author_name, f.created_by::text as created_by, f.order_no, f.row_version,
      coalesce(n.items, 0)::int as items, coalesce(n.bytes, 0) as bytes, c.cdn_name as cover_key
    from publishing_folder f
    left join (select r.folder_id, count(*) as items, sum(r.bytes) as bytes, max(r.resource_id) as newest from publishing_resource r
      where r.school_id = ${school_id} and r.state = ${state.ready} and r.folder_id is not null group by r.folder_id) n
        on n.folder_id = f.folder_id
    left join publishing_resource c on c.school_id = ${school_id} and c.resource_id = n.newest
    left join dept_now d on d.school_id = ${school_id} and d.id = f.owner_dept_id
    left join person_label a on a.school_id = ${school_id} and a.user_id = f.created_by
    where f.school_id = ${school_id} and f.resource_type = ${resource_type} and ${seen} order by f.order_no, f.folder_id`.execute(db)
  const {
    rows: [loose],
  } = await sql<{ n: number }>`
    select count(*)::int as n from publishing_resource r left join publishing_folder f on f.school_id = ${school_id}
      and f.folder_id = r.folder_id
    where r.school_id = ${school_id} and r.resource_type = ${resource_type} and r.state = ${state.ready} and r.folder_id is null
      and ${isSeen(ctx, scope)}`.execute(
    db,
  )
  const list = z
    .array(Found)
    .parse(rows)
    .map(({ cover_key, created_by, ...row }) => {
      const is_drawn = cover_key !== null && resource_type === picture
      const cover = is_drawn ? thumbOf(addressOf(app, now, { school_id, file_key: cover_key, visibility: 'school' }, me)) : null
      return FolderRow.parse({ ...row, cover, may_edit: mayEdit(ctx, scope, { created_by, owner_dept_id: row.owner_dept_id }) })
    })
  return { list, loose: loose?.n ?? 0 }
}

/** @throws Refusal folderNameTaken; 404 for a department outside of the scope */
export async function addFolder(ctx: PublishingCtx, draft: Input<typeof folderApi.add>): Promise<Reply<typeof folderApi.add>> {
  const { db, school_id, now, me } = ctx
  const scope = await libraryScope(ctx)
  if (draft.owner_dept_id !== null) await requireDept(ctx, scope, draft.owner_dept_id)
  const {
    rows: [last],
  } = await sql<{
    n: number
  }>`select coalesce(max(order_no), 0)::int as n from publishing_folder where school_id = ${school_id} and resource_type = ${draft.resource_type}`.execute(
    db,
  )
  const { folder_id } = await db
    .insertInto('publishing_folder')
    .values({ school_id, ...draft, order_no: (last?.n ?? 0) + 1, created_at: now, created_by: me.user_id })
    .returning('folder_id')
    .executeTakeFirstOrThrow()
  ctx.note({ target_kind: 'publishing.folder', target_id: folder_id, target_name: draft.name })
  return { id: folder_id }
}

async function requireOwn(ctx: PublishingCtx, folder_id: string) {
  const scope = await libraryScope(ctx)
  const found = await ctx.db
    .selectFrom('publishing_folder')
    .select(['name', 'resource_type', 'owner_dept_id', 'created_by', 'row_version'])
    .where('school_id', '=', ctx.school_id)
    .where('folder_id', '=', folder_id)
    .forUpdate()
    .executeTakeFirst()
  if (!found || !mayEdit(ctx, scope, found)) throw fail(commonErrors.notFound)
  return found
}

export async function updateFolder(
  ctx: PublishingCtx,
  { id, row_version, ...draft }: Input<typeof folderApi.update>,
): Promise<Record<string, never>> {
  const found = await requireOwn(ctx, id)
  if (draft.owner_dept_id !== null && draft.owner_dept_id !== found.owner_dept_id)
    await requireDept(ctx, await libraryScope(ctx), draft.owner_dept_id)
  if (found.row_version !== row_version) throw fail(publishingErrors.stale)
  await ctx.db
    .updateTable('publishing_folder')
    .set({ ...draft, row_version: row_version + 1 })
    .where('school_id', '=', ctx.school_id)
    .where('folder_id', '=', id)
    .execute()
  ctx.note({ target_kind: 'publishing.folder', target_id: id, target_name: draft.name, before: { name: found.name }, after: draft })
  return {}
}

/** An empty one only; what lies in the bin is taken out of it. @throws Refusal folderNotEmpty */
export async function removeFolder(ctx: PublishingCtx, { id }: { id: string }): Promise<Record<string, never>> {
  const { db, school_id } = ctx
  const found = await requireOwn(ctx, id)
  const {
    rows: [inside],
  } = await sql<{ n: number }>`
    select count(*)::int as n from publishing_resource where school_id = ${school_id} and folder_id = ${id}
      and state = ${state.ready}`.execute(
    db,
  )
  const n = inside?.n ?? 0
  if (n > 0) throw fail(publishingErrors.folderNotEmpty, { params: { word: words[String(found.resource_type)] ?? '', n } })
  await db
    .updateTable('publishing_resource')
    .set({ folder_id: null })
    .where('school_id', '=', school_id)
    .where('folder_id', '=', id)
    .execute()
  await db.deleteFrom('publishing_folder').where('school_id', '=', school_id).where('folder_id', '=', id).execute()
  ctx.note({ target_kind: 'publishing.folder', target_id: id, target_name: found.name })
  return {}
}

/** The order in which albums are shown; those that are not named keep their places behind. */
export async function orderFolders(ctx: PublishingCtx, { folder_ids }: { folder_ids: readonly string[] }): Promise<Record<string, never>> {
  const wanted = [...new Set(folder_ids)]
  for (const folder_id of wanted.toSorted()) await requireOwn(ctx, folder_id)
  for (const [at, folder_id] of wanted.entries()) {
    await ctx.db
      .updateTable('publishing_folder')
      .set({ order_no: at + 1 })
      .where('school_id', '=', ctx.school_id)
      .where('folder_id', '=', folder_id)
      .execute()
  }
  ctx.note({ target_kind: 'publishing.folder', target_name: `排序 ${wanted.length}个` })
  return {}
}

import { kindOfName } from '@campus/files/contract'
import { release } from '@campus/files/server'
import type { claim } from '@campus/files/server'
import { publishingErrors, resource_extensions } from '@campus/publishing/contract'
import type { resourceApi } from '@campus/publishing/contract'
import { fail } from '@kit/contract'
import type { Input } from '@kit/contract'
import { sql } from 'kysely'
import { followAlbums, followUsages } from '../board/resource-content.ts'
import type { PublishingCtx } from '../db.ts'
import { refOf } from './purge.ts'
import { requireChosen } from './resource.queries.ts'

/**
 * Other bytes under the same resource: every board that shows it, alone or in an album, gets a new plan (chapter 60 §9, 24).
 * @throws Refusal 404, wrongKind for a file of another library
 */
export async function replaceResource(
  ctx: PublishingCtx,
  { id, file_key, name }: Input<typeof resourceApi.replace>,
  enter: Awaited<ReturnType<typeof claim>>,
): Promise<Record<string, never>> {
  const { db, school_id, me } = ctx
  const [found] = await requireChosen(ctx, [id], { edit: true })
  const type = String(found?.resource_type)
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  if (!found || kindOfName(file_key) !== type || !resource_extensions[type]?.includes(ending)) throw fail(publishingErrors.wrongKind)
  const { size, mime, width, height, sha256 = null, duration_ms = null } = await enter(ctx, refOf(id))
  await db
    .updateTable('publishing_resource')
    .set({ cdn_name: file_key, bytes: String(size), mime, width, height, sha256, duration_ms, row_version: sql<number>`row_version + 1` })
    .where('school_id', '=', school_id)
    .where('resource_id', '=', id)
    .execute()
  await followUsages(ctx, [id], { by: me.user_id, pace: 'soon' })
  await followAlbums(ctx, [found.folder_id])
  if (found.cdn_name !== file_key) await release(ctx, refOf(id), { file_key: found.cdn_name })
  ctx.note({ target_kind: 'publishing.resource', target_id: id, target_name: found.resource_name, before: { cdn_name: found.cdn_name } })
  return {}
}

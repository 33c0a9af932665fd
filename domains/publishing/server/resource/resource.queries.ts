import { addressOf } from '@campus/files/server'
import { deptScope } from '@campus/people/server'
import type { DeptScope } from '@campus/people/server'
import { ResourceRow } from '@campus/publishing/contract'
import { commonErrors, fail } from '@kit/contract'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { z } from 'zod'
import type { PublishingCtx } from '../db.ts'

export const state = { ready: 1, bin: 3 } as const
export const picture = 1
const thumb_width = 360
const instant = z.date().transform(at => at.toISOString())
const Found = z.looseObject({
  id: z.string(),
  cdn_name: z.string(),
  resource_type: z.number(),
  bytes: z.coerce.number(),
  state: z
    .number()
    .transform(String)
    .pipe(z.enum(['1', '3'])),
  created_at: instant,
  deleted_at: instant.nullable(),
  total: z.number(),
})

/** Albums and what is in them belong to a department, or to the whole school. */
export const libraryScope = (ctx: PublishingCtx): Promise<DeptScope> => deptScope(ctx, 'staff')

/** What is for the whole school, of the own departments, or one's own; `r` is a resource, `f` its folder. */
export function isSeen({ me }: PublishingCtx, scope: DeptScope): RawBuilder<boolean> {
  if (scope === 'all') return sql<boolean>`true`
  return sql<boolean>`(r.folder_id is null or f.visibility = 1 or f.owner_dept_id = any(${[...scope]}::bigint[]) or f.created_by = ${me.user_id} or r.created_by = ${me.user_id})`
}

/** What one has brought in oneself or what is of the own departments; a whole school's scope changes everything. */
function isOwn({ me }: PublishingCtx, scope: DeptScope): RawBuilder<boolean> {
  if (scope === 'all') return sql<boolean>`true`
  return sql<boolean>`(r.created_by = ${me.user_id} or coalesce(f.owner_dept_id = any(${[...scope]}::bigint[]), false))`
}

/** The small picture of a file in the words that every store's address takes. */
export const thumbOf = (address: string): string => `${address}&x-oss-process=image/resize,m_lfit,w_${thumb_width}`

/** Rows of resources with what they are called, shown and used as; `which` names `r` and `f`. */
export async function readResources(
  ctx: PublishingCtx,
  scope: DeptScope,
  which: RawBuilder<unknown>,
  paging: { limit: number; offset: number },
): Promise<{ list: ResourceRow[]; total: number }> {
  const { app, db, school_id, now, me } = ctx
  const { rows } = await sql`
    select r.resource_id::text as id, r.resource_type::int as resource_type, r.folder_id::text as folder_id, f.name as folder_name,
      r.resource_name, r.cdn_name, r.bytes, r.mime, r.width, r.height, r.duration_ms, r.is_picture, r.state::int as state,
      a.display_name as author_name, r.created_at, r.deleted_at, r.row_version, ${isOwn(ctx, scope)} as may_edit, coalesce(u.n,
        0)::int as usage_count, coalesce(l.label_ids, '{}') as label_ids, r.total
    from (select r.*, (count(*) over ())::int as total from publishing_resource r left join publishing_folder f
      on f.school_id = ${school_id} and f.folder_id = r.folder_id
      where r.school_id = ${school_id} and ${isSeen(ctx, scope)} and ${which} order by r.resource_id desc
        limit ${paging.limit} offset ${paging.offset}) r
    left join publishing_folder f on f.school_id = ${school_id} and f.folder_id = r.folder_id
    left join person_label a on a.school_id = ${school_id} and a.user_id = r.created_by
    left join (select u.resource_id, count(*) as n from publishing_usage u where u.school_id = ${school_id}
      and u.valid_to is null group by u.resource_id) u on u.resource_id = r.resource_id
    left join (select k.resource_id, array_agg(k.label_id::text order by k.label_id) as label_ids from publishing_resource_label k
      where k.school_id = ${school_id} group by k.resource_id) l on l.resource_id = r.resource_id
    order by r.resource_id desc`.execute(db)
  const found = z.array(Found).parse(rows)
  const list = found.map(({ total: _total, ...row }) => {
    const address = addressOf(app, now, { school_id, file_key: row.cdn_name, visibility: 'school' }, me)
    return ResourceRow.parse({ ...row, address, thumb: row.resource_type === picture ? thumbOf(address) : null })
  })
  return { list, total: found[0]?.total ?? 0 }
}

export type Chosen = {
  resource_id: string
  resource_type: number
  folder_id: string | null
  resource_name: string
  cdn_name: string
  is_picture: boolean
  state: number
  may_edit: boolean
}

/** Chosen resources for a change: locked. @throws Refusal 404 as `findChosen` */
export async function requireChosen(ctx: PublishingCtx, ids: readonly string[], need: Need = {}): Promise<Chosen[]> {
  const { db, school_id } = ctx
  await db
    .selectFrom('publishing_resource')
    .select('resource_id')
    .where('school_id', '=', school_id)
    .where('resource_id', 'in', [...new Set(ids)])
    .orderBy('resource_id')
    .forUpdate()
    .execute()
  return findChosen(ctx, ids, need)
}

type Need = { edit?: true; in?: keyof typeof state }

/**
 * Chosen resources as they lie.
 * @param need `edit`: one that is not the acting identity's own is refused too
 * @throws Refusal 404 when one is not of this school, cannot be seen, or lies in the bin where that is not asked for
 */
export async function findChosen(ctx: PublishingCtx, ids: readonly string[], need: Need = {}): Promise<Chosen[]> {
  const { db, school_id } = ctx
  const scope = await libraryScope(ctx)
  const wanted = [...new Set(ids)]
  const { rows } = await sql<Chosen>`
    select r.resource_id::text as resource_id, r.resource_type::int as resource_type, r.folder_id::text as folder_id, r.resource_name, r.cdn_name, r.is_picture,
      r.state::int as state, ${isOwn(ctx, scope)} as may_edit
    from publishing_resource r left join publishing_folder f on f.school_id = ${school_id} and f.folder_id = r.folder_id
    where r.school_id = ${school_id} and r.resource_id = any(${wanted}::bigint[]) and r.state = ${state[need.in ?? 'ready']}
      and ${isSeen(ctx, scope)} order by r.resource_id`.execute(
    db,
  )
  if (rows.length < wanted.length) throw fail(commonErrors.notFound)
  if (need.edit && rows.some(row => !row.may_edit)) throw fail(commonErrors.notFound)
  return rows
}

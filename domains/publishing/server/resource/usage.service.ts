import { inPlaces, placeScope } from '@campus/places/server'
import { bin_days, publishingErrors, publishingEvents } from '@campus/publishing/contract'
import type { educationApi, resourceApi } from '@campus/publishing/contract'
import { inScope } from '@campus/people/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { publish, setTimer } from '@kit/server/event'
import { sql } from 'kysely'
import { z } from 'zod'
import { followAlbums, followUsages } from '../board/resource-content.ts'
import type { PublishingCtx } from '../db.ts'
import { purgeTimerOf } from './purge.ts'
import { findChosen, libraryScope, picture, requireChosen, state } from './resource.queries.ts'

const document = 3
const [board_type, screen_type] = ['03', '21'] as const
const most_named = 20
const instant = z.date().transform(at => at.toISOString())
type Added = { added: number; existed: number }

/** Publishes each resource in each place and for each teacher; what is shown already stays as it is (chapter 60 rule 29). @throws Refusal notPicture, documentNotPdf; 404 */
export async function publishResources(
  ctx: PublishingCtx,
  asked: Input<typeof resourceApi.publish>,
): Promise<Reply<typeof resourceApi.publish>> {
  if (asked.place_id.length === 0 && asked.publish_teacher.length === 0) throw fail(publishingErrors.whereMissing)
  const chosen = await requireChosen(ctx, asked.resource_id)
  if (asked.place_id.length > 0 && chosen.some(one => one.resource_type === picture && !one.is_picture))
    throw fail(publishingErrors.notPicture)
  const unplayable = chosen.find(one => one.resource_type === document && !one.cdn_name.endsWith('.pdf'))
  if (asked.place_id.length > 0 && unplayable) throw fail(publishingErrors.documentNotPdf, { params: { name: unplayable.resource_name } })
  const places = await requirePlaces(ctx, asked.place_id)
  await requireTeachers(ctx, asked.publish_teacher)
  const ids = chosen.map(one => one.resource_id)
  const in_places = await addUsages(
    ctx,
    ids,
    places.map(place => place.place_id),
    'place_id',
  )
  if (in_places.added > 0) await followUsages(ctx, ids, { by: ctx.me.user_id, pace: 'soon' })
  const for_teachers = await addUsages(ctx, ids, [...new Set(asked.publish_teacher)], 'user_serial')
  ctx.note({
    target_kind: 'publishing.resource',
    target_name: `发布 ${ids.length}个到${places.length}间教室、${asked.publish_teacher.length}位教师`,
  })
  return {
    added: in_places.added + for_teachers.added,
    existed: in_places.existed + for_teachers.existed,
    no_board: places.filter(place => !place.has_board).map(place => place.place_name),
  }
}

/** One statement for all of them: of two identical calls at once the second finds everything there already. */
async function addUsages(
  { db, school_id, now, me }: PublishingCtx,
  resource_ids: readonly string[],
  targets: readonly string[],
  column: 'place_id' | 'user_serial',
): Promise<Added> {
  if (targets.length === 0) return { added: 0, existed: 0 }
  const { rows } = await sql`
    insert into publishing_usage (school_id, resource_id, ${sql.ref(column)}, valid_from, published_by)
    select ${school_id}, r.id, t.id, ${now}::timestamptz, ${me.user_id}::bigint
      from unnest(${[...resource_ids]}::bigint[]) r(id) cross join unnest(${[...targets]}::bigint[]) t(id)
    on conflict do nothing returning usage_id`.execute(db)
  return { added: rows.length, existed: resource_ids.length * targets.length - rows.length }
}

type FoundPlace = { place_id: string; place_name: string; has_board: boolean }

async function requirePlaces(ctx: PublishingCtx, place_ids: readonly string[]): Promise<FoundPlace[]> {
  const wanted = [...new Set(place_ids)]
  const scope = await placeScope(ctx)
  if (wanted.length === 0) return []
  const { rows } = await sql<FoundPlace>`
    select p.place_id::text as place_id, p.node_path_name as place_name, ${hasBoard(ctx)} as has_board from place_live_v p
    where p.school_id = ${ctx.school_id} and p.place_id = any(${wanted}::bigint[]) and ${inPlaces('p.node_path', scope)}
      order by p.node_path`.execute(
    ctx.db,
  )
  if (rows.length < wanted.length) throw fail(commonErrors.notFound)
  return rows
}

const boardsOf = ({ school_id }: PublishingCtx) =>
  sql`select d.place_id, bool_or(d.online) as online from device_live_v d where d.school_id = ${school_id}
    and d.device_type in (${board_type}, ${screen_type}) and d.place_id is not null group by d.place_id`
const hasBoard = (ctx: PublishingCtx) => sql<boolean>`p.place_id in (select b.place_id from (${boardsOf(ctx)}) b)`

async function requireTeachers(ctx: PublishingCtx, user_ids: readonly string[]): Promise<void> {
  const wanted = [...new Set(user_ids)]
  if (wanted.length === 0) return
  const { rows } = await sql`
    select s.user_id from live_staff s where s.school_id = ${ctx.school_id} and s.user_id = any(${wanted}::bigint[])
      and (${inScope('s.primary_dept_id', await libraryScope(ctx))} or s.user_id = ${ctx.me.user_id})`.execute(
    ctx.db,
  )
  if (rows.length < wanted.length) throw fail(commonErrors.notFound)
}

/** Takes resources down from places and teachers; what was closed is never opened again. @throws Refusal usageGone when none of it is shown */
export async function unpublishResources(
  ctx: PublishingCtx,
  asked: Input<typeof resourceApi.unpublish>,
): Promise<Reply<typeof resourceApi.unpublish>> {
  if (asked.place_id.length === 0 && asked.teachers.length === 0) throw fail(publishingErrors.whereMissing)
  const ids = (await requireChosen(ctx, asked.resource_id)).map(one => one.resource_id)
  const places = await requirePlaces(ctx, asked.place_id)
  await requireTeachers(ctx, asked.teachers)
  const closed = await closeUsages(ctx, ids, { place_ids: places.map(place => place.place_id), user_ids: asked.teachers })
  if (closed === 0) throw fail(publishingErrors.usageGone)
  const boards = places.length === 0 ? 0 : await followUsages(ctx, ids, { by: ctx.me.user_id, pace: 'now' })
  ctx.note({ target_kind: 'publishing.resource', target_name: `取消发布 ${closed}处` })
  return { stopping: closed, boards }
}

type Where = { place_ids: readonly string[]; user_ids: readonly string[] }

/** Ends what is shown now, everywhere without `where`. */
async function closeUsages({ db, school_id, now, me }: PublishingCtx, resource_ids: readonly string[], where?: Where): Promise<number> {
  const which =
    where === undefined
      ? sql`true`
      : sql`(u.place_id = any(${[...where.place_ids]}::bigint[]) or u.user_serial = any(${[...where.user_ids]}::bigint[]))`
  const { rows } = await sql`
    update publishing_usage u set valid_to = greatest(u.valid_from, ${now}::timestamptz), cancelled_by = ${me.user_id}
      where u.school_id = ${school_id} and u.resource_id = any(${[...resource_ids]}::bigint[]) and u.valid_to is null
      and ${which} returning u.usage_id`.execute(
    db,
  )
  return rows.length
}

/** How far a resource has come in each room, by the words of its boards: of several the one that is furthest behind. */
const deliveredTo = ({ school_id }: PublishingCtx, resource_id: string) => sql`
  select v.place_id, min(d.state)::int as state, max(d.last_played_at) as last_played_at from publishing_delivery d
  join publishing_content c on c.school_id = ${school_id} and c.content_id = d.content_id
  join device_live_v v on v.school_id = ${school_id} and v.device_id = d.device_id
  where d.school_id = ${school_id} and c.resource_id = ${resource_id} and c.state = 1 and d.stop_requested_at is null group by v.place_id`

/** Where one resource is shown now. */
export async function readPublished(
  ctx: PublishingCtx,
  { resource_id }: { resource_id: string },
): Promise<Reply<typeof educationApi.published>> {
  const { db, school_id } = ctx
  await findChosen(ctx, [resource_id])
  const places = await sql`
    select u.place_id::text as place_id, coalesce(p.node_path_name, '已撤销场所') as place_name, u.valid_from as since,
      coalesce(${hasBoard(ctx)}, false) as has_board, s.state, s.last_played_at from publishing_usage u
    left join place_live_v p on p.school_id = ${school_id} and p.place_id = u.place_id
    left join (${deliveredTo(ctx, resource_id)}) s on s.place_id = u.place_id
    where u.school_id = ${school_id} and u.resource_id = ${resource_id} and u.place_id is not null and u.valid_to is null
      order by p.node_path`.execute(
    db,
  )
  const teachers = await sql`
    select u.user_serial::text as user_serial, coalesce(n.display_name, '') as name, u.valid_from as since from publishing_usage u
    left join person_label n on n.school_id = ${school_id} and n.user_id = u.user_serial
    where u.school_id = ${school_id} and u.resource_id = ${resource_id} and u.user_serial is not null and u.valid_to is null
      order by n.display_name`.execute(
    db,
  )
  const told = { has_board: z.boolean(), state: z.number().nullable(), last_played_at: instant.nullable() }
  const Place = z.object({ place_id: z.string(), place_name: z.string(), since: instant, ...told })
  const Teacher = z.object({ user_serial: z.string(), name: z.string(), since: instant })
  return { places: z.array(Place).parse(places.rows), teachers: z.array(Teacher).parse(teachers.rows) }
}

/** The places of the acting identity as a tree, with those that have a board. */
export async function listPublishPlaces(ctx: PublishingCtx): Promise<Reply<typeof resourceApi.places>> {
  await libraryScope(ctx)
  const { rows } = await sql<Reply<typeof resourceApi.places>['list'][number]>`
    select p.place_id::text as place_id, p.superior_id::text as superior_id, p.place_name, b.place_id is not null as has_board,
      coalesce(b.online, false) as online, p.is_leaf as is_room
    from place_live_v p left join (${boardsOf(ctx)}) b on b.place_id = p.place_id
    where p.school_id = ${ctx.school_id} and ${inPlaces('p.node_path', await placeScope(ctx))} order by p.node_path`.execute(ctx.db)
  return { list: rows }
}

/** What goes with a deletion: who looks at it before (chapter 60 rule 30). */
export async function readImpact(
  ctx: PublishingCtx,
  { resource_ids }: { resource_ids: readonly string[] },
): Promise<Reply<typeof resourceApi.impact>> {
  const { db, school_id } = ctx
  const chosen = resource_ids.length === 0 ? [] : await findChosen(ctx, resource_ids)
  const ids = chosen.map(one => one.resource_id)
  const places = await sql<{ place_name: string; has_board: boolean }>`
    select coalesce(p.node_path_name, '已撤销场所') as place_name, coalesce(${hasBoard(ctx)}, false) as has_board
      from (select distinct u.place_id from publishing_usage u
      where u.school_id = ${school_id} and u.resource_id = any(${ids}::bigint[]) and u.valid_to is null and u.place_id is not null) u
    left join place_live_v p on p.school_id = ${school_id} and p.place_id = u.place_id order by p.node_path`.execute(db)
  const teachers = await sql<{ name: string }>`
    select distinct coalesce(n.display_name, '') as name from publishing_usage u left join person_label n
      on n.school_id = ${school_id} and n.user_id = u.user_serial
    where u.school_id = ${school_id} and u.resource_id = any(${ids}::bigint[]) and u.valid_to is null
      and u.user_serial is not null order by 1`.execute(
    db,
  )
  const notices = await sql<{ title: string }>`
    select v.title from publishing_attachment a join publishing_post_rev v on v.school_id = ${school_id} and v.post_id = a.post_id
      and v.rev = a.rev
    where a.school_id = ${school_id} and v.published and a.file_key = any(${chosen.map(one => one.cdn_name)}::text[])
      order by v.post_id, v.rev`.execute(
    db,
  )
  const [place_names, teacher_names, notice_titles] = [
    places.rows.map(row => row.place_name),
    teachers.rows.map(row => row.name),
    [...new Set(notices.rows.map(row => row.title))],
  ]
  return {
    places: place_names.length,
    boards: places.rows.filter(row => row.has_board).length,
    teachers: teacher_names.length,
    notices: notice_titles.length,
    place_names: place_names.slice(0, most_named),
    teacher_names: teacher_names.slice(0, most_named),
    notice_titles: notice_titles.slice(0, most_named),
  }
}

/** Puts resources into the bin for thirty days; what shows them is closed at once (chapter 60 rule 30). @throws Refusal 404 */
export async function removeResources(
  ctx: PublishingCtx,
  { resource_type, resource_ids }: Input<typeof resourceApi.remove>,
): Promise<Reply<typeof resourceApi.remove>> {
  const { app, db, school_id, now, me } = ctx
  if (resource_ids.length === 0) throw fail(publishingErrors.nothingChosen)
  const chosen = await requireChosen(ctx, resource_ids, { edit: true })
  if (chosen.some(one => one.resource_type !== resource_type)) throw fail(commonErrors.notFound)
  const ids = chosen.map(one => one.resource_id)
  const stopping = await closeUsages(ctx, ids)
  await db
    .updateTable('publishing_resource')
    .set({ state: state.bin, deleted_at: now, deleted_by: me.user_id, row_version: sql<number>`row_version + 1` })
    .where('school_id', '=', school_id)
    .where('resource_id', 'in', ids)
    .execute()
  await followUsages(ctx, ids, { by: me.user_id, pace: 'now' })
  await followAlbums(
    ctx,
    chosen.map(one => one.folder_id),
  )
  for (const resource_id of ids) await setTimer({ app, db, school_id }, purgeTimerOf(resource_id, now))
  await publish(ctx, publishingEvents.resourceDeleted, { resource_ids: ids })
  ctx.note({
    target_kind: 'publishing.resource',
    target_name: chosen
      .map(one => one.resource_name)
      .join('、')
      .slice(0, 200),
    reason: `${bin_days}天后彻底清除`,
  })
  return { removed: ids.length, stopping }
}

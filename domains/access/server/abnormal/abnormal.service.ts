import { accessErrors, AbnormalRow } from '@campus/access/contract'
import type { abnormalApi, abnormalList } from '@campus/access/contract'
import { deptScope, inScope } from '@campus/people/server'
import { inPlaces, placeScope } from '@campus/places/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { nameHas, nameKeyOf } from '@kit/server/db'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { z } from 'zod'
import type { AccessCtx } from '../db.ts'

type Query = z.output<typeof abnormalList.query>
const instant = z.date().transform(at => at.toISOString())
const Found = AbnormalRow.extend({ at: instant, handled_at: instant.nullable() })
const waits = 0

/** Findings `a` about people whom he looks after, by their department of then; about others by the place of the door. */
async function seenOf(ctx: AccessCtx): Promise<RawBuilder<boolean>> {
  const { school_id } = ctx
  const [student, staff, places] = [await deptScope(ctx, 'student'), await deptScope(ctx, 'staff'), await placeScope(ctx)]
  const at_door =
    places === 'all'
      ? sql`true`
      : sql`exists (select 1 from place_live_v w where w.school_id = ${school_id} and w.place_id = a.place_id
        and ${inPlaces('w.node_path', places)})`
  return sql<boolean>`a.school_id = ${school_id} and ((a.subject_kind = 1 and ${inScope('a.dept_id', student)})
    or (a.subject_kind in (2, 6, 7) and ${inScope('a.dept_id', staff)})
    or (coalesce(a.subject_kind, 5) in (3, 4, 5) and ${at_door}))`
}

/** What passes say that somebody should look at: what waits first, the gravest and latest of it. */
export async function listAbnormals(
  ctx: AccessCtx,
  { keyword, kind, state, from, to, page_index, page_size }: Query,
): Promise<Reply<typeof abnormalApi.list>> {
  const { db, school_id } = ctx
  const where = sql`${await seenOf(ctx)} and ${kind === undefined ? sql`true` : sql`a.kind = ${Number(kind)}`}
    and ${state === undefined ? sql`true` : sql`a.state = ${Number(state)}`}
    and ${from === undefined ? sql`true` : sql`a.window_start >= ${new Date(`${from}T00:00:00+08:00`)}`}
      and ${to === undefined ? sql`true` : sql`a.window_start < ${new Date(`${to}T24:00:00+08:00`)}`}
    and ${
      keyword === undefined
        ? sql`true`
        : sql`exists (
      select 1 from person_label k where k.school_id = ${school_id} and k.user_id = a.subject_id and a.subject_kind <> 4
        and ${nameHas(nameKeyOf('k.display_name'), keyword)})`
    }`
  const { rows } = await sql`
    with a as materialized (select a.* from access_abnormal a where ${where}
      order by a.state > 0, a.window_start desc, a.severity desc, a.abnormal_id limit ${page_size} offset ${(page_index - 1) * page_size})
    select a.abnormal_id::text, a.kind::int, a.severity::int, a.subject_id::text as user_id, coalesce(v.visitor_name,
      l.display_name) as user_name, d.dept_name, w.node_path_name as place_name, a.window_start as at,
      cardinality(a.evidence) as passes, a.evidence::text[] as evidence, a.detail, a.state::int, a.note, h.display_name as handled_by_name, a.handled_at
    from a
    left join person_label l on l.school_id = ${school_id} and l.user_id = a.subject_id and a.subject_kind <> 4
    left join visitor_apply y on y.school_id = ${school_id} and y.subject_id = a.subject_id and a.subject_kind = 4
    left join visitor v on v.school_id = ${school_id} and v.visitor_id = y.visitor_id
    left join dept_now d on d.school_id = ${school_id} and d.id = a.dept_id
    left join place_path_v w on w.school_id = ${school_id} and w.place_id = a.place_id
    left join person_label h on h.school_id = ${school_id} and h.user_id = a.handled_by
    order by a.state > 0, a.window_start desc, a.severity desc, a.abnormal_id`.execute(db)
  const counted = await sql<{ total: number }>`select count(*)::int as total from access_abnormal a where ${where}`.execute(db)
  return { list: z.array(Found).parse(rows), total: counted.rows[0]?.total ?? 0 }
}

/** How many wait, by kind. */
export async function countAbnormals(ctx: AccessCtx): Promise<Reply<typeof abnormalApi.count>> {
  const { rows } = await sql<{ kind: number; count: number }>`
    select a.kind::int, count(*)::int as count from access_abnormal a where ${await seenOf(ctx)}
      and a.state = ${waits} group by a.kind order by a.kind`.execute(ctx.db)
  return { waiting: rows.reduce((sum, row) => sum + row.count, 0), list: rows }
}

/**
 * Says what findings were and what was done. A true one may be dealt with later. @throws Refusal 404, 409 abnormalDone for one that
 * somebody has dealt with
 */
export async function handleAbnormals(
  ctx: AccessCtx,
  { ids, state, note }: Input<typeof abnormalApi.handle>,
): Promise<Reply<typeof abnormalApi.handle>> {
  const { db, school_id, now, me } = ctx
  const { rows } = await sql<{
    state: number
  }>`select a.state::int from access_abnormal a where ${await seenOf(ctx)} and a.abnormal_id = any(${ids}::bigint[])`.execute(db)
  if (rows.length < new Set(ids).size) throw fail(commonErrors.notFound)
  const changed = await db
    .updateTable('access_abnormal')
    .set({ state, note, handled_by: me.user_id, handled_at: now })
    .where('school_id', '=', school_id)
    .where('abnormal_id', 'in', ids)
    .where(eb => eb.or([eb('state', '=', waits), eb.and([eb('state', '=', 1), eb.val(state === 3)])]))
    .executeTakeFirstOrThrow()
  if (Number(changed.numUpdatedRows) < new Set(ids).size) throw fail(accessErrors.abnormalDone)
  ctx.note({ target_kind: 'access.abnormal', target_id: ids[0] ?? '', reason: note, after: { ids, state } })
  return { handled: ids.length }
}

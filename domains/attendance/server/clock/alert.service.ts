import { AlertRow, OutageRow, ruleErrors } from '@campus/attendance/contract'
import type { alertApi, outageApi } from '@campus/attendance/contract'
import { deptScope, inScope } from '@campus/people/server'
import { inPlaces, placeScope } from '@campus/places/server'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import { z } from 'zod'
import type { AttendanceCtx } from '../db.ts'
import { markDays } from '../recompute/dirty.ts'
import { dayEnd, dayStart } from '../recompute/group.ts'

const instant = z.date().transform(at => at.toISOString())
const Alert = AlertRow.extend({ raised_at: instant, closed_at: instant.nullable(), ack_at: instant.nullable() })
const Outage = OutageRow.extend({ begin_at: instant, end_at: instant.nullable() })

/** Alerts of the classes the acting identity may see, the open ones first. */
export async function pageAlerts(
  ctx: AttendanceCtx, { page_index, page_size, kind, state, from, to }: Input<typeof alertApi.page>,
): Promise<Reply<typeof alertApi.page>> {
  const { db, school_id } = ctx
  const scope = await deptScope(ctx, 'student')
  const where = [
    sql`a.school_id = ${school_id} and ${inScope('a.dept_id', scope)}`, kind === undefined
      ? sql`true`
      : sql`a.kind = ${kind}`, state === undefined
      ? sql`true`
      : state === 'open'
      ? sql`a.ack_at is null and a.closed_at is null`
      : sql`(a.ack_at is not null or a.closed_at is not null)`,
    from === undefined ? sql`true` : sql`a.alert_date >= ${from}::date`, to === undefined ? sql`true` : sql`a.alert_date <= ${to}::date`,
  ]
  const { rows } = await sql<{ total: number }>`
    select a.alert_id::text as alert_id, a.kind, a.user_id::text as user_id, p.display_name as user_name, a.dept_id::text as dept_id,
      d.dept_name, a.text, a.raised_at, a.closed_at, h.display_name as ack_by_name, a.ack_note, a.ack_at,
      count(*) over ()::int as total
    from attend_alert a
    left join person_label p on p.school_id = ${school_id} and p.user_id = a.user_id
    left join dept_now d on d.school_id = ${school_id} and d.id = a.dept_id
    left join person_label h on h.school_id = ${school_id} and h.user_id = a.ack_by
    where ${sql.join(where, sql` and `)} order by (a.ack_at is null and a.closed_at is null) desc, a.raised_at desc, a.alert_id desc limit ${page_size} offset ${(page_index - 1) * page_size}`.execute(db)
  return { list: z.array(Alert).parse(rows), total: rows[0]?.total ?? 0 }
}

/** Somebody looks after it. @throws Refusal 404, 409 alertClosed */
export async function ackAlert(ctx: AttendanceCtx, { id, note }: Input<typeof alertApi.ack>): Promise<Record<string, never>> {
  const { db, school_id, now, me } = ctx
  const scope = await deptScope(ctx, 'student')
  const alert = await db.selectFrom('attend_alert as a').select(['a.text', 'a.ack_at']).where('a.school_id', '=', school_id)
    .where('a.alert_id', '=', id).where(inScope('a.dept_id', scope)).forUpdate().executeTakeFirst()
  if (!alert) throw fail(commonErrors.notFound)
  if (alert.ack_at !== null) throw fail(ruleErrors.alertClosed)
  await db.updateTable('attend_alert').set({ ack_by: me.user_id, ack_at: now, ack_note: note }).where('school_id', '=', school_id)
    .where('alert_id', '=', id).execute()
  ctx.note({ target_kind: 'attendance.alert', target_id: id, target_name: alert.text, after: { note } })
  return {}
}

/** When places or devices could see nothing, the latest first; `rows`: results that wait because of it. */
export async function pageOutages(
  ctx: AttendanceCtx, { page_index, page_size, from, to }: Input<typeof outageApi.page>,
): Promise<Reply<typeof outageApi.page>> {
  const { db, school_id } = ctx
  const scope = await placeScope(ctx)
  const where = [
    sql`o.school_id = ${school_id} and ${inPlaces('p.node_path', scope)}`, from === undefined
      ? sql`true`
      : sql`coalesce(o.end_at, 'infinity') >= ${dayStart(from)}`, to === undefined
      ? sql`true`
      : sql`o.begin_at < ${dayEnd(to)}`,
  ]
  const { rows } = await sql<{ total: number }>`
    select o.outage_id::text as outage_id, o.place_id::text as place_id, p.place_name, o.device_id::text as device_id, l.device_name,
      o.begin_at, o.end_at, o.basis, o.reason, count(*) over ()::int as total,
      (select count(*)::int from attend_result r where r.school_id = ${school_id} and r.state = 10 and r.place_id = coalesce_place.place_id
        and r.lesson_date between (o.begin_at at time zone 'Asia/Shanghai')::date and (coalesce(o.end_at,
          o.begin_at) at time zone 'Asia/Shanghai')::date) as rows
    from attend_outage o
    left join device_live_v l on l.school_id = ${school_id} and l.device_id = o.device_id
    join lateral (select coalesce(o.place_id, l.place_id) as place_id) coalesce_place on true
    left join place_live_v p on p.school_id = ${school_id} and p.place_id = coalesce_place.place_id
    where ${sql.join(where, sql` and `)} order by o.begin_at desc, o.outage_id desc limit ${page_size} offset ${(page_index - 1) * page_size}`.execute(db)
  return { list: z.array(Outage).parse(rows), total: rows[0]?.total ?? 0 }
}

/**
 * A place that could see nothing for a while, by word: nobody is absent there for it (chapter 55 §3.9). @throws Refusal 404, 422 outageSpan
 */
export async function declareOutage(
  ctx: AttendanceCtx, { place_id, begin_at, end_at, reason }: Input<typeof outageApi.declare>,
): Promise<Record<string, never>> {
  const { db, school_id, now, me } = ctx
  const scope = await placeScope(ctx)
  const [begin, end] = [new Date(begin_at), new Date(end_at)]
  const place = await db.selectFrom('place_live_v as p').select('p.place_name').where('p.school_id', '=', school_id)
    .where('p.place_id', '=', place_id).where(inPlaces('p.node_path', scope)).executeTakeFirst()
  if (!place) throw fail(commonErrors.notFound)
  if (end <= begin) throw fail(ruleErrors.outageSpan, { errors: [{ field: 'end_at', msg: ruleErrors.outageSpan.msg }] })
  await db.insertInto('attend_outage')
    .values({ school_id, place_id, begin_at: begin, end_at: end, basis: 'declared', reason, created_by: me.user_id, created_at: now })
    .execute()
  await markDays(ctx, schoolDay(begin), schoolDay(end), 'late_event')
  ctx.note({ target_kind: 'attendance.outage', target_id: place_id, target_name: place.place_name, reason, after: { begin_at, end_at } })
  return {}
}

/** It was no outage, or it is over now: what was declared ends at this moment at the latest. @throws Refusal 404 */
export async function closeOutage(ctx: AttendanceCtx, id: string): Promise<Record<string, never>> {
  const { db, school_id, now } = ctx
  const scope = await placeScope(ctx)
  const { rows } = await sql<{ begin_at: Date; end_at: Date | null; place_name: string | null }>`
    select o.begin_at, o.end_at, p.place_name from attend_outage o
    left join device_place_v v on v.school_id = ${school_id} and v.device_id = o.device_id and v.valid_to is null
    left join place_live_v p on p.school_id = ${school_id} and p.place_id = coalesce(o.place_id, v.place_id)
    where o.school_id = ${school_id} and o.outage_id = ${id} and ${inPlaces('p.node_path', scope)}`.execute(db)
  const [row] = rows
  if (!row) throw fail(commonErrors.notFound)
  const end_at = new Date(Math.max(row.begin_at.getTime() + 1000, Math.min(now.getTime(), row.end_at?.getTime() ?? now.getTime())))
  await db.updateTable('attend_outage').set({ end_at, closed_at: now, row_version: sql<number>`row_version + 1` })
    .where('school_id', '=', school_id).where('outage_id', '=', id).execute()
  await markDays(ctx, schoolDay(row.begin_at), schoolDay(now), 'late_event')
  ctx.note({ target_kind: 'attendance.outage', target_id: id, target_name: row.place_name ?? '' })
  return {}
}

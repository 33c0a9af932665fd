import { ruleErrors } from '@campus/attendance/contract'
import type { exemptApi, pointApi, PointRow } from '@campus/attendance/contract'
import { addDays } from '@campus/calendar/contract'
import { deptScope, inScope } from '@campus/people/server'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { pageTotal } from '@kit/server/db'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { z } from 'zod'
import type { AttendanceCtx } from '../db.ts'
import { markDays } from '../recompute/dirty.ts'
import { clock_types, teaching_kinds } from '../recompute/places.ts'

const Point = z.object({
  device_id: z.string(), device_name: z.string(), device_type: z.string(), place_id: z.string().nullable(), place_name: z.string().nullable(), use: z.enum(['both', 'lesson', 'clock', 'none']), is_set: z.boolean(),
  online: z.boolean(), drained_to: z.date().nullable().transform(at => at?.toISOString() ?? null),
})
const Exempt = z.object({
  exempt_id: z.string(), user_id: z.string(), user_name: z.string(), dept_name: z.string().nullable(), kind: z.enum(['course', 'clock']).nullable(), weekdays: z.string().nullable(), valid_from: z.string(), valid_to: z.string(), reason: z.string(),
})

/** Terminals, boards and card clocks of the school, with whether they count for attendance today. */
export async function listPoints(
  { db, school_id, now }: AttendanceCtx, { page_index, page_size, keyword }: Input<typeof pointApi.list>,
): Promise<Reply<typeof pointApi.list>> {
  const today = schoolDay(now)
  const named = keyword === undefined
    ? sql`true`
    : sql`(strpos(l.device_name, ${keyword}) > 0 or strpos(coalesce(p.place_name, ''), ${keyword}) > 0)`
  const page = (limit: number, offset: number) => sql<{ total: number }>`
    select l.device_id::text as device_id, l.device_name, l.device_type, coalesce(q.place_id, l.place_id)::text as place_id, p.place_name,
      coalesce(q.use, case when p.place_kind = any(${[...teaching_kinds]}::int[]) then 'both' else 'none' end) as use,
        q.device_id is not null as is_set, l.online, w.drained_to, count(*) over ()::int as total
    from device_live_v l
    join device_drain_v w on w.school_id = ${school_id} and w.device_id = l.device_id
    left join place_live_v p on p.school_id = ${school_id} and p.place_id = l.place_id
    left join attend_point q on q.school_id = ${school_id} and q.device_id = l.device_id and q.valid_from <= ${today}::date
      and (q.valid_to is null or q.valid_to > ${today}::date)
    where l.school_id = ${school_id} and l.device_type = any(${[...clock_types]}::text[]) and ${named}
    order by p.place_name nulls last, l.device_id limit ${limit} offset ${offset}`.execute(db)
  const { rows } = await page(page_size, (page_index - 1) * page_size)
  const list: PointRow[] = z.array(Point).parse(rows)
  return { list, total: await pageTotal(rows, page_index, async () => (await page(1, 0)).rows) }
}

/** What a device counts for from today on. @throws Refusal 404, 422 pointDevice */
export async function savePoint(ctx: AttendanceCtx, { device_id, use }: Input<typeof pointApi.save>): Promise<Record<string, never>> {
  const { db, school_id, now } = ctx
  const today = schoolDay(now)
  const device = await db.selectFrom('device_live_v').select(['device_name', 'device_type', 'place_id', 'direction'])
    .where('school_id', '=', school_id).where('device_id', '=', device_id).executeTakeFirst()
  if (!device) throw fail(commonErrors.notFound)
  if (device.place_id === null || !clock_types.includes(device.device_type)) throw fail(ruleErrors.pointDevice)
  await db.deleteFrom('attend_point').where('school_id', '=', school_id).where('device_id', '=', device_id).where('valid_from', '>=', today)
    .execute()
  await db.updateTable('attend_point').set({ valid_to: today }).where('school_id', '=', school_id).where('device_id', '=', device_id)
    .where(eb => eb.or([eb('valid_to', 'is', null), eb('valid_to', '>', today)])).execute()
  const way = device.direction === 1 || device.direction === 2 ? device.direction : 0
  await db.insertInto('attend_point').values({ school_id, device_id, place_id: device.place_id, use, direction: way, valid_from: today })
    .execute()
  await markDays(ctx, today, today, 'rule', device_id)
  ctx.note({ target_kind: 'attendance.point', target_id: device_id, target_name: device.device_name, after: { use } })
  return {}
}

/** Who need not clock, as far as the acting identity may see them. */
export async function listExempts(
  ctx: AttendanceCtx, { page_index, page_size, keyword }: Input<typeof exemptApi.list>,
): Promise<Reply<typeof exemptApi.list>> {
  const { db, school_id } = ctx
  const seen = await seenPeople(ctx)
  const named = keyword === undefined ? sql`true` : sql`strpos(l.display_name, ${keyword}) > 0`
  const page = (limit: number, offset: number) => sql<{ total: number }>`
    select x.exempt_id::text as exempt_id, x.user_id::text as user_id, l.display_name as user_name, l.last_dept_name as dept_name, x.kind,
      x.weekdays, x.valid_from::text as valid_from,
      (x.valid_to - 1)::text as valid_to, x.reason, count(*) over ()::int as total
    from attend_exempt x join person_label l on l.school_id = ${school_id} and l.user_id = x.user_id
    where x.school_id = ${school_id} and ${named} and x.user_id in (${seen})
    order by x.valid_to desc, x.exempt_id desc limit ${limit} offset ${offset}`.execute(db)
  const { rows } = await page(page_size, (page_index - 1) * page_size)
  return { list: z.array(Exempt).parse(rows), total: await pageTotal(rows, page_index, async () => (await page(1, 0)).rows) }
}

/** @throws Refusal 404, 409 exemptOverlap */
export async function addExempt(ctx: AttendanceCtx, { valid_to, ...draft }: Input<typeof exemptApi.add>): Promise<Record<string, never>> {
  const { db, school_id, now, me } = ctx
  const { rows } = await sql<{ user_id: string; person_kind: number; user_name: string }>`
    select l.user_id::text as user_id, min(l.person_kind)::int as person_kind, min(l.user_name) as user_name from live_person l
    where l.school_id = ${school_id} and l.user_id = ${draft.user_id} and l.person_kind in (1, 2, 6)
      and l.user_id in (${await seenPeople(ctx)}) group by l.user_id`.execute(db)
  const [person] = rows
  if (!person) throw fail(commonErrors.notFound)
  await db.insertInto('attend_exempt')
    .values({
      ...draft, school_id, person_kind: person.person_kind === 1 ? 1 : 2, valid_to: addDays(valid_to, 1), created_at: now,
      created_by: me.user_id,
    })
    .execute()
  await markDays(ctx, draft.valid_from, schoolDay(now), 'rule')
  ctx.note({
    target_kind: 'attendance.exempt', target_id: draft.user_id, target_name: person.user_name, reason: draft.reason,
    after: { ...draft, valid_to },
  })
  return {}
}

/** It ends today; days before keep it. @throws Refusal 404 */
export async function removeExempt(ctx: AttendanceCtx, id: string): Promise<Record<string, never>> {
  const { db, school_id, now } = ctx
  const today = schoolDay(now)
  const { rows } = await sql<{ user_id: string; valid_from: string }>`
    select x.user_id::text as user_id, x.valid_from::text as valid_from from attend_exempt x where x.school_id = ${school_id}
      and x.exempt_id = ${id} and x.user_id in (${await seenPeople(ctx)})`.execute(db)
  const [row] = rows
  if (!row) throw fail(commonErrors.notFound)
  if (row.valid_from >= today) await db.deleteFrom('attend_exempt').where('school_id', '=', school_id).where('exempt_id', '=', id).execute()
  else await db.updateTable('attend_exempt').set({ valid_to: sql<string>`least(valid_to, ${today}::date)` })
    .where('school_id', '=', school_id).where('exempt_id', '=', id).execute()
  await markDays(ctx, today, today, 'rule')
  ctx.note({ target_kind: 'attendance.exempt', target_id: row.user_id })
  return {}
}

/** People the acting identity may see: pupils by class, staff by department. */
async function seenPeople(ctx: AttendanceCtx): Promise<RawBuilder<unknown>> {
  const { school_id } = ctx
  const [student, staff] = [await deptScope(ctx, 'student'), await deptScope(ctx, 'staff')]
  return sql`select s.user_id from live_person s where s.school_id = ${school_id} and ((s.person_kind = 1 and ${inScope('s.label_dept_id', student)}) or (s.person_kind in (2, 6) and ${inScope('s.label_dept_id', staff)}))`
}

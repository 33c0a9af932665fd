import { accessErrors, most_counted, most_days_of_one, PassRow } from '@campus/access/contract'
import type { passApi, PassQuery, TurnoverKind } from '@campus/access/contract'
import { deptScope, inScope } from '@campus/people/server'
import { inPlaces, placeScope } from '@campus/places/server'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { nameHas, nameKeyOf } from '@kit/server/db'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { z } from 'zod'
import type { PassCtx } from './db.ts'

const day_ms = 86_400_000
const [usual_days, most_days] = [7, 31] as const
const most_exported = 100_001
/** PERSON_KIND of each report. */
export const kinds_of: Readonly<Record<TurnoverKind, readonly number[]>> = { student: [1], teacher: [2, 6, 7, 3], stranger: [5], visitor: [4] }

type Span = { from: Date; to: Date }
type Key = { event_date: string; device_id: string; device_seq: string }

/** The asked days, the last week where nothing is asked. @throws Refusal rangeTooWide, rangeReversed */
export function spanOf(now: Date, { from, to }: { from?: string | undefined; to?: string | undefined }, most: number = most_days): Span {
  const until = new Date(`${to ?? schoolDay(now)}T24:00:00+08:00`)
  const since = from === undefined ? new Date(until.getTime() - usual_days * day_ms) : new Date(`${from}T00:00:00+08:00`)
  if (since >= until) throw fail(commonErrors.rangeReversed, { errors: [{ field: 'to', msg: commonErrors.rangeReversed.msg }] })
  if (until.getTime() - since.getTime() > most * day_ms) throw fail(accessErrors.rangeTooWide, { params: { n: most }, errors: [{ field: 'to', msg: accessErrors.rangeTooWide.msg.replace('{n}', String(most)) }] })
  return { from: since, to: until }
}

/** Who may be seen in a report: people by the department of then, those without one by the door they passed. */
export async function seenOf(ctx: PassCtx, kind: TurnoverKind): Promise<RawBuilder<boolean>> {
  const { school_id } = ctx
  if (kind === 'student' || kind === 'teacher') {
    const scope = await deptScope(ctx, kind === 'student' ? 'student' : 'staff')
    return scope === 'all' ? sql<boolean>`true` : inScope('p.dept_id', scope)
  }
  const scope = await placeScope(ctx)
  if (scope === 'all') return sql<boolean>`true`
  return sql<boolean>`exists (select 1 from place_live_v w where w.school_id = ${school_id} and w.place_id = p.place_id and ${inPlaces('w.node_path', scope)})`
}

/** Passes `p` in a span by the moment they happened; a wrong clock that can be put right is wrong by two days at most, so that two months are touched. */
export function passesIn(school_id: number, { from, to }: Span): RawBuilder<boolean> {
  return sql<boolean>`p.school_id = ${school_id}
    and p.event_date between ${schoolDay(new Date(from.getTime() - 2 * day_ms))}::date and ${schoolDay(new Date(to.getTime() + day_ms))}::date
    and p.event_time >= ${from}::timestamptz and p.event_time < ${to}::timestamptz`
}

/** People whose name or number is looked for. */
export function named(school_id: number, column: RawBuilder<unknown>, keyword: string | undefined): RawBuilder<boolean> {
  if (keyword === undefined) return sql<boolean>`true`
  return sql<boolean>`${column} in (
    select u.user_id from school_user_v u where u.school_id = ${school_id} and (${nameHas(nameKeyOf('u.user_name'), keyword)} or starts_with(upper(u.user_no), ${keyword.toUpperCase()})))`
}

/** @throws Refusal 404 for a department or place that is not there */
export async function requireRefs({ db, school_id }: PassCtx, { dept_id, place_id }: { dept_id?: string | undefined; place_id?: string | undefined }): Promise<void> {
  const dept = dept_id === undefined ? true : await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).where('id', '=', dept_id).executeTakeFirst()
  const place = place_id === undefined ? true : await db.selectFrom('place_live_v').select('place_id').where('school_id', '=', school_id).where('place_id', '=', place_id).executeTakeFirst()
  if (!dept || !place) throw fail(commonErrors.notFound)
}

/** A department with everything below it. */
export function inDept(school_id: number, column: RawBuilder<unknown>, dept_id: string | undefined): RawBuilder<boolean> {
  if (dept_id === undefined) return sql<boolean>`true`
  return sql<boolean>`${column} in (
    select c.id from dept_now c join dept_now r on r.school_id = ${school_id} and r.id = ${dept_id}
    where c.school_id = ${school_id} and c.node_path >= r.node_path and c.node_path < left(r.node_path, -1) || '0')`
}

function inPlace(school_id: number, place_id: string | undefined): RawBuilder<boolean> {
  if (place_id === undefined) return sql<boolean>`true`
  return sql<boolean>`p.place_id in (
    select c.place_id from place_live_v c join place_live_v r on r.school_id = ${school_id} and r.place_id = ${place_id}
    where c.school_id = ${school_id} and c.node_path >= r.node_path and c.node_path < left(r.node_path, -1) || '0')`
}

async function whereOf(ctx: PassCtx, kind: TurnoverKind, query: Omit<PassQuery, 'page_index' | 'page_size'>): Promise<RawBuilder<unknown>> {
  const { school_id, now } = ctx
  const { keyword, dept_id, place_id, direction, result, user_id, from, to } = query
  await requireRefs(ctx, query)
  const span = spanOf(now, { from, to }, user_id === undefined ? most_days : most_days_of_one)
  return sql.join([
    passesIn(school_id, span),
    sql`p.subject_kind = any(${[...kinds_of[kind]]}::smallint[])`,
    await seenOf(ctx, kind),
    named(school_id, sql`p.subject_id`, keyword), inDept(school_id, sql`p.dept_id`, dept_id), inPlace(school_id, place_id),
    ...(user_id === undefined ? [] : [sql`p.subject_id = ${user_id}`]),
    ...(direction === undefined ? [] : [sql`p.direction = ${Number(direction)}`]),
    ...(result === undefined ? [] : [sql`p.result::text = ${result}`]),
  ], sql` and `)
}

/** One page of passes, the latest first, counted up to 10,001; pages further than that by `cursor` (chapter 35 R38). @throws Refusal rangeTooWide, pageTooDeep, 404 */
export async function pagePasses(ctx: PassCtx, kind: TurnoverKind, query: PassQuery): Promise<{ list: PassRow[]; total: number }> {
  const { page_index, page_size, cursor, ...filters } = query
  if (cursor === undefined && page_index * page_size > most_counted + page_size) throw fail(accessErrors.pageTooDeep)
  const where = await whereOf(ctx, kind, filters)
  const behind = cursor === undefined ? sql`` : await behindOf(ctx, cursor)
  const offset = cursor === undefined ? (page_index - 1) * page_size : 0
  const list = await readRows(ctx, sql`${where}${behind}`, { limit: page_size, offset })
  return { list, total: await countRows(ctx, where, most_counted) }
}

/** The same unpaged, for the sheet. */
export async function sheetPasses(ctx: PassCtx, kind: TurnoverKind, { page_index, page_size, cursor: _cursor, ...filters }: PassQuery): Promise<{ list: PassRow[]; total: number }> {
  const where = await whereOf(ctx, kind, filters)
  return { list: await readRows(ctx, where, { limit: page_size, offset: (page_index - 1) * page_size }), total: await countRows(ctx, where, most_exported) }
}

async function behindOf({ db, school_id }: PassCtx, cursor: string): Promise<RawBuilder<unknown>> {
  const { event_date, device_id, device_seq } = keyOf(cursor)
  const row = await db.selectFrom('access_pass').select(sql<string | null>`event_time::text`.as('at')).where('school_id', '=', school_id).where('event_date', '=', event_date).where('device_id', '=', device_id).where('device_seq', '=', device_seq).executeTakeFirst()
  if (!row) throw fail(commonErrors.notFound)
  return sql` and (p.event_time, p.device_id, p.device_seq) < (${row.at}::timestamptz, ${device_id}::bigint, ${device_seq})`
}

function keyOf(text: string): Key {
  const [event_date = '', device_id = '', ...rest] = text.split('/')
  return { event_date, device_id, device_seq: rest.join('/') }
}

async function countRows({ db }: PassCtx, where: RawBuilder<unknown>, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from (select 1 as one from access_pass p where ${where} limit ${most}) c`.execute(db)
  return rows[0]?.n ?? 0
}

const instant = z.date().transform(at => at.toISOString())
const Found = PassRow.extend({ at: instant, received_at: instant })

/** Rows with the names of what they are about, in their order: the latest first. `where` speaks of `p`. */
export async function readRows({ db, school_id }: Pick<PassCtx, 'db' | 'school_id'>, where: RawBuilder<unknown>, { limit, offset = 0, order }: { limit: number; offset?: number; order?: RawBuilder<unknown> }): Promise<PassRow[]> {
  const by = order ?? sql`p.event_time desc, p.device_id desc, p.device_seq desc`
  const { rows } = await sql`
    with p as materialized (select p.* from access_pass p where ${where} order by ${by} limit ${limit} offset ${offset})
    select p.event_date::text || '/' || p.device_id || '/' || p.device_seq as pass_key, p.event_date::text, p.device_id::text, p.device_seq, p.ingest_seq::text, coalesce(p.event_time, p.received_at) as at, p.received_at,
      p.time_state <> 2 as is_time_sure, p.subject_kind::int, p.subject_id::text as user_id, coalesce(v.visitor_name, l.display_name) as user_name, u.user_no, d.dept_name, p.place_id::text,
      w.node_path_name as place_name, e.device_name, p.direction::int, p.verify_mode::int, p.result::int, p.code_masked, p.is_repeat, p.is_late, p.source::int, a.apply_no, r.display_name as receiver_name
    from p
    left join person_label l on l.school_id = ${school_id} and l.user_id = p.subject_id and p.subject_kind <> 4
    left join school_user_v u on u.school_id = ${school_id} and u.user_id = p.subject_id
    left join dept_now d on d.school_id = ${school_id} and d.id = p.dept_id
    left join place_path_v w on w.school_id = ${school_id} and w.place_id = p.place_id
    left join device_live_v e on e.school_id = ${school_id} and e.device_id = p.device_id
    left join visitor_apply a on a.school_id = ${school_id} and a.subject_id = p.subject_id and p.subject_kind = 4
    left join visitor v on v.school_id = ${school_id} and v.visitor_id = a.visitor_id
    left join person_label r on r.school_id = ${school_id} and r.user_id = a.receiver_user_id
    order by ${by}`.execute(db)
  return z.array(Found).parse(rows)
}

/** One pass with the others of the same person on that day. @throws Refusal 404 for one that is not there or out of sight */
export async function passDetail(ctx: PassCtx, key: Input<typeof passApi.detail>): Promise<Reply<typeof passApi.detail>> {
  const { school_id } = ctx
  const pass = await requirePass(ctx, key)
  if (pass.user_id === null) return { pass, day: [pass] }
  const day = spanOf(ctx.now, { from: schoolDay(new Date(pass.at)), to: schoolDay(new Date(pass.at)) })
  const rows = await readRows(ctx, sql`${passesIn(school_id, day)} and p.subject_kind = ${pass.subject_kind} and p.subject_id = ${pass.user_id}`, { limit: 200 })
  return { pass, day: rows.length === 0 ? [pass] : rows }
}

/** A pass of somebody, or at a door, that the acting identity sees. @throws Refusal 404 */
export async function requirePass(ctx: PassCtx, { event_date, device_id, device_seq }: Key): Promise<PassRow> {
  const { school_id } = ctx
  const own = sql`p.school_id = ${school_id} and p.event_date = ${event_date}::date and p.device_id = ${device_id} and p.device_seq = ${device_seq}`
  const [found] = await readRows(ctx, own, { limit: 1 })
  const kind = found && (['student', 'teacher', 'stranger', 'visitor'] as const).find(one => kinds_of[one].includes(found.subject_kind))
  const seen = await seenOf(ctx, kind ?? 'stranger')
  const [pass] = found ? await readRows(ctx, sql`${own} and ${seen}`, { limit: 1 }) : []
  if (!pass) throw fail(commonErrors.notFound)
  return pass
}


import { accessErrors } from '@campus/access/contract'
import type { receiverApi, ReceiverRow } from '@campus/access/contract'
import { deptScope, inScope } from '@campus/people/server'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { nameHas, nameKeyOf } from '@kit/server/db'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db, PassCtx, Work } from '../pass/db.ts'
import { inDept, requireRefs } from '../pass/pass.queries.ts'

/** Somebody whom visitors come to, with what holds where nothing is set. */
export type Receiver = { user_id: string; user_name: string; dept_id: string | null; dept_name: string | null; enabled: boolean; on_mobile: boolean; auto_pass: boolean; day_max: number; delegate_user_id: string | null; delegate_until: string | null }
const usual_day_max = 10

const receivers = (school_id: number) => sql`
  select l.user_id::text as user_id, l.user_name, l.teacher_no as user_no, l.primary_dept_id::text as dept_id, d.dept_name, l.mobile, coalesce(r.enabled, true) as enabled, coalesce(r.on_mobile, true) as on_mobile, coalesce(r.auto_pass, false) as auto_pass,
    coalesce(r.day_max, ${usual_day_max}::int)::int as day_max, r.delegate_user_id::text as delegate_user_id, r.delegate_until::text as delegate_until, coalesce(r.row_version, 0)::int as row_version
  from live_staff l left join dept_now d on d.school_id = ${school_id} and d.id = l.primary_dept_id
  left join visitor_receiver r on r.school_id = ${school_id} and r.user_id = l.user_id
  where l.school_id = ${school_id}`

/** @throws Refusal 404 for somebody who is no member of staff here */
export async function requireReceiver({ db, school_id }: Pick<Work, 'db' | 'school_id'>, user_id: string): Promise<Receiver> {
  const { rows: [found] } = await sql<Receiver>`${receivers(school_id)} and l.user_id = ${user_id}`.execute(db)
  if (!found) throw fail(commonErrors.notFound)
  return found
}

/** Members of staff by their number. */
export async function receiversByNumber(work: Pick<Work, 'db' | 'school_id'>, numbers: readonly string[]): Promise<Map<string, Receiver>> {
  const { db, school_id } = work
  const { rows } = await sql<Receiver & { user_no: string }>`
    ${receivers(school_id)} and l.teacher_no = any(${[...numbers]}::text[])`.execute(db)
  return new Map(rows.map(row => [row.user_no, row]))
}

/** Whom a visitor means by a full name and a department; one who takes no visitors from the phone is not found. */
export async function findReceiver(db: Db, school_id: number, { receiver, receiver_dept }: { receiver: string; receiver_dept: string }): Promise<Receiver | null> {
  const { rows } = await sql<Receiver>`select f.* from (${receivers(school_id)}) f
    where f.on_mobile and f.enabled and f.user_name = ${receiver} and f.dept_name = ${receiver_dept} limit 2`.execute(db)
  const [found] = rows
  return rows.length === 1 && found ? found : null
}

/** A place among the visits of a receiver's day: the row is the lock and its check the limit, so that bookings at once never exceed it (chapter 35 R44). */
export async function takePlace({ db, school_id }: Work, { user_id, day_max }: Pick<Receiver, 'user_id' | 'day_max'>, day: string): Promise<void> {
  await db.insertInto('visitor_receiver_day').values({ school_id, user_id, day, booked: 1, day_max })
    .onConflict(clash => clash.columns(['school_id', 'user_id', 'day']).doUpdateSet({ booked: sql<number>`visitor_receiver_day.booked + 1`, day_max })).execute()
}

/** Gives such a place back. */
export async function givePlaceBack({ db, school_id }: Work, user_id: string, day: string): Promise<void> {
  await db.updateTable('visitor_receiver_day').set({ booked: sql<number>`booked - 1` }).where('school_id', '=', school_id).where('user_id', '=', user_id).where('day', '=', day).where('booked', '>', 0).execute()
}

const Found = z.object({ user_id: z.string(), user_name: z.string(), user_no: z.string(), dept_name: z.string().nullable(), enabled: z.boolean(), on_mobile: z.boolean(), auto_pass: z.boolean(), day_max: z.number(), booked: z.number(), delegate_user_id: z.string().nullable(), delegate_name: z.string().nullable(), delegate_until: z.string().nullable(), row_version: z.number() })

/** Staff with what is set of them as receivers. @throws Refusal 404 */
export async function listReceivers(ctx: PassCtx, query: Input<typeof receiverApi.list>): Promise<Reply<typeof receiverApi.list>> {
  const { db, school_id, now } = ctx
  const { keyword, dept_id, enabled, on_mobile, page_index, page_size } = query
  await requireRefs(ctx, query)
  const scope = await deptScope(ctx, 'staff')
  const from = sql`from (${receivers(school_id)}) f where ${inScope('f.dept_id', scope === 'all' ? 'all' : scope)} and ${inDept(school_id, sql`f.dept_id::bigint`, dept_id)}
    and ${keyword === undefined ? sql`true` : sql`(${nameHas(nameKeyOf('f.user_name'), keyword)} or starts_with(f.user_no, ${keyword}))`}
    and ${enabled === undefined ? sql`true` : sql`f.enabled = ${enabled}`} and ${on_mobile === undefined ? sql`true` : sql`f.on_mobile = ${on_mobile}`}`
  const { rows } = await sql`
    select f.*, coalesce(b.booked, 0)::int as booked, l.display_name as delegate_name from (select f.* ${from} order by f.user_no, f.user_id limit ${page_size} offset ${(page_index - 1) * page_size}) f
    left join visitor_receiver_day b on b.school_id = ${school_id} and b.user_id = f.user_id::bigint and b.day = ${schoolDay(now)}::date
    left join person_label l on l.school_id = ${school_id} and l.user_id = f.delegate_user_id::bigint order by f.user_no, f.user_id`.execute(db)
  const counted = await sql<{ n: number }>`select count(*)::int as n ${from}`.execute(db)
  const list = z.array(Found).parse(rows).map((row): ReceiverRow => ({ ...row, shown_as: row.enabled && row.on_mobile ? hostName(row) : '不可预约' }))
  return { list, total: counted.rows[0]?.n ?? 0 }
}

/** 张老师（教务处）: all that a visitor sees of his host. */
export function hostName({ user_name, dept_name }: { user_name: string; dept_name: string | null }): string {
  return `${[...user_name][0] ?? ''}老师${dept_name === null ? '' : `（${dept_name}）`}`
}

/** Sets several receivers at once. @throws Refusal 404 for one who is not staff or out of sight, receiverSame */
export async function setReceivers(ctx: PassCtx, { user_ids, delegate, ...asked }: Input<typeof receiverApi.batch>): Promise<Reply<typeof receiverApi.batch>> {
  const { db, school_id } = ctx
  const scope = await deptScope(ctx, 'staff')
  const ids = [...new Set(user_ids)]
  const { rows } = await sql<Receiver & { row_version: number }>`select f.* from (${receivers(school_id)}) f where f.user_id = any(${ids}::text[]) and ${inScope('f.dept_id', scope)} order by f.user_id`.execute(db)
  if (rows.length < ids.length) throw fail(commonErrors.notFound)
  if (delegate) {
    await requireReceiver(ctx, delegate.user_id)
    if (ids.includes(delegate.user_id)) throw fail(accessErrors.receiverSame, { errors: [{ field: 'delegate', msg: accessErrors.receiverSame.msg }] })
  }
  for (const { user_id, enabled, on_mobile, auto_pass, day_max, delegate_user_id, delegate_until, row_version } of rows) {
    const stood = delegate === undefined ? { delegate_user_id, delegate_until } : { delegate_user_id: delegate?.user_id ?? null, delegate_until: delegate?.until ?? null }
    const given = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined))
    const kept = { enabled, on_mobile, auto_pass, day_max, ...given, ...stood, row_version: row_version + 1 }
    await db.insertInto('visitor_receiver').values({ school_id, user_id, ...kept }).onConflict(clash => clash.columns(['school_id', 'user_id']).doUpdateSet(kept)).execute()
  }
  ctx.note({ target_kind: 'access.visitor_receiver', target_name: `${rows.length}人`, after: { ...asked, delegate } })
  return { changed: rows.length }
}

import { HONOUR_CLASS, HonourRow, publishingErrors, publishingEvents, rotating_codes } from '@campus/publishing/contract'
import type { classHonourApi } from '@campus/publishing/contract'
import { deptScope, inScope } from '@campus/people/server'
import type { DeptScope } from '@campus/people/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { pageTotal } from '@kit/server/db'
import { publish } from '@kit/server/event'
import { sql } from 'kysely'
import { z } from 'zod'
import type { PublishingCtx } from '../db.ts'

const class_subject = 1
const week_ms = 7 * 86_400_000
const names: Readonly<Record<string, string>> = HONOUR_CLASS.names
const scopeOf = (ctx: PublishingCtx, subject: number): Promise<DeptScope> => deptScope(ctx, subject === class_subject ? 'student' : 'staff')

/** One page of honours of classes (1) or departments (2), the latest first. */
export async function listHonours(ctx: PublishingCtx, subject: number, query: Input<typeof classHonourApi.list>): Promise<Reply<typeof classHonourApi.list>> {
  const { db, school_id } = ctx
  const scope = await scopeOf(ctx, subject)
  if (query.dept_id !== undefined) await requireDepts(ctx, scope, [query.dept_id])
  const parts = [sql`h.school_id = ${school_id} and h.subject = ${subject}`, inScope('h.dept_id', scope)]
  if (query.keyword !== undefined) parts.push(sql`(strpos(h.title, ${query.keyword}) > 0 or strpos(coalesce(d.dept_name, ''), ${query.keyword}) > 0)`)
  if (query.honour_code !== undefined) parts.push(sql`h.honour_code = ${query.honour_code}`)
  if (query.state !== undefined) parts.push(query.state === '1' ? sql`h.revoked_at is null` : sql`h.revoked_at is not null`)
  if (query.from !== undefined) parts.push(sql`h.awarded_on >= ${query.from}::date`)
  if (query.to !== undefined) parts.push(sql`h.awarded_on <= ${query.to}::date`)
  if (query.dept_id !== undefined) parts.push(sql`h.dept_id = ${query.dept_id}`)
  const page = (limit: number, offset: number) => sql<{ total: number }>`
    select h.honour_id::text as id, h.dept_id::text as dept_id, coalesce(d.dept_name, '已撤销部门') as dept_name, h.honour_code, h.title, h.level, h.grade, h.awarded_on::text as awarded_on, h.rotating, h.held_from::text as held_from,
      (h.held_to - 1)::text as held_to, h.board_from::text as board_from, h.board_to::text as board_to, h.note, case when h.revoked_at is null then '1' else '2' end as state, h.revoke_reason, h.row_version, (count(*) over ())::int as total
    from publishing_honour h left join dept_now d on d.school_id = ${school_id} and d.id = h.dept_id
    where ${sql.join(parts, sql` and `)} order by h.awarded_on desc, h.honour_id desc limit ${limit} offset ${offset}`.execute(db)
  const { rows } = await page(query.page_size, (query.page_index - 1) * query.page_size)
  return { list: z.array(z.looseObject({})).parse(rows).map(row => HonourRow.parse(row)), total: await pageTotal(rows, query.page_index, async () => (await page(1, 0)).rows) }
}

async function requireDepts({ db, school_id }: PublishingCtx, scope: DeptScope, dept_ids: readonly string[]) {
  const found = await db.selectFrom('dept_now').select(['id', 'dept_name', 'parent_id']).where('school_id', '=', school_id).where('id', 'in', [...dept_ids]).execute()
  if (found.length < new Set(dept_ids).size || (scope !== 'all' && dept_ids.some(dept_id => !scope.includes(dept_id)))) throw fail(commonErrors.notFound)
  return found
}

/** Monday of the week of a day. */
function mondayOf(day: string): string {
  const at = new Date(`${day}T00:00:00Z`)
  return new Date(at.getTime() - ((at.getUTCDay() + 6) % 7) * 86_400_000).toISOString().slice(0, 10)
}

const after = (day: string, ms: number) => new Date(Date.parse(`${day}T00:00:00Z`) + ms).toISOString().slice(0, 10)

/** Awards one honour to several; a rotating flag is held for the week and goes over where that is wished (chapter 60 rule 42). @throws Refusal honourHeld */
export async function awardHonours(ctx: PublishingCtx, subject: number, { dept_ids, transfer, ...asked }: Input<typeof classHonourApi.add>): Promise<{ added: number }> {
  const { db, school_id, now, me } = ctx
  const depts = await requireDepts(ctx, await scopeOf(ctx, subject), dept_ids)
  const rotating = subject === class_subject && rotating_codes.includes(asked.honour_code)
  const held_from = rotating ? mondayOf(asked.awarded_on) : null
  const held_to = held_from === null ? null : after(held_from, week_ms)
  for (const { id: dept_id, parent_id } of depts) {
    const scope_dept_id = parent_id ?? dept_id
    if (held_from !== null && held_to !== null) await giveOver(ctx, { scope_dept_id, code: asked.honour_code, dept_id, from: held_from, to: held_to, day: asked.awarded_on }, transfer)
    const { honour_id } = await db.insertInto('publishing_honour').values({
      school_id, subject, dept_id, scope_dept_id, rotating, ...asked, note: asked.note === '' ? null : asked.note, held_from: held_from !== null && transfer ? asked.awarded_on : held_from, held_to, created_at: now, created_by: me.user_id,
    }).returning('honour_id').executeTakeFirstOrThrow()
    await publish(ctx, publishingEvents.honourAwarded, { honour_id, dept_id })
  }
  ctx.note({ target_kind: 'publishing.honour', target_name: `${asked.title} ${depts.length}个` })
  return { added: depts.length }
}

type Flag = { scope_dept_id: string; code: string; dept_id: string; from: string; to: string; day: string }

async function giveOver({ db, school_id }: PublishingCtx, flag: Flag, transfer: boolean): Promise<void> {
  const holders = await sql<{ honour_id: string; dept_name: string; held_from: string }>`
    select h.honour_id::text as honour_id, coalesce(d.dept_name, '') as dept_name, h.held_from::text as held_from from publishing_honour h left join dept_now d on d.school_id = ${school_id} and d.id = h.dept_id
    where h.school_id = ${school_id} and h.subject = ${class_subject} and h.honour_code = ${flag.code} and h.scope_dept_id = ${flag.scope_dept_id} and h.rotating and h.revoked_at is null
      and h.held_from < ${flag.to}::date and h.held_to > ${flag.from}::date order by h.honour_id`.execute(db)
  const [holder] = holders.rows
  if (!holder) return
  if (!transfer) throw fail(publishingErrors.honourHeld, { params: { class: holder.dept_name, honour: names[flag.code] ?? '流动红旗' } })
  for (const { honour_id, held_from } of holders.rows) {
    await db.updateTable('publishing_honour').set({ held_to: flag.day > held_from ? flag.day : held_from, row_version: sql<number>`row_version + 1` }).where('school_id', '=', school_id).where('honour_id', '=', honour_id).execute()
  }
}

async function requireHonour(ctx: PublishingCtx, subject: number, honour_id: string) {
  const scope = await scopeOf(ctx, subject)
  const found = await ctx.db.selectFrom('publishing_honour').select(['dept_id', 'title', 'row_version', 'revoked_at']).where('school_id', '=', ctx.school_id).where('honour_id', '=', honour_id).where('subject', '=', subject).forUpdate().executeTakeFirst()
  if (!found || (scope !== 'all' && !scope.includes(found.dept_id))) throw fail(commonErrors.notFound)
  if (found.revoked_at !== null) throw fail(publishingErrors.honourRevoked)
  return found
}

/** Words and the window on boards; who holds it changes by awarding and revoking alone. */
export async function updateHonour(ctx: PublishingCtx, subject: number, { id, row_version, title, level, grade, board_from, board_to, note }: Input<typeof classHonourApi.update>): Promise<Record<string, never>> {
  const found = await requireHonour(ctx, subject, id)
  if (found.row_version !== row_version) throw fail(publishingErrors.stale)
  await ctx.db.updateTable('publishing_honour').set({ title, level, grade, board_from, board_to, note: note === '' ? null : note, row_version: row_version + 1 }).where('school_id', '=', ctx.school_id).where('honour_id', '=', id).execute()
  ctx.note({ target_kind: 'publishing.honour', target_id: id, target_name: title })
  return {}
}

export async function revokeHonour(ctx: PublishingCtx, subject: number, { id, reason }: Input<typeof classHonourApi.revoke>): Promise<Record<string, never>> {
  const found = await requireHonour(ctx, subject, id)
  await ctx.db.updateTable('publishing_honour').set({ revoked_at: ctx.now, revoked_by: ctx.me.user_id, revoke_reason: reason }).where('school_id', '=', ctx.school_id).where('honour_id', '=', id).execute()
  await publish(ctx, publishingEvents.honourRevoked, { honour_id: id, dept_id: found.dept_id })
  ctx.note({ target_kind: 'publishing.honour', target_id: id, target_name: found.title, reason })
  return {}
}

/** Classes against weeks: which flags each of them held. */
export async function boardHonours(ctx: PublishingCtx, subject: number, { to, weeks }: Input<typeof classHonourApi.board>): Promise<Reply<typeof classHonourApi.board>> {
  const scope = await scopeOf(ctx, subject)
  const last = mondayOf(to)
  const days = Array.from({ length: weeks }, (_, at) => after(last, -(weeks - 1 - at) * week_ms))
  const { rows } = await sql<{ id: string; dept_id: string; dept_name: string; code: string; title: string; day: string }>`
    select h.honour_id::text as id, h.dept_id::text as dept_id, coalesce(d.dept_name, '') as dept_name, h.honour_code as code, h.title, coalesce(h.held_from, h.awarded_on)::text as day
    from publishing_honour h left join dept_now d on d.school_id = ${ctx.school_id} and d.id = h.dept_id
    where h.school_id = ${ctx.school_id} and h.subject = ${subject} and h.revoked_at is null and ${inScope('h.dept_id', scope)} and coalesce(h.held_from, h.awarded_on) >= ${days[0] ?? last}::date and coalesce(h.held_from, h.awarded_on) < ${after(last, week_ms)}::date
    order by d.node_path, h.honour_id`.execute(ctx.db)
  const by_dept = Map.groupBy(rows, row => row.dept_id)
  const flags = subject === class_subject ? await readFlags(ctx, scope, days) : []
  return { weeks: days, flags, rows: [...by_dept].map(([dept_id, own]) => ({ dept_id, dept_name: own[0]?.dept_name ?? '', cells: days.map(day => own.filter(one => mondayOf(one.day) === day).map(({ id, code, title }) => ({ id, code, title }))) })) }
}

/** Where each rotating flag of the grades that one looks after was, week by week (chapter 60 rule 42). */
async function readFlags({ db, school_id }: PublishingCtx, scope: DeptScope, weeks: readonly string[]) {
  const end = after(weeks.at(-1) ?? '', week_ms)
  const { rows } = await sql<{ scope_dept_id: string; scope_name: string; code: string; first: string }>`
    select h.scope_dept_id::text as scope_dept_id, coalesce(d.dept_name, '已撤销部门') as scope_name, h.honour_code as code,
      min(h.held_from)::text as first
    from publishing_honour h left join dept_now d on d.school_id = ${school_id} and d.id = h.scope_dept_id
    where h.school_id = ${school_id} and h.subject = ${class_subject} and h.rotating and h.held_from < ${end}::date
      and ${inScope('h.scope_dept_id', scope)}
    group by h.scope_dept_id, d.dept_name, d.node_path, h.honour_code order by d.node_path, h.scope_dept_id, h.honour_code`.execute(db)
  const { rows: held } = await sql<{ id: string; scope_dept_id: string; code: string; dept_name: string; from: string; to: string }>`
    select h.honour_id::text as id, h.scope_dept_id::text as scope_dept_id, h.honour_code as code, coalesce(d.dept_name, '') as dept_name,
      h.held_from::text as "from", h.held_to::text as "to"
    from publishing_honour h left join dept_now d on d.school_id = ${school_id} and d.id = h.dept_id
    where h.school_id = ${school_id} and h.subject = ${class_subject} and h.rotating and h.revoked_at is null
      and h.held_to > h.held_from and h.held_to > ${weeks[0] ?? end}::date and h.held_from < ${end}::date
      and ${inScope('h.scope_dept_id', scope)} order by h.held_from, h.honour_id`.execute(db)
  return rows.map(({ first, ...flag }) => {
    const own = held.filter(one => one.scope_dept_id === flag.scope_dept_id && one.code === flag.code)
    const holdersIn = (monday: string) => own.filter(({ from, to }) => from < after(monday, week_ms) && to > monday)
    const cells = weeks.map(monday =>
      monday < mondayOf(first) ? null : holdersIn(monday).map(({ id, dept_name }) => ({ id, dept_name })),
    )
    return { ...flag, cells }
  })
}

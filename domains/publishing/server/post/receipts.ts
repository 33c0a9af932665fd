import { post_state, postTemplates, publishingErrors, ReceiptRow } from '@campus/publishing/contract'
import type { noticeApi } from '@campus/publishing/contract'
import { send } from '@campus/messages/server'
import { commonErrors, fail } from '@kit/contract'
import { maskMobile } from '@kit/contract/checks'
import type { Input, Reply } from '@kit/contract'
import { pageTotal } from '@kit/server/db'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { z } from 'zod'
import type { PublishingCtx } from '../db.ts'
import { isIn, requireDept } from '../depts.ts'
import { levelOf, titleOf } from './follow.ts'
import { requirePost, sliceOf, units } from './post.queries.ts'
import type { Family, Post } from './post.queries.ts'

export type ReceiptState = 'read' | 'unread' | 'committed' | 'uncommitted' | 'unreachable'
type Query = Input<typeof noticeApi.read>
type Alert = Input<typeof noticeApi.alert>

const minute_ms = 60_000
const [wait_minutes, most_reminders] = [30, 5] as const
const [unread_scope, pupil] = [1, 1] as const

const states: Readonly<Record<ReceiptState, RawBuilder<boolean>>> = {
  read: sql`r.read_at is not null`, unread: sql`r.read_at is null`, committed: sql`r.submitted_at is not null`, uncommitted: sql`r.submitted_at is null`, unreachable: sql`r.reach = 2`,
}
const instant = z.date().transform(at => at.toISOString())
const Found = z.looseObject({ read_at: instant.nullable(), submitted_at: instant.nullable(), phoned_at: instant.nullable(), mobile: z.string().nullable() })

/** One page of the people of a post, of the classes that the acting identity looks after (chapter 60 rule 6). */
export async function pageReceipts(ctx: PublishingCtx, family: Family, state: ReceiptState, query: Query): Promise<Reply<typeof noticeApi.read>> {
  const { db, school_id } = ctx
  const { post, scopes } = await requirePost(ctx, family, query.notice_id)
  if (query.dept_id !== undefined) await requireDept(ctx, 'all', query.dept_id)
  const all = [sql`r.school_id = ${school_id} and r.post_id = ${query.notice_id} and r.left_at is null`, sliceOf(ctx, scopes, post), states[state]]
  if (query.dept_id !== undefined) all.push(sql`r.dept_id = ${query.dept_id}`)
  if (query.keyword !== undefined) all.push(sql`(strpos(n.display_name, ${query.keyword}) > 0 or strpos(coalesce(u.display_name, ''), ${query.keyword}) > 0)`)
  const page = (limit: number, offset: number) => sql<{ total: number }>`
    select r.user_id::text || '-' || r.subject_user_id::text as key, r.user_id::text as user_id, r.subject_user_id::text as subject_user_id, coalesce(u.display_name, '未绑定家长') as user_name, n.display_name as subject_name,
      r.role::int as role, d.dept_name, l.mobile, r.read_at, r.read_rev, r.submitted_at, r.late, r.reach_reason::int as reach_reason, r.remind_count::int as remind_count,
      r.phoned_at, c.display_name as phoned_by_name, (count(*) over ())::int as total
    from publishing_recipient r
    join person_label n on n.school_id = ${school_id} and n.user_id = r.subject_user_id
    left join person_label u on u.school_id = ${school_id} and u.user_id = r.user_id
    left join person_label c on c.school_id = ${school_id} and c.user_id = r.phoned_by
    left join dept_now d on d.school_id = ${school_id} and d.id = r.dept_id
    left join live_parent l on l.school_id = ${school_id} and l.user_id = r.user_id
    where ${sql.join(all, sql` and `)}
    order by d.node_path, n.display_name, r.subject_user_id, r.role, r.user_id limit ${limit} offset ${offset}`.execute(db)
  const { rows } = await page(query.page_size, (query.page_index - 1) * query.page_size)
  const list = z.array(Found).parse(rows).map(({ mobile, ...row }) => ReceiptRow.parse({ ...row, phone_masked: mobile === null ? null : maskMobile(mobile) }))
  return { list, total: await pageTotal(rows, query.page_index, async () => (await page(1, 0)).rows) }
}

/**
 * Reminds those who have not read, or not submitted, at this moment: the choice is made by the statement that marks them (chapter 60 rules 10 and 11).
 * @throws Refusal remindTooSoon, remindLimit, nobodyToRemind, badPostState
 */
export async function remind(ctx: PublishingCtx, family: Family, asked: Alert): Promise<Reply<typeof noticeApi.alert>> {
  const { db, school_id, now, me } = ctx
  const { post, scopes } = await requirePost(ctx, family, asked.notice_id, true)
  const scope = post.scene === 1 ? scopes.student : scopes.staff
  for (const dept_id of asked.dept_ids ?? []) await requireDept(ctx, 'all', dept_id)
  await requireKnown(ctx, asked.user_ids ?? [])
  if (post.state !== post_state.sent || post.sent_month === null) throw fail(publishingErrors.badPostState)
  await requirePause(ctx, asked)
  const parts = [sql`r.school_id = ${school_id} and r.sent_month = ${post.sent_month}::date and r.post_id = ${asked.notice_id} and r.left_at is null`, sliceOf(ctx, scopes, post)]
  if (asked.dept_ids !== undefined) parts.push(sql`r.dept_id = any(${asked.dept_ids.filter(dept_id => isIn(scope, dept_id) || post.created_by === me.user_id)}::bigint[])`)
  if (asked.user_ids !== undefined) parts.push(sql`r.user_id = any(${asked.user_ids}::bigint[])`)
  const where = sql.join(parts, sql` and `)
  const open = asked.scope === unread_scope ? sql`r.read_at is null` : sql`r.submitted_at is null`
  const { rows: [counts] } = await sql<{ all: number; unreachable: number }>`select count(*)::int as all, (count(*) filter (where r.reach = 2 and ${open}))::int as unreachable from publishing_recipient r where ${where}`.execute(db)
  const { rows: chosen } = await sql<{ user_id: string; subject_user_id: string }>`
    update publishing_recipient r set remind_count = r.remind_count + 1, last_remind_at = ${now}::timestamptz where ${where} and ${open} and r.reach <> 2 returning r.user_id::text as user_id, r.subject_user_id::text as subject_user_id`.execute(db)
  if (chosen.length === 0) throw fail(publishingErrors.nobodyToRemind)
  const unreachable = counts?.unreachable ?? 0
  const skipped_read = (counts?.all ?? 0) - chosen.length - unreachable
  const { remind_id } = await db.insertInto('publishing_remind').values({ school_id, post_id: asked.notice_id, at: now, by_user: me.user_id, scope: asked.scope, selected: chosen.length, skipped_read, unreachable }).returning('remind_id').executeTakeFirstOrThrow()
  await sendReminder(ctx, post, asked.scope, remind_id, chosen)
  ctx.note({ target_kind: family.noun, target_id: asked.notice_id, target_name: `提醒${chosen.length}人` })
  return { remind_id, selected: chosen.length, skipped_read, unreachable, deferred_to: null }
}

async function requireKnown({ db, school_id }: PublishingCtx, user_ids: readonly string[]): Promise<void> {
  if (user_ids.length === 0) return
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from person_label where school_id = ${school_id} and user_id = any(${[...user_ids]}::bigint[])`.execute(db)
  if ((rows[0]?.n ?? 0) < new Set(user_ids).size) throw fail(commonErrors.notFound)
}

/**
 * 已电话告知: notes that families of the own classes which have not read were told by telephone, or takes the note back. It is no reading and
 * changes no figure of reading (chapter 60 rule 12).
 * @throws Refusal 404 for who is no pupil or person of the school, phonedNobody, badPostState
 */
export async function markPhoned(ctx: PublishingCtx, family: Family, asked: Input<typeof noticeApi.phoned>): Promise<{ changed: number }> {
  const { db, school_id, now, me } = ctx
  const { post, scopes } = await requirePost(ctx, family, asked.notice_id, true)
  await requireKnown(ctx, asked.subject_ids)
  if (post.state !== post_state.sent || post.sent_month === null) throw fail(publishingErrors.badPostState)
  const own = sql`r.post_id = ${asked.notice_id} and r.role <> ${pupil} and r.subject_user_id = any(${asked.subject_ids}::bigint[])
    and ${sliceOf(ctx, scopes, post)}`
  const { rows: unread } = await sql<{ subject: string }>`
    select u.subject_user_id::text as subject from (${units(school_id, own)}) u where not coalesce(u.read, false)`.execute(db)
  if (unread.length === 0) throw fail(publishingErrors.phonedNobody)
  const [at, by] = asked.phoned ? [now, me.user_id] : [null, null]
  await sql`
    update publishing_recipient r set phoned_at = ${at}::timestamptz, phoned_by = ${by}::bigint
    where r.school_id = ${school_id} and r.sent_month = ${post.sent_month}::date and r.post_id = ${asked.notice_id} and r.left_at is null
      and r.role <> ${pupil} and r.subject_user_id = any(${unread.map(row => row.subject)}::bigint[])
      and ${sliceOf(ctx, scopes, post)}`.execute(db)
  const changed = unread.length
  ctx.note({ target_kind: family.noun, target_id: asked.notice_id, target_name: `${asked.phoned ? '已电话告知' : '取消电话告知'}${changed}户` })
  return { changed }
}

async function requirePause({ db, school_id, now }: PublishingCtx, { notice_id, scope }: Alert): Promise<void> {
  const made = await db.selectFrom('publishing_remind').select('at').where('school_id', '=', school_id).where('post_id', '=', notice_id).where('scope', '=', scope).where('by_user', 'is not', null).orderBy('at', 'desc').execute()
  const passed = made[0] ? (now.getTime() - made[0].at.getTime()) / minute_ms : wait_minutes
  const left = Math.ceil(wait_minutes - passed)
  if (left > 0) throw fail(publishingErrors.remindTooSoon, { params: { n: left }, retry_after: left * 60 })
  if (made.length >= most_reminders) throw fail(publishingErrors.remindLimit)
}

async function sendReminder(ctx: PublishingCtx, post: Post, scope: number, remind_id: string, to: readonly { user_id: string; subject_user_id: string }[]): Promise<void> {
  const { title } = await titleOf(ctx, post)
  const due = post.due_at === null ? '' : `（截止${new Date(post.due_at.getTime() + 8 * 3_600_000).toISOString().slice(5, 16).replace('T', ' ')}）`
  const values = { act: scope === unread_scope ? '阅读' : '提交', title: [...title].slice(0, 40).join(''), due }
  await send(ctx, { template: postTemplates.remind, source_ref: `${post.post_id} remind ${remind_id}`, to, values, level: levelOf(post) })
}

export async function listReminders(ctx: PublishingCtx, family: Family, { notice_id }: { notice_id: string }): Promise<Reply<typeof noticeApi.alertLog>> {
  await requirePost(ctx, family, notice_id)
  const { rows } = await sql<{ id: string; at: Date; by_name: string | null; scope: number; selected: number; unreachable: number }>`
    select m.remind_id::text as id, m.at, a.display_name as by_name, m.scope::int as scope, m.selected, m.unreachable from publishing_remind m
    left join person_label a on a.school_id = ${ctx.school_id} and a.user_id = m.by_user
    where m.school_id = ${ctx.school_id} and m.post_id = ${notice_id} order by m.at desc`.execute(ctx.db)
  return { list: rows.map(row => ({ ...row, at: row.at.toISOString() })) }
}

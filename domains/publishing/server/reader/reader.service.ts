import { randomInt } from 'node:crypto'
import { Answers, checkAnswers, Form, inbox_page, InboxPost, OpenedPost, post_state, publishingErrors, publishingEvents, reply } from '@campus/publishing/contract'
import type { readerApi } from '@campus/publishing/contract'
import { selfScope } from '@campus/people/server'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { publish } from '@kit/server/event'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { z } from 'zod'
import type { PublishingCtx } from '../db.ts'
import { findPost, readAttachments, shownHtml } from '../post/post.queries.ts'
import type { Post } from '../post/post.queries.ts'
import { beginOfToday, isDueToday, isPastHour, owes, readStreaks } from './check-in.ts'

const { sent, recalled, expired } = post_state
const most_must_read = 50
const day_ms = 86_400_000
const most_id = 2 ** 47
const instant = z.date().transform(at => at.toISOString())
const Found = z.looseObject({ sent_at: instant, due_at: instant.nullable() })
type Mine = { subject_user_id: string; sent_month: string; read_rev: number | null; submitted_at: Date | null; submit_rev: number | null }

/** The posts of the reader, the latest first; nothing becomes read by it (chapter 60 rule 7). */
export async function listInbox(ctx: PublishingCtx, asked: Input<typeof readerApi.inbox>): Promise<Reply<typeof readerApi.inbox>> {
  const { unread_only, waiting_only, kind, before } = asked
  const [time = '', post_id = ''] = before?.split('~') ?? []
  const parts = [
    before === undefined ? sql`true` : sql`(p.sent_at, p.post_id) < (${time}::timestamptz, ${post_id}::bigint)`,
    unread_only === true ? sql`m.unread` : sql`true`,
    waiting_only === true ? sql`m.waiting > 0` : sql`true`,
    kind === undefined ? sql`true` : sql`p.kind = ${kind}`,
  ]
  const list = await readInbox(ctx, sql.join(parts, sql` and `), inbox_page + 1)
  const shown = list.slice(0, inbox_page)
  const last = shown.at(-1)
  return { list: shown, older: last && list.length > inbox_page ? `${last.sent_at}~${last.id}` : null }
}

async function readInbox(ctx: PublishingCtx, which: RawBuilder<unknown>, limit: number): Promise<InboxPost[]> {
  await selfScope(ctx)
  const { db, school_id, me } = ctx
  const owing = await owes(ctx)
  const { rows } = await sql`
    select p.post_id::text as id, case when p.state = ${recalled} then '通知已撤回' else v.title end as title, p.kind, case when p.state = ${recalled} then '' else v.summary end as summary, a.display_name as author_name,
      p.sent_at, p.due_at, p.reply_kind::int as reply_kind, p.must_read, not m.unread as is_read, not m.unread and m.read_rev < p.rev as is_updated, p.state = ${recalled} as is_recalled, p.state = ${expired} as is_expired,
      m.waiting
    from (select r.post_id, bool_or(r.read_at is null) as unread, min(coalesce(r.read_rev, 0)) as read_rev, (count(*) filter (where ${owing}))::int as waiting
      from publishing_recipient r join publishing_post p on p.school_id = ${school_id} and p.post_id = r.post_id where r.school_id = ${school_id} and r.user_id = ${me.user_id} and r.left_at is null group by r.post_id) m
    join publishing_post p on p.school_id = ${school_id} and p.post_id = m.post_id and p.state in (${sent}, ${recalled}, ${expired})
    join publishing_post_rev v on v.school_id = ${school_id} and v.post_id = p.post_id and v.rev = p.rev
    left join person_label a on a.school_id = ${school_id} and a.user_id = p.created_by
    where ${which} order by p.sent_at desc, p.post_id desc limit ${limit}`.execute(db)
  return z.array(Found).parse(rows).map(row => InboxPost.parse(row))
}

export async function countInbox(ctx: PublishingCtx): Promise<Reply<typeof readerApi.unread>> {
  await selfScope(ctx)
  const owing = await owes(ctx)
  const { rows: [row] } = await sql<{ unread: number; waiting: number }>`
    select (count(distinct r.post_id) filter (where r.read_at is null))::int as unread, (count(distinct r.post_id) filter (where ${owing}))::int as waiting
    from publishing_recipient r join publishing_post p on p.school_id = ${ctx.school_id} and p.post_id = r.post_id and p.state = ${sent}
    where r.school_id = ${ctx.school_id} and r.user_id = ${ctx.me.user_id} and r.left_at is null`.execute(ctx.db)
  return row ?? { unread: 0, waiting: 0 }
}

export async function listMustRead(ctx: PublishingCtx): Promise<Reply<typeof readerApi.mustRead>> {
  return { list: await readInbox(ctx, sql`p.must_read and m.unread and p.state = ${sent}`, most_must_read) }
}

/** @throws Refusal 404 when the post was not sent to this reader, 410 when it was recalled */
async function requireMine(ctx: PublishingCtx, post_id: string): Promise<{ post: Post; rows: Mine[] }> {
  await selfScope(ctx)
  const { db, school_id, me } = ctx
  const post = await findPost(db, school_id, post_id)
  const rows = post === null || ![sent, recalled, expired].some(state => state === post.state) ? [] : await db.selectFrom('publishing_recipient').select(['subject_user_id', 'sent_month', 'read_rev', 'submitted_at', 'submit_rev'])
    .where('school_id', '=', school_id).where('post_id', '=', post_id).where('user_id', '=', me.user_id).where('left_at', 'is', null).orderBy('subject_user_id').execute()
  if (!post || rows.length === 0) throw fail(commonErrors.notFound)
  return { post, rows }
}

/** Opens a post: this alone is reading it. @throws Refusal 404, recalled */
export async function openPost(ctx: PublishingCtx, { id }: { id: string }): Promise<Reply<typeof readerApi.open>> {
  const { db, school_id, now, me } = ctx
  const { post, rows } = await requireMine(ctx, id)
  if (post.state === recalled) throw fail(publishingErrors.recalled)
  await db.updateTable('publishing_recipient').set({ read_at: sql<Date>`coalesce(read_at, ${now}::timestamptz)`, read_rev: post.rev }).where('school_id', '=', school_id).where('sent_month', '=', rows[0]?.sent_month ?? '').where('post_id', '=', id).where('user_id', '=', me.user_id)
    .where(({ or, eb }) => or([eb('read_at', 'is', null), eb('read_rev', '<', post.rev)])).execute()
  const [line] = await readInbox(ctx, sql`p.post_id = ${id}`, 1)
  const rev = await db.selectFrom('publishing_post_rev').select(['content_html', 'content_hash', 'form']).where('school_id', '=', school_id).where('post_id', '=', id).where('rev', '=', post.rev).executeTakeFirstOrThrow()
  ctx.note({ target_kind: 'publishing.reader', target_id: id })
  return OpenedPost.parse({
    ...line, rev: post.rev, content_html: shownHtml(ctx, rev.content_html), content_hash: rev.content_hash, form: Form.parse(rev.form), anonymous: post.anonymous, attachments: await readAttachments(ctx, id, post.rev), subjects: await subjectsOf(ctx, post, rows, rev.content_hash),
  })
}

async function subjectsOf(ctx: PublishingCtx, post: Post, rows: readonly Mine[], content_hash: string): Promise<OpenedPost['subjects']> {
  const ids = rows.map(row => row.subject_user_id)
  const { rows: found } = await sql<{ user_id: string; name: string; by_name: string | null; signed_hash: string | null }>`
    select n.user_id::text as user_id, n.display_name as name, b.display_name as by_name, s.signed_hash from person_label n
    left join publishing_submission s on s.school_id = ${ctx.school_id} and s.post_id = ${post.post_id} and s.subject_user_id = n.user_id and s.state in (1, 3)
      and s.day is not distinct from ${post.repeat_rule === null ? null : schoolDay(ctx.now)}::date
    left join person_label b on b.school_id = ${ctx.school_id} and b.user_id = s.user_id
    where n.school_id = ${ctx.school_id} and n.user_id = any(${ids}::bigint[]) order by n.user_id`.execute(ctx.db)
  const names = new Map(found.map(row => [row.user_id, row]))
  const [streaks, why] = [await readStreaks(ctx, post, ids), await closedWhy(ctx, post)]
  const since = post.repeat_rule === null ? null : beginOfToday(ctx.now)
  return rows.map(({ subject_user_id, submitted_at: last_at }) => {
    const submitted_at = last_at !== null && since !== null && last_at < since ? null : last_at
    const streak = streaks?.get(subject_user_id)
    const check_in = streak ? { due: streak.due, done: streak.done, streak: streak.streak, longest: streak.longest, is_due: streak.is_due } : null
    const known = names.get(subject_user_id)
    const must_sign_again = submitted_at !== null && post.reply_kind === reply.sign && known?.signed_hash !== content_hash
    const is_open = post.reply_kind > reply.confirm && why === null
    return {
      subject_user_id, name: known?.name ?? '', is_self: subject_user_id === ctx.me.user_id, submitted_at: submitted_at?.toISOString() ?? null, submitted_by: known?.by_name ?? null,
      check_in, can_submit: is_open && (submitted_at === null || post.allow_resubmit || must_sign_again), must_sign_again,
    }
  })
}

/** Why nothing can be submitted any more, by the server's clock (chapter 60 rule 17). */
async function closedWhy(ctx: PublishingCtx, post: Post): Promise<(typeof publishingErrors)[keyof typeof publishingErrors] | null> {
  const { now } = ctx
  if (post.state === recalled) return publishingErrors.submitRecalled
  if (post.state !== sent) return publishingErrors.submitClosed
  if (!(await isDueToday(ctx, post))) return publishingErrors.checkinNotToday
  if (isPastHour(now, post) && !post.allow_late) return publishingErrors.submitClosed
  return post.due_at !== null && post.due_at < now && !post.allow_late ? publishingErrors.submitClosed : null
}

/** 确认: the reader confirms for himself and all of his children. */
export async function confirmPost(ctx: PublishingCtx, { id }: { id: string }): Promise<{ confirmed: number }> {
  const { db, school_id, now, me } = ctx
  const { post, rows } = await requireMine(ctx, id)
  const why = await closedWhy(ctx, post)
  if (why !== null) throw fail(why)
  if (post.reply_kind !== reply.confirm) throw fail(publishingErrors.noReplyAsked)
  const { numUpdatedRows } = await db.updateTable('publishing_recipient').set({ submitted_at: now, submit_rev: post.rev, late: post.due_at !== null && post.due_at < now })
    .where('school_id', '=', school_id).where('sent_month', '=', rows[0]?.sent_month ?? '').where('post_id', '=', id).where('user_id', '=', me.user_id).where('submitted_at', 'is', null).executeTakeFirstOrThrow()
  ctx.note({ target_kind: 'publishing.reader', target_id: id })
  return { confirmed: Number(numUpdatedRows) }
}

/** One submission a child: of two guardians at once the later one is told who was first (chapter 60 rule 17). @throws Refusal as chapter 60 §2.2 says */
export async function submitPost(ctx: PublishingCtx, asked: Input<typeof readerApi.submit>): Promise<{ late: boolean }> {
  const { db, school_id, now } = ctx
  const { post, rows } = await requireMine(ctx, asked.id)
  const mine = rows.find(row => row.subject_user_id === asked.subject_user_id)
  if (!mine) throw fail(commonErrors.notFound)
  const why = await closedWhy(ctx, post)
  if (why !== null) throw fail(why)
  const rev = await db.selectFrom('publishing_post_rev').select(['form', 'content_hash']).where('school_id', '=', school_id).where('post_id', '=', post.post_id).where('rev', '=', post.rev).executeTakeFirstOrThrow()
  const answers = checkReply(post, Form.parse(rev.form), asked)
  const late = (post.due_at !== null && post.due_at < now) || isPastHour(now, post)
  const given = { school_id, post_id: post.post_id, rev: post.rev, answers: JSON.stringify(answers), content: asked.text, late, state: 1 }
  if (post.anonymous) await submitNameless(ctx, mine, given)
  else await submitNamed(ctx, post, mine, { ...given, signature: asked.signature, signed_hash: post.reply_kind === reply.sign ? rev.content_hash : null }, rev.content_hash)
  await publish(ctx, publishingEvents.submitted, { post_id: post.post_id })
  ctx.note({ target_kind: 'publishing.reader', target_id: post.post_id, ...(post.anonymous ? { is_nameless: true } : {}) })
  return { late }
}

/** @throws Refusal noReplyAsked, signMissing, formInvalid */
function checkReply(post: Post, form: z.output<typeof Form>, { answers, text, signature }: Input<typeof readerApi.submit>): Answers {
  if (post.reply_kind === reply.none || post.reply_kind === reply.confirm) throw fail(publishingErrors.noReplyAsked)
  if (post.reply_kind === reply.sign && signature === null) throw fail(publishingErrors.signMissing)
  if (post.reply_kind === reply.text && text === '') throw fail(publishingErrors.formInvalid, { errors: [{ field: 'text', msg: '请填写回复内容' }] })
  if (post.reply_kind !== reply.form) return {}
  const checked = checkAnswers(form, answers)
  if (checked.errors.length > 0) throw fail(publishingErrors.formInvalid, { errors: checked.errors })
  return checked.answers
}

type Given = { school_id: number; post_id: string; rev: number; answers: string; content: string; late: boolean; state: number }

/** No way leads from the answers to who gave them: no person, no order, no time but the day (chapter 60 rule 18). */
async function submitNameless(ctx: PublishingCtx, mine: Mine, given: Given): Promise<void> {
  const day = new Date(Math.floor(ctx.now.getTime() / day_ms) * day_ms)
  const once = await ctx.db.updateTable('publishing_recipient').set({ submitted_at: day, submit_rev: given.rev, late: given.late })
    .where('school_id', '=', given.school_id).where('sent_month', '=', mine.sent_month).where('post_id', '=', given.post_id).where('user_id', '=', ctx.me.user_id).where('subject_user_id', '=', mine.subject_user_id).where('submitted_at', 'is', null).returning('user_id').executeTakeFirst()
  if (!once) throw fail(publishingErrors.alreadySubmitted, { params: { name: '您', time: '之前' } })
  await ctx.db.insertInto('publishing_submission').values({ ...given, submission_id: String(randomInt(most_id)), user_id: null, subject_user_id: null, at: day }).execute()
}

async function submitNamed(ctx: PublishingCtx, post: Post, mine: Mine, given: Given & { signature: string | null; signed_hash: string | null }, content_hash: string): Promise<void> {
  const { db, school_id, now, me } = ctx
  const dept = await db.selectFrom('publishing_recipient').select('dept_id').where('school_id', '=', school_id).where('sent_month', '=', mine.sent_month).where('post_id', '=', post.post_id).where('user_id', '=', me.user_id).where('subject_user_id', '=', mine.subject_user_id).executeTakeFirst()
  const day = post.repeat_rule === null ? null : schoolDay(now)
  const old = db.updateTable('publishing_submission').set({ state: 9 }).where('day', 'is not distinct from', day).where('school_id', '=', school_id).where('post_id', '=', post.post_id).where('subject_user_id', '=', mine.subject_user_id).where('state', 'in', [1, 3])
  if (post.allow_resubmit) await old.execute()
  else if (post.reply_kind === reply.sign) await old.where('signed_hash', '<>', content_hash).execute()
  const { rows } = await sql`
    insert into publishing_submission (school_id, post_id, rev, answers, content, late, state, signature, signed_hash, user_id, subject_user_id, dept_id, day, at)
    values (${school_id}, ${post.post_id}, ${given.rev}, ${given.answers}::jsonb, ${given.content}, ${given.late}, 1, ${given.signature}, ${given.signed_hash}, ${me.user_id}, ${mine.subject_user_id}, ${dept?.dept_id ?? null}::bigint,
      ${day}::date, ${now}::timestamptz)
    on conflict (school_id, post_id, subject_user_id, day) where state in (1, 3) and subject_user_id is not null do nothing returning submission_id`.execute(db)
  if (rows.length === 0) throw await alreadyThere(ctx, post.post_id, mine.subject_user_id, day)
  await db.updateTable('publishing_recipient').set({ submitted_at: now, submit_rev: post.rev, late: given.late }).where('school_id', '=', school_id).where('sent_month', '=', mine.sent_month).where('post_id', '=', post.post_id).where('subject_user_id', '=', mine.subject_user_id).execute()
}

async function alreadyThere({ db, school_id }: PublishingCtx, post_id: string, subject_user_id: string, day: string | null) {
  const { rows: [row] } = await sql<{ name: string | null; at: Date }>`
    select n.display_name as name, s.at from publishing_submission s left join person_label n on n.school_id = ${school_id} and n.user_id = s.user_id
    where s.school_id = ${school_id} and s.post_id = ${post_id} and s.subject_user_id = ${subject_user_id} and s.state in (1, 3)
      and s.day is not distinct from ${day}::date order by s.at limit 1`.execute(db)
  const time = row ? new Date(row.at.getTime() + 8 * 3_600_000).toISOString().slice(0, 16).replace('T', ' ') : ''
  return fail(publishingErrors.alreadySubmitted, { params: { name: row?.name ?? '', time } })
}

/** What was submitted for one child, to look at or to send again. */
export async function readSubmission(ctx: PublishingCtx, { id, subject_user_id }: Input<typeof readerApi.submission>): Promise<Reply<typeof readerApi.submission>> {
  const { rows } = await requireMine(ctx, id)
  if (!rows.some(row => row.subject_user_id === subject_user_id)) throw fail(commonErrors.notFound)
  const found = await ctx.db.selectFrom('publishing_submission').select(['answers', 'content', 'at', 'note']).where('school_id', '=', ctx.school_id).where('post_id', '=', id).where('subject_user_id', '=', subject_user_id).where('state', '<>', 9).orderBy('submission_id', 'desc').limit(1).executeTakeFirst()
  return found ? { answers: Answers.parse(found.answers), text: found.content, at: found.at.toISOString(), note: found.note } : { answers: {}, text: '', at: null, note: null }
}

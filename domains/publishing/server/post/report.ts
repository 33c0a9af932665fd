import { Answers, Form, PostReport, SubmissionRow } from '@campus/publishing/contract'
import type { FormField, noticeApi } from '@campus/publishing/contract'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { pageTotal } from '@kit/server/db'
import { sql } from 'kysely'
import { z } from 'zod'
import type { PublishingCtx } from '../db.ts'
import { requireDept, scopesOf } from '../depts.ts'
import { requirePost, sliceOf, units } from './post.queries.ts'
import type { Family, Post } from './post.queries.ts'

const [fine_ms, coarse_ms, fine_hours] = [600_000, 3_600_000, 24] as const
/** Answers of an anonymous survey are shown from so many on (chapter 60 rule 18). */
const least_answers = 5
const most_texts = 50
const [given, reviewed, returned] = [1, 3, 2] as const

/** The figures of one post (chapter 60 §4.1). */
export async function reportPost(ctx: PublishingCtx, family: Family, { notice_id }: { notice_id: string }): Promise<Reply<typeof noticeApi.report>> {
  const { db, school_id } = ctx
  const { post, scopes } = await requirePost(ctx, family, notice_id)
  const slice = sliceOf(ctx, scopes, post)
  const own = sql`r.post_id = ${notice_id} and ${slice}`
  const { rows: by_dept } = await sql<{ dept_id: string; dept_name: string; expected: number; read: number; submitted: number; unreachable: number; joined: number; phoned: number }>`
    select coalesce(u.dept_id, 0)::text as dept_id, coalesce(max(d.dept_name), '未分部门') as dept_name, count(*)::int as expected, (count(*) filter (where u.read))::int as read,
      (count(*) filter (where u.submitted))::int as submitted, (count(*) filter (where u.unreachable))::int as unreachable, (count(*) filter (where u.joined = 1))::int as joined, (count(*) filter (where u.phoned))::int as phoned
    from (${units(school_id, own)}) u left join dept_now d on d.school_id = ${school_id} and d.id = u.dept_id group by u.dept_id order by max(d.node_path)`.execute(db)
  const { rows: reads } = await sql<{ read_at: Date }>`select u.read_at from (${units(school_id, own)}) u where u.read and u.read_at is not null order by u.read_at`.execute(db)
  const { rows: by_reach_reason } = await sql<{ reason: number; n: number }>`
    select r.reach_reason::int as reason, count(*)::int as n from publishing_recipient r where r.school_id = ${school_id} and r.reach = 2 and r.left_at is null and ${own} group by r.reach_reason order by 1`.execute(db)
  const { rows: [gone] } = await sql<{ n: number }>`select count(*)::int as n from publishing_recipient r where r.school_id = ${school_id} and r.left_at is not null and ${own}`.execute(db)
  const total = (name: 'expected' | 'read' | 'submitted' | 'unreachable' | 'joined' | 'phoned') => by_dept.reduce((sum, row) => sum + row[name], 0)
  return PostReport.parse({
    expected: total('expected'), read: total('read'), submitted: total('submitted'), unreachable: total('unreachable'), phoned: total('phoned'), left: gone?.n ?? 0, late_joined: total('joined'),
    median_minutes: medianOf(post, reads.map(row => row.read_at)), by_dept, curve: curveOf(post, reads.map(row => row.read_at)), by_reach_reason, ...(await talliesOf(ctx, post, slice)),
  })
}

function medianOf({ sent_at }: Post, reads: readonly Date[]): number | null {
  const middle = reads[Math.floor(reads.length / 2)]
  return sent_at === null || !middle ? null : Math.round((middle.getTime() - sent_at.getTime()) / 60_000)
}

/** How many had read by when: every ten minutes on the first day, then every hour. */
function curveOf({ sent_at }: Post, reads: readonly Date[]): { at: string; read: number }[] {
  if (sent_at === null) return []
  const by_step = new Map<number, number>()
  reads.forEach((read_at, at) => {
    const passed = read_at.getTime() - sent_at.getTime()
    const step = passed < fine_hours * coarse_ms ? fine_ms : coarse_ms
    by_step.set(sent_at.getTime() + Math.ceil(passed / step) * step, at + 1)
  })
  return [...by_step].map(([at, read]) => ({ at: new Date(at).toISOString(), read }))
}

async function talliesOf({ db, school_id }: PublishingCtx, post: Post, slice: ReturnType<typeof sliceOf>): Promise<Pick<PostReport, 'fields' | 'hidden_answers'>> {
  const rev = await db.selectFrom('publishing_post_rev').select('form').where('school_id', '=', school_id).where('post_id', '=', post.post_id).where('rev', '=', post.rev).executeTakeFirstOrThrow()
  const form = Form.parse(rev.form)
  if (form.length === 0) return { fields: [], hidden_answers: false }
  const { rows } = await sql<{ answers: unknown }>`select r.answers from publishing_submission r where r.school_id = ${school_id} and r.post_id = ${post.post_id} and r.state in (${given}, ${reviewed}) and (r.user_id is null or ${slice}) order by r.submission_id`.execute(db)
  if (post.anonymous && rows.length < least_answers) return { fields: [], hidden_answers: true }
  const answers = rows.map(row => Answers.parse(row.answers))
  return { fields: form.filter(field => field.type !== 'note').map(field => tallyOf(field, answers)), hidden_answers: false }
}

function tallyOf({ key, label, type, options }: FormField, answers: readonly Answers[]): PostReport['fields'][number] {
  const values = answers.flatMap(one => (one[key] === undefined ? [] : [[one[key]].flat()]))
  const is_choice = type === 'single' || type === 'multi'
  return {
    key, label, type, answered: values.length, options: is_choice ? options.map(text => ({ text, n: values.filter(own => own.includes(text)).length })) : [],
    texts: is_choice ? [] : values.flat().slice(-most_texts),
  }
}

const instant = z.date().transform(at => at.toISOString())

/** What was submitted, the latest first; of an anonymous survey there is no list of people. */
export async function listSubmissions(ctx: PublishingCtx, family: Family, query: Input<typeof noticeApi.submissions>): Promise<Reply<typeof noticeApi.submissions>> {
  const { db, school_id } = ctx
  const { post, scopes } = await requirePost(ctx, family, query.notice_id)
  if (query.dept_id !== undefined) await requireDept(ctx, 'all', query.dept_id)
  if (post.anonymous) return { list: [], total: 0 }
  const rev = await db.selectFrom('publishing_post_rev').select('content_hash').where('school_id', '=', school_id).where('post_id', '=', post.post_id).where('rev', '=', post.rev).executeTakeFirstOrThrow()
  const page = (limit: number, offset: number) => sql<{ total: number }>`
    select r.submission_id::text as id, r.day::text as day, coalesce(u.display_name, '') as user_name, coalesce(n.display_name, '') as subject_name, d.dept_name, r.at, r.late, r.state::int as state, r.answers, r.content,
      r.signature, coalesce(r.signed_hash = ${rev.content_hash}, false) as signed_current, r.grade, r.note, (count(*) over ())::int as total
    from publishing_submission r
    left join person_label u on u.school_id = ${school_id} and u.user_id = r.user_id
    left join person_label n on n.school_id = ${school_id} and n.user_id = r.subject_user_id
    left join dept_now d on d.school_id = ${school_id} and d.id = r.dept_id
    where r.school_id = ${school_id} and r.post_id = ${query.notice_id} and r.state <> 9 and ${sliceOf(ctx, scopes, post)} and ${query.dept_id === undefined ? sql`true` : sql`r.dept_id = ${query.dept_id}`}
    order by r.submission_id desc limit ${limit} offset ${offset}`.execute(db)
  const { rows } = await page(query.page_size, (query.page_index - 1) * query.page_size)
  const list = z.array(z.looseObject({ at: instant, content: z.string(), answers: Answers })).parse(rows)
  return { total: await pageTotal(rows, query.page_index, async () => (await page(1, 0)).rows), list: list.map(({ content, answers, ...row }) => SubmissionRow.parse({ ...row, answers: content === '' ? answers : { ...answers, text: content } })) }
}

async function requireSubmissions(ctx: PublishingCtx, family: Family, ids: readonly string[]): Promise<void> {
  const rows = await ctx.db.selectFrom('publishing_submission').select(['submission_id', 'post_id', 'dept_id']).where('school_id', '=', ctx.school_id).where('submission_id', 'in', [...ids]).forUpdate().execute()
  await scopesOf(ctx)
  if (rows.length < new Set(ids).size) throw fail(commonErrors.notFound)
  for (const post_id of new Set(rows.map(row => row.post_id))) await requirePost(ctx, family, post_id)
}

/** 退回: the family may, and has to, submit anew. */
export async function giveBack(ctx: PublishingCtx, family: Family, { id, reason }: Input<typeof noticeApi.giveBack>): Promise<Record<string, never>> {
  const { db, school_id } = ctx
  await requireSubmissions(ctx, family, [id])
  const row = await db.updateTable('publishing_submission').set({ state: returned, note: reason }).where('school_id', '=', school_id).where('submission_id', '=', id).returning(['post_id', 'subject_user_id', 'day']).executeTakeFirstOrThrow()
  // Of a check-in that repeats the receipt is about today alone.
  const is_current = row.day === null || row.day === schoolDay(ctx.now)
  if (row.subject_user_id !== null && is_current) await db.updateTable('publishing_recipient').set({ submitted_at: null, submit_rev: null, late: null }).where('school_id', '=', school_id).where('post_id', '=', row.post_id).where('subject_user_id', '=', row.subject_user_id).execute()
  ctx.note({ target_kind: family.noun, target_id: row.post_id, reason })
  return {}
}

/** 批阅 of several at once. */
export async function review(ctx: PublishingCtx, family: Family, { ids, grade, note }: Input<typeof noticeApi.review>): Promise<{ changed: number }> {
  await requireSubmissions(ctx, family, ids)
  const { numUpdatedRows } = await ctx.db.updateTable('publishing_submission').set({ state: reviewed, grade: grade === '' ? null : grade, note: note === '' ? null : note }).where('school_id', '=', ctx.school_id).where('submission_id', 'in', ids).where('state', 'in', [given, reviewed]).executeTakeFirstOrThrow()
  ctx.note({ target_kind: family.noun, target_name: `批阅 ${numUpdatedRows}份` })
  return { changed: Number(numUpdatedRows) }
}

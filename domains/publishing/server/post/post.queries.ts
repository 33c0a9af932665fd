import { addressOf } from '@campus/files/server'
import { AudienceLine, Form, PostDetail, PostRow, RepeatRule, target } from '@campus/publishing/contract'
import type { noticeApi } from '@campus/publishing/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { z } from 'zod'
import type { Db, PublishingCtx } from '../db.ts'
import { scopesOf } from '../depts.ts'
import type { Scopes } from '../depts.ts'
import { actsOf } from './acts.ts'
import type { Stage } from './acts.ts'

/** Kinds of the family of posts a call belongs to (chapter 60 §4.1). */
export type Family = { noun: string; has: (kind: string) => boolean }
type Figures = { expected: number; read: number; submitted: number; unreachable: number }
type Query = Input<typeof noticeApi.list>

const instant = z.date().transform(at => at.toISOString())
const Facts = z.object({
  id: z.string(), scene: z.number(), kind: z.string(), edition: z.number(), state: z.number(), rev: z.number(), title: z.string(), author_name: z.string().nullable(), owner_dept_name: z.string().nullable(),
  publish_at: instant.nullable(), sent_at: instant.nullable(), due_at: instant.nullable(), expire_at: instant.nullable(), created_at: instant, created_by: z.string(), reply_kind: z.number(), row_version: z.number(), total: z.number(),
})

/** Posts as the acting identity may see them: its own, those of its departments, and those that went to its classes. */
function visible(ctx: PublishingCtx, { student, staff }: Scopes): RawBuilder<unknown> {
  const all = [student === 'all' ? 1 : 0, staff === 'all' ? 2 : 0].filter(scene => scene > 0)
  const depts = [...(student === 'all' ? [] : student), ...(staff === 'all' ? [] : staff)]
  return sql`(p.scene = any(${all}::int[]) or p.created_by = ${ctx.me.user_id} or p.owner_dept_id = any(${depts}::bigint[])
    or p.post_id in (select r.post_id from publishing_recipient r where r.school_id = ${ctx.school_id} and r.dept_id = any(${depts}::bigint[])))`
}

/** One page of the posts of a family. */
export async function listPosts(ctx: PublishingCtx, family: Family, query: Query): Promise<Reply<typeof noticeApi.list>> {
  const { db, school_id, me } = ctx
  const scopes = await scopesOf(ctx)
  const which = conditionsOf(ctx, scopes, family, query)
  const { rows } = await readPosts(db, school_id, which, query.page_size, (query.page_index - 1) * query.page_size)
  const list = z.array(Facts).parse(rows)
  const figures = await countUnits(ctx, scopes, list)
  const texts = await audienceTexts(db, school_id, list.map(row => row.id))
  const total = list[0]?.total ?? (query.page_index === 1 ? 0 : await countPosts(db, school_id, which))
  return { total, list: list.map(({ total: _total, created_by, ...row }) => PostRow.parse({ ...row, ...asRow(row, figures.get(row.id)), audience_text: texts.get(row.id) ?? '', can: actsOf(me, family.noun, { ...row, created_by }) })) }
}

function asRow({ state }: { state: number }, figures: Figures | undefined) {
  const { expected, ...rest } = figures ?? { expected: null, read: 0, submitted: 0, unreachable: 0 }
  return { state: String(state), expected, ...rest }
}

function readPosts(db: Db, school_id: number, which: RawBuilder<unknown>, limit: number, offset: number) {
  return sql`
    select p.post_id::text as id, p.scene::int as scene, p.kind, p.edition::int as edition, p.state::int as state, p.rev, v.title, a.display_name as author_name, d.dept_name as owner_dept_name,
      p.publish_at, p.sent_at, p.due_at, p.expire_at, p.created_at, p.created_by::text as created_by, p.reply_kind::int as reply_kind, p.row_version, p.total
    from (select p.*, (count(*) over ())::int as total from publishing_post p where p.school_id = ${school_id} and ${which}
      order by coalesce(p.sent_at, p.created_at) desc, p.post_id desc limit ${limit} offset ${offset}) p
    join publishing_post_rev v on v.school_id = ${school_id} and v.post_id = p.post_id and v.rev = p.rev
    left join person_label a on a.school_id = ${school_id} and a.user_id = p.created_by
    left join dept_now d on d.school_id = ${school_id} and d.id = p.owner_dept_id
    order by coalesce(p.sent_at, p.created_at) desc, p.post_id desc`.execute(db)
}

async function countPosts(db: Db, school_id: number, which: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from publishing_post p where p.school_id = ${school_id} and ${which}`.execute(db)
  return rows[0]?.n ?? 0
}

function conditionsOf(ctx: PublishingCtx, scopes: Scopes, family: Family, query: Query): RawBuilder<unknown> {
  const { school_id, me } = ctx
  const all: RawBuilder<unknown>[] = [visible(ctx, scopes), family.has('6') ? sql`p.kind = '6'` : sql`p.kind <> '6'`]
  if (query.scene !== undefined) all.push(sql`p.scene = ${query.scene}`)
  if (query.edition !== undefined) all.push(sql`p.edition = ${query.edition}`)
  if (query.kind !== undefined) all.push(sql`p.kind = ${query.kind}`)
  if (query.state !== undefined) all.push(sql`p.state = ${Number(query.state)}`)
  if (query.mine !== undefined) all.push(query.mine ? sql`p.created_by = ${me.user_id}` : sql`p.created_by <> ${me.user_id}`)
  if (query.from !== undefined) all.push(sql`coalesce(p.sent_at, p.created_at) >= ${new Date(`${query.from}T00:00:00+08:00`)}::timestamptz`)
  if (query.to !== undefined) all.push(sql`coalesce(p.sent_at, p.created_at) < ${new Date(`${query.to}T24:00:00+08:00`)}::timestamptz`)
  if (query.keyword !== undefined) {
    all.push(sql`(p.post_id in (select v.post_id from publishing_post_rev v where v.school_id = ${school_id} and strpos(v.title, ${query.keyword}) > 0)
      or p.created_by in (select a.user_id from person_label a where a.school_id = ${school_id} and strpos(a.display_name, ${query.keyword}) > 0))`)
  }
  return sql.join(all, sql` and `)
}

/** What of a post's rows the acting identity may look into: everything of its own posts, of others its classes alone (chapter 60 rule 6). */
export function sliceOf(ctx: PublishingCtx, scopes: Scopes, post: { scene: number; created_by: string }): RawBuilder<boolean> {
  const scope = post.scene === 1 ? scopes.student : scopes.staff
  if (scope === 'all' || post.created_by === ctx.me.user_id) return sql<boolean>`true`
  return sql<boolean>`r.dept_id = any(${[...scope]}::bigint[])`
}

/** Units of `r` (publishing_recipient) joined with their post: read by the rule of the post, submitted, out of reach. */
export function units(school_id: number, which: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select r.post_id, r.role, r.subject_user_id, min(r.dept_id) as dept_id, bool_or(r.submitted_at is not null) as submitted, bool_and(r.reach = 2) as unreachable, min(r.read_at) as read_at,
      max(r.joined) as joined, bool_or(r.phoned_at is not null) as phoned, bool_or(coalesce(r.late, false)) as late, case when r.role <> 2 or p.parent_rule = 1 then bool_or(r.read_at is not null) when p.parent_rule = 2 then bool_and(r.read_at is not null)
        else bool_or(r.read_at is not null and r.is_primary) end as read
    from publishing_recipient r join publishing_post p on p.school_id = ${school_id} and p.post_id = r.post_id
    where r.school_id = ${school_id} and r.left_at is null and ${which}
    group by p.parent_rule, r.post_id, r.role, r.subject_user_id`
}

async function countUnits(ctx: PublishingCtx, scopes: Scopes, posts: readonly z.output<typeof Facts>[]): Promise<Map<string, Figures>> {
  const parts = posts.filter(post => post.sent_at !== null).map(post => sql`(r.post_id = ${post.id} and ${sliceOf(ctx, scopes, post)})`)
  if (parts.length === 0) return new Map()
  const { rows } = await sql<Figures & { id: string }>`
    select u.post_id::text as id, count(*)::int as expected, (count(*) filter (where u.read))::int as read, (count(*) filter (where u.submitted))::int as submitted, (count(*) filter (where u.unreachable))::int as unreachable
    from (${units(ctx.school_id, sql`(${sql.join(parts, sql` or `)})`)}) u group by u.post_id`.execute(ctx.db)
  return new Map(rows.map(({ id, ...row }) => [id, row]))
}

type NamedLine = AudienceLine & { name: string; post_id: string }

/** The lines of audiences with their names. */
async function namedLines(db: Db, school_id: number, post_ids: readonly string[]): Promise<NamedLine[]> {
  const { rows } = await sql`
    select l.post_id::text as post_id, l.mode::int as mode, l.target_type::int as target_type, l.target_id::text as target_id,
      coalesce(d.dept_name, c.name, t.tag_name, m.display_name, '已删除') as name
    from publishing_audience l
    left join dept_now d on d.school_id = ${school_id} and l.target_type = ${target.dept} and d.id = l.target_id
    left join publishing_crowd c on c.school_id = ${school_id} and l.target_type = ${target.crowd} and c.crowd_id = l.target_id
    left join (select distinct k.tag_id, k.tag_name from person_tag_now k where k.school_id = ${school_id}) t on l.target_type = ${target.tag} and t.tag_id = l.target_id
    left join person_label m on m.school_id = ${school_id} and l.target_type = ${target.person} and m.user_id = l.target_id
    where l.school_id = ${school_id} and l.post_id = any(${[...post_ids]}::bigint[]) order by l.post_id, l.line_no`.execute(db)
  return z.array(AudienceLine.extend({ name: z.string(), post_id: z.string() }).loose()).parse(rows)
}

async function audienceTexts(db: Db, school_id: number, post_ids: readonly string[]): Promise<Map<string, string>> {
  if (post_ids.length === 0) return new Map()
  const lines = Map.groupBy((await namedLines(db, school_id, post_ids)).filter(line => line.mode === 1), line => line.post_id)
  return new Map([...lines].map(([post_id, own]) => [post_id, own.length > 2 ? `${own.slice(0, 2).map(line => line.name).join('、')}等${own.length}项` : own.map(line => line.name).join('、')]))
}

export const Post = z.object({
  post_id: z.string(), scene: z.number(), kind: z.string(), edition: z.number(), state: z.number(), rev: z.number(), publish_at: z.date().nullable(), sent_at: z.date().nullable(), sent_month: z.string().nullable(),
  due_at: z.date().nullable(), expire_at: z.date().nullable(), reply_kind: z.number(), parent_rule: z.number(), receivers: z.number(), allow_late: z.boolean(), allow_resubmit: z.boolean(), anonymous: z.boolean(),
  must_read: z.boolean(), subject: z.string().nullable(), est_minutes: z.number().nullable(), owner_dept_id: z.string().nullable(), created_by: z.string(), row_version: z.number(), override_reason: z.string().nullable(),
  approve_reason: z.string().nullable(), recall_reason: z.string().nullable(), expected_count: z.number().nullable(), created_at: z.date(),
  repeat_rule: RepeatRule.nullable(),
})
export type Post = z.output<typeof Post>

/** One post of the school, locked where it is to change. */
export async function findPost(db: Db, school_id: number, post_id: string, lock = false): Promise<Post | null> {
  const query = db.selectFrom('publishing_post').selectAll().where('school_id', '=', school_id).where('post_id', '=', post_id)
  const row = await (lock ? query.forUpdate() : query).executeTakeFirst()
  return row ? Post.parse(row) : null
}

/** A post of the family that the acting identity may see. @throws Refusal 404 */
export async function requirePost(ctx: PublishingCtx, family: Family, post_id: string, lock = false): Promise<{ post: Post; scopes: Scopes; stage: Stage }> {
  const scopes = await scopesOf(ctx)
  const { rows } = await sql`select 1 as one from publishing_post p where p.school_id = ${ctx.school_id} and p.post_id = ${post_id} and ${visible(ctx, scopes)}`.execute(ctx.db)
  const post = rows.length === 0 ? null : await findPost(ctx.db, ctx.school_id, post_id, lock)
  if (!post || !family.has(post.kind)) throw fail(commonErrors.notFound)
  return { post, scopes, stage: { state: post.state, created_by: post.created_by } }
}

/** The whole post for its page. @throws Refusal 404 */
export async function readPost(ctx: PublishingCtx, family: Family, post_id: string): Promise<Reply<typeof noticeApi.detail>> {
  const { db, school_id, me } = ctx
  const { post, scopes } = await requirePost(ctx, family, post_id)
  const [row] = z.array(Facts).parse((await readPosts(db, school_id, sql`p.post_id = ${post_id}`, 1, 0)).rows)
  const rev = await db.selectFrom('publishing_post_rev').selectAll().where('school_id', '=', school_id).where('post_id', '=', post_id).where('rev', '=', post.rev).executeTakeFirstOrThrow()
  if (!row) throw fail(commonErrors.notFound)
  const { total: _total, created_by, ...facts } = row
  const lines = await namedLines(db, school_id, [post_id])
  return PostDetail.parse({
    ...post, ...facts, ...asRow(row, (await countUnits(ctx, scopes, [row])).get(row.id)), due_at: facts.due_at, expire_at: facts.expire_at,
    summary: rev.summary, content_html: shownHtml(ctx, rev.content_html), content_hash: rev.content_hash, form: Form.parse(rev.form), removed_pictures: rev.removed_pictures,
    attachments: await readAttachments(ctx, post_id, post.rev), audience: lines.map(({ mode, target_type, target_id, name }) => ({ mode, target_type, target_id, name })),
    audience_text: lines.map(line => `${line.mode === 2 ? '除' : ''}${line.name}`).join('、'), can: actsOf(me, family.noun, { ...row, created_by }), revs: await readRevs(db, school_id, post_id),
  })
}

async function readRevs(db: Db, school_id: number, post_id: string) {
  const { rows } = await sql`
    select v.rev, v.title, v.at, a.display_name as by_name, v.reset_read, v.change_note from publishing_post_rev v left join person_label a on a.school_id = ${school_id} and a.user_id = v.by_user
    where v.school_id = ${school_id} and v.post_id = ${post_id} order by v.rev desc`.execute(db)
  return z.array(z.looseObject({ at: instant })).parse(rows)
}

export async function readAttachments({ app, db, school_id, now, me }: PublishingCtx, post_id: string, rev: number) {
  const rows = await db.selectFrom('publishing_attachment').select(['file_key', 'name', 'bytes']).where('school_id', '=', school_id).where('post_id', '=', post_id).where('rev', '=', rev).orderBy('order_no').execute()
  return rows.map(row => ({ ...row, bytes: Number(row.bytes), address: addressOf(app, now, { school_id, file_key: row.file_key, visibility: 'school' }, me) }))
}

/** The stored text with addresses in the place of the file keys of its pictures. */
export function shownHtml({ app, now, me, school_id }: PublishingCtx, html: string): string {
  return html.replaceAll(/<img src="([^"]+)"/g, (_, file_key: string) => `<img src="${addressOf(app, now, { school_id, file_key, visibility: 'school' }, me).replaceAll('&', '&amp;')}"`)
}

import { createHash } from 'node:crypto'
import { claim, hold, release } from '@campus/files/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { cleanRichText, rich_text_version } from '@kit/server/rich-text'
import type { CleanedText } from '@kit/server/rich-text'
import type { Pre } from '@kit/server/http'
import { insertMany } from '@kit/server/db'
import { checkin_kind, Form, post_state, publishingErrors, reply, survey_kind } from '@campus/publishing/contract'
import type { FormField, noticeApi, PostDraft } from '@campus/publishing/contract'
import type { PublishingCtx, Work } from '../db.ts'
import { scopesOf } from '../depts.ts'
import { planHomeworkWeek } from './homework-week.ts'
import { checkTargets } from './targets.ts'
import { requirePost } from './post.queries.ts'
import type { Family, Post } from './post.queries.ts'
import { revisePost } from './revise.ts'

type Update = Input<typeof noticeApi.update>
type Files = { cleaned: CleanedText; enter: (ctx: PublishingCtx, post_id: string) => Promise<void> }
const { draft, rejected, sent } = post_state
const byte_limit = 200 * 1024
const shortened = 117

const refOf = (post_id: string) => ({ ref_kind: 'publishing.post', ref_id: post_id })

/** Cleans the text and checks its files before the transaction. @throws Refusal contentTooLarge; 404, 415 for files */
export async function prepareFiles(pre: Pre, asked: Pick<PostDraft, 'content_html' | 'attachments'>, post_id?: string): Promise<Files> {
  if (!pre.me) throw fail(commonErrors.unauthorized)
  const cleaned = cleanRichText(asked.content_html, pre.me)
  if (Buffer.byteLength(cleaned.html) > byte_limit) throw fail(publishingErrors.contentTooLarge)
  const keys = [...new Set([...cleaned.file_keys, ...asked.attachments.map(one => one.file_key)])]
  const enters: Awaited<ReturnType<typeof claim>>[] = []
  for (const file_key of keys) enters.push(await claim(pre, { file_key, purpose: 'notice', ...(post_id === undefined ? {} : { held_by: refOf(post_id) }) }))
  return { cleaned, enter: async (ctx, id) => { for (const enter of enters) await enter(ctx, refOf(id)) } }
}

/** What cannot be left to the schema: a kind has its own obligations. */
function checkDraft(family: Family, asked: PostDraft): void {
  const say = (failure: (typeof publishingErrors)[keyof typeof publishingErrors], field: string) => fail(failure, { errors: [{ field, msg: failure.msg }] })
  if (!family.has(asked.kind)) throw say(commonErrors.malformed, 'kind')
  if (asked.due_at !== null && asked.expire_at !== null && Date.parse(asked.due_at) > Date.parse(asked.expire_at)) throw say(publishingErrors.dueAfterExpire, 'due_at')
  if (asked.reply_kind === reply.form && asked.form.every(field => field.type === 'note')) throw say(publishingErrors.formMissing, 'form')
  if (asked.anonymous && (asked.kind !== survey_kind || asked.reply_kind !== reply.form)) throw say(publishingErrors.anonymousNeedsForm, 'anonymous')
  if (asked.repeat_rule !== null && asked.kind !== checkin_kind) throw say(publishingErrors.checkinOnly, 'repeat_rule')
  if (asked.repeat_rule !== null && asked.reply_kind !== reply.form && asked.reply_kind !== reply.text) {
    throw say(publishingErrors.checkinReply, 'reply_kind')
  }
  if (asked.kind === '3' && asked.subject === null) throw say(publishingErrors.subjectMissing, 'subject')
  if (asked.kind === '3' && asked.est_minutes === null) throw say(publishingErrors.minutesMissing, 'est_minutes')
}

/** A new draft. */
export async function addPost(ctx: PublishingCtx, family: Family, asked: PostDraft, files: Files): Promise<Reply<typeof noticeApi.add>> {
  const { db, school_id, now, me } = ctx
  await scopesOf(ctx)
  checkDraft(family, asked)
  await checkTargets(ctx, asked.scene, asked.audience)
  const { post_id } = await db.insertInto('publishing_post').values({
    school_id, ...columnsOf(asked), scene: asked.scene, state: draft, owner_dept_id: await homeOf(ctx), created_at: now, created_by: me.user_id, updated_at: now,
  }).returning('post_id').executeTakeFirstOrThrow()
  await writeRev(ctx, { post_id, rev: 1, reset_read: false, change_note: null }, asked, files.cleaned)
  await writeAudience(ctx, post_id, asked)
  await files.enter(ctx, post_id)
  ctx.note({ target_kind: family.noun, target_id: post_id, target_name: asked.title })
  return { id: post_id, removed_pictures: files.cleaned.removed_pictures }
}

/** The department under which the author works, whose head sees the post too. */
async function homeOf({ db, school_id, me }: PublishingCtx): Promise<string | null> {
  const found = await db.selectFrom('live_staff').select('primary_dept_id').where('school_id', '=', school_id).where('user_id', '=', me.user_id).executeTakeFirst()
  return found?.primary_dept_id ?? null
}

/** A draft is written over; a published post gets a new revision, its text never changes (chapter 60 rule 14). @throws Refusal stale, postNotEditable, formFrozen */
export async function updatePost(ctx: PublishingCtx, family: Family, asked: Update, files: Files): Promise<Reply<typeof noticeApi.update>> {
  const { db, school_id, now, me } = ctx
  const { post } = await requirePost(ctx, family, asked.id, true)
  checkDraft(family, asked)
  await checkTargets(ctx, post.scene, asked.audience)
  if (post.row_version !== asked.row_version) throw fail(publishingErrors.stale)
  if (post.created_by !== me.user_id || ![draft, rejected, sent].some(state => state === post.state)) throw fail(publishingErrors.postNotEditable)
  const { id, row_version, reset_read, change_note, ...wished } = asked
  const is_sent = post.state === sent
  if (is_sent) await requireSameForm(ctx, post, wished.form)
  const rev = is_sent ? post.rev + 1 : post.rev
  if (!is_sent) await db.deleteFrom('publishing_post_rev').where('school_id', '=', school_id).where('post_id', '=', id).where('rev', '=', rev).where('published', '=', false).execute()
  await writeRev(ctx, { post_id: id, rev, reset_read, change_note: change_note === '' ? null : change_note }, wished, files.cleaned)
  const next = is_sent ? { due_at: wished.due_at, expire_at: wished.expire_at, allow_late: wished.allow_late } : { ...columnsOf(wished), state: draft }
  await db.updateTable('publishing_post').set({ ...next, rev, row_version: row_version + 1, updated_at: now }).where('school_id', '=', school_id).where('post_id', '=', id).execute()
  if (is_sent) await reviseSent(ctx, { ...post, rev }, wished.due_at, reset_read)
  else await writeAudience(ctx, id, wished)
  await files.enter(ctx, id)
  ctx.note({ target_kind: family.noun, target_id: id, target_name: wished.title, before: { rev: post.rev }, after: { rev } })
  return { id, removed_pictures: files.cleaned.removed_pictures }
}

/** Homework that is due on another day now belongs to another week. */
async function reviseSent(ctx: PublishingCtx, post: Post, due_at: string | null, reset_read: boolean): Promise<void> {
  await revisePost(ctx, post, reset_read)
  await planHomeworkWeek(ctx, post)
  await planHomeworkWeek(ctx, { kind: post.kind, due_at: due_at === null ? null : new Date(due_at) })
}

/** After the first answer a form only grows (chapter 60 rule 16). */
async function requireSameForm({ db, school_id }: PublishingCtx, post: Post, form: readonly FormField[]): Promise<void> {
  const answered = await db.selectFrom('publishing_submission').select('submission_id').where('school_id', '=', school_id).where('post_id', '=', post.post_id).limit(1).executeTakeFirst()
  if (!answered) return
  const rev = await db.selectFrom('publishing_post_rev').select('form').where('school_id', '=', school_id).where('post_id', '=', post.post_id).where('rev', '=', post.rev).executeTakeFirstOrThrow()
  const kept = Form.parse(rev.form).every(old => {
    const now = form.find(field => field.key === old.key)
    return now?.type === old.type && old.options.every(option => now.options.includes(option)) && (old.required || !now.required)
  })
  const fresh = form.filter(field => field.required && !Form.parse(rev.form).some(old => old.key === field.key))
  if (!kept || fresh.length > 0) throw fail(publishingErrors.formFrozen)
}

/** @throws Refusal postNotDeletable */
export async function removePost(ctx: PublishingCtx, family: Family, { id }: { id: string }): Promise<Record<string, never>> {
  const { stage } = await requirePost(ctx, family, id, true)
  if (![draft, post_state.cancelled, rejected].some(state => state === stage.state)) throw fail(publishingErrors.postNotDeletable)
  await ctx.db.deleteFrom('publishing_post').where('school_id', '=', ctx.school_id).where('post_id', '=', id).execute()
  await release(ctx, refOf(id))
  ctx.note({ target_kind: family.noun, target_id: id })
  return {}
}

/** A new draft of the same content; an old edition becomes a new one where that is asked for (chapter 60 rule 22). */
export async function copyPost(ctx: PublishingCtx, family: Family, { id, edition }: { id: string; edition?: number | undefined }): Promise<{ id: string }> {
  const { db, school_id, now, me } = ctx
  const { post } = await requirePost(ctx, family, id)
  const rev = await db.selectFrom('publishing_post_rev').selectAll().where('school_id', '=', school_id).where('post_id', '=', id).where('rev', '=', post.rev).executeTakeFirstOrThrow()
  const form = Form.parse(rev.form)
  const becomes_new = edition === 2 && post.edition === 1 && post.reply_kind === reply.text
  const asked_form: FormField[] = becomes_new ? [{ key: 'f1', type: 'area', label: '回复内容', required: true, options: [], min: null, max: null, when: null }] : form
  const { scene, kind, parent_rule, receivers, allow_late, allow_resubmit, anonymous, must_read, subject, est_minutes } = post
  const repeat_rule = post.repeat_rule === null ? null : JSON.stringify(post.repeat_rule)
  const { post_id } = await db.insertInto('publishing_post').values({
    school_id, scene, kind, edition: edition ?? post.edition, state: draft, reply_kind: becomes_new ? reply.form : post.reply_kind, parent_rule, receivers, allow_late, allow_resubmit, anonymous, must_read, subject, est_minutes, repeat_rule,
    owner_dept_id: await homeOf(ctx), created_at: now, created_by: me.user_id, updated_at: now,
  }).returning('post_id').executeTakeFirstOrThrow()
  const { title, summary, content_html, content_text, sanitiser_ver, removed_pictures } = rev
  await db.insertInto('publishing_post_rev').values({
    school_id, post_id, rev: 1, title, summary, content_html, content_text, sanitiser_ver, removed_pictures, form: JSON.stringify(asked_form), content_hash: rev.content_hash, reset_read: false, published: false, at: now, by_user: me.user_id,
  }).execute()
  const lines = await db.selectFrom('publishing_audience').select(['line_no', 'mode', 'target_type', 'target_id']).where('school_id', '=', school_id).where('post_id', '=', id).execute()
  await insertMany(db, 'publishing_audience', lines.map(line => ({ school_id, post_id, ...line })))
  const files = await db.selectFrom('publishing_attachment').select(['order_no', 'file_key', 'name', 'bytes']).where('school_id', '=', school_id).where('post_id', '=', id).where('rev', '=', post.rev).execute()
  await insertMany(db, 'publishing_attachment', files.map(file => ({ school_id, post_id, rev: 1, ...file })))
  const pictures = [...content_html.matchAll(/<img src="([^"]+)"/g)].map(([, key = '']) => key)
  for (const file_key of new Set([...pictures, ...files.map(file => file.file_key)])) await hold(ctx, file_key, refOf(post_id))
  ctx.note({ target_kind: family.noun, target_id: post_id, target_name: title })
  return { id: post_id }
}

function columnsOf(asked: Omit<PostDraft, 'scene'>) {
  const { kind, edition, reply_kind, parent_rule, receivers, allow_late, allow_resubmit, anonymous, must_read, subject, est_minutes, due_at, expire_at } = asked
  const repeat_rule = asked.repeat_rule === null ? null : JSON.stringify(asked.repeat_rule)
  return {
    kind, edition, reply_kind, parent_rule, receivers, allow_late, allow_resubmit, anonymous, must_read, subject, est_minutes, due_at, expire_at,
    repeat_rule,
  }
}

type Author = Pick<PublishingCtx, 'db' | 'school_id' | 'now' | 'me'>

type NewRev = { post_id: string; rev: number; reset_read: boolean; change_note: string | null }

async function writeRev({ db, school_id, now, me }: Author, how: NewRev, asked: Pick<PostDraft, 'title' | 'summary' | 'form' | 'attachments'>, cleaned: CleanedText): Promise<void> {
  const content_hash = createHash('sha256').update(JSON.stringify([asked.title, cleaned.html, asked.form, asked.attachments.map(one => one.file_key)])).digest('hex')
  const signs = [...cleaned.text]
  const summary = asked.summary === '' ? (signs.length > shortened ? `${signs.slice(0, shortened).join('')}…` : cleaned.text) : asked.summary
  await db.insertInto('publishing_post_rev').values({
    school_id, title: asked.title, summary, content_html: cleaned.html, content_text: cleaned.text, sanitiser_ver: rich_text_version, form: JSON.stringify(asked.form), content_hash,
    removed_pictures: cleaned.removed_pictures, ...how, published: false, at: now, by_user: me.user_id,
  }).execute()
  await insertMany(db, 'publishing_attachment', asked.attachments.map((file, at) => ({ school_id, post_id: how.post_id, rev: how.rev, order_no: at + 1, ...file })))
}

async function writeAudience({ db, school_id }: Pick<Work, 'db' | 'school_id'>, post_id: string, { audience }: Pick<PostDraft, 'audience'>): Promise<void> {
  await db.deleteFrom('publishing_audience').where('school_id', '=', school_id).where('post_id', '=', post_id).execute()
  await insertMany(db, 'publishing_audience', audience.map((line, at) => ({ school_id, post_id, line_no: at + 1, ...line })))
}

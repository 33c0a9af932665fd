import { monthOf, insertMany } from '@kit/server/db'
import { publish, setTimer } from '@kit/server/event'
import { homework_kind, NOTICE_STATE, post_state, publishingErrors, publishingEvents } from '@campus/publishing/contract'
import type { noticeApi } from '@campus/publishing/contract'
import { withdraw } from '@campus/messages/server'
import { fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { z } from 'zod'
import type { PublishingCtx, Work } from '../db.ts'
import { isIn, scopesOf } from '../depts.ts'
import type { Scopes } from '../depts.ts'
import { hashOf, resolveAudience, unbound, unitsOf } from './audience.ts'
import type { Reader } from './audience.ts'
import { releaseMinutes, reserveMinutes } from './homework.ts'
import { planHomeworkWeek } from './homework-week.ts'
import { requirePost } from './post.queries.ts'
import type { Family, Post } from './post.queries.ts'

type Publish = Input<typeof noticeApi.publish>
type Changed = Reply<typeof noticeApi.publish>
const { draft, waiting, sent, recalled, cancelled, expired, rejected, planned } = post_state
/** Units from which another person has to approve (chapter 60 §2.1). */
export const approval_from = 500
const most_names = 20
export const [publish_kind, expire_kind] = ['publishing.publish', 'publishing.expire'] as const
const lines_schema = z.array(z.object({ mode: z.union([z.literal(1), z.literal(2)]), target_type: z.union([z.literal(1), z.literal(2), z.literal(4), z.literal(5)]), target_id: z.string() }))

/** The exact set of a post's lines, as of now. */
export async function readersOf(work: Pick<Work, 'db' | 'school_id'>, post: Post): Promise<Reader[]> {
  const lines = await work.db.selectFrom('publishing_audience').select(['mode', 'target_type', 'target_id']).where('school_id', '=', work.school_id).where('post_id', '=', post.post_id).orderBy('line_no').execute()
  return resolveAudience(work, { scene: post.scene, receivers: post.receivers, audience: lines_schema.parse(lines) })
}

/** Why a set cannot be sent to by this identity; null when it can. */
export function audienceProblem(scopes: Scopes, scene: number, readers: readonly Reader[]): string | null {
  if (readers.length === 0) return publishingErrors.audienceEmpty.msg
  const scope = scene === 1 ? scopes.student : scopes.staff
  const names = new Set(readers.filter(one => !isIn(scope, one.dept_id)).map(one => one.dept_name ?? '未分部门'))
  return names.size === 0 ? null : publishingErrors.audienceOutOfScope.msg.replace('{names}', [...names].slice(0, most_names).join('、'))
}

/** Publishes a draft now or at a time; above the limit it waits for somebody else's approval. @throws Refusal as chapter 60 §2.1 says */
export async function publishPost(ctx: PublishingCtx, family: Family, asked: Publish): Promise<Changed> {
  const { post, scopes } = await requirePost(ctx, family, asked.id, true)
  if (post.state !== draft && post.state !== rejected) throw fail(publishingErrors.badPostState)
  return begin(ctx, family, post, scopes, asked)
}

async function begin(ctx: PublishingCtx, family: Family, post: Post, scopes: Scopes, asked: Publish): Promise<Changed> {
  const { db, school_id, now, me } = ctx
  const publish_at = asked.publish_at === null ? null : new Date(asked.publish_at)
  if (publish_at !== null && publish_at <= now) throw fail(publishingErrors.publishTimePast, { errors: [{ field: 'publish_at', msg: publishingErrors.publishTimePast.msg }] })
  if (post.expire_at !== null && post.expire_at <= (publish_at ?? now)) throw fail(publishingErrors.expireBeforePublish, { errors: [{ field: 'expire_at', msg: publishingErrors.expireBeforePublish.msg }] })
  const readers = await readersOf(ctx, post)
  requireAudience(scopes, post.scene, readers)
  if (publish_at === null) await requireUnchanged(ctx, asked.audience_hash, readers)
  const override_reason = me.codes.has('publishing.homework.override') ? asked.override_reason : null
  if (post.kind === homework_kind) await reserveMinutes(ctx, { ...post, publish_at }, readers, override_reason, now)
  const next = { ...post, publish_at, override_reason, state: unitsOf(readers) > approval_from && !me.codes.has(`${family.noun}.approve`) ? waiting : planned }
  await db.updateTable('publishing_post').set({ state: next.state, publish_at, override_reason, row_version: post.row_version + 1, updated_at: now }).where('school_id', '=', school_id).where('post_id', '=', post.post_id).execute()
  ctx.note({ target_kind: family.noun, target_id: post.post_id, before: { state: post.state }, after: { state: next.state } })
  return next.state === waiting ? changed(waiting, null) : release(ctx, next, readers)
}

function requireAudience(scopes: Scopes, scene: number, readers: readonly Reader[]): void {
  if (readers.length === 0) throw fail(publishingErrors.audienceEmpty)
  const scope = scene === 1 ? scopes.student : scopes.staff
  const names = new Set(readers.filter(one => !isIn(scope, one.dept_id)).map(one => one.dept_name ?? '未分部门'))
  if (names.size > 0) throw fail(publishingErrors.audienceOutOfScope, { params: { names: [...names].slice(0, most_names).join('、') } })
}

/** An immediate publication goes to the set that was looked at; who came since is named (chapter 60 rule 2). */
async function requireUnchanged({ db, school_id }: PublishingCtx, seen: string | null, readers: readonly Reader[]): Promise<void> {
  const day = seen?.slice(0, 8) ?? ''
  if (seen !== null && hashOf(day, readers) === seen) return
  const since = /^\d{8}$/.test(day) ? `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}` : null
  const ids = [...new Set(readers.map(one => one.subject_user_id))]
  const fresh = since === null || ids.length === 0 ? [] : await db.selectFrom('live_student').select('user_name').where('school_id', '=', school_id).where('user_id', 'in', ids).where('member_since', '>=', since).orderBy('user_id').limit(most_names).execute()
  throw fail(publishingErrors.audienceChanged, { params: { names: fresh.length === 0 ? '' : `（新增${fresh.map(one => one.user_name).join('、')}）` } })
}

/** Sends a planned post, or sets the timer that does. */
async function release(ctx: Work, post: Post, readers: readonly Reader[]): Promise<Changed> {
  if (post.publish_at !== null && post.publish_at > ctx.now) {
    await setTimer(ctx, { kind: publish_kind, ref: `${post.post_id}:${post.publish_at.getTime()}`, due_at: post.publish_at })
    return changed(planned, null)
  }
  return changed(sent, await freeze(ctx, post, readers))
}

const changed = (state: number, expected: number | null): Changed => ({ state: NOTICE_STATE.codes.find(code => code === String(state)) ?? '0', expected })

/** Writes whom the post goes to and makes it visible, in one transaction: no screen ever shows half a number (chapter 60 rule 3). @returns units */
export async function freeze(work: Work, post: Post, readers: readonly Reader[]): Promise<number> {
  const { db, school_id, now } = work
  const sent_month = `${monthOf(now)}-01`
  const expected = unitsOf(readers)
  const key = { school_id, sent_month, post_id: post.post_id }
  await insertMany(db, 'publishing_recipient', readers.map(one => ({ ...key, user_id: one.user_id, subject_user_id: one.subject_user_id, role: one.role, dept_id: one.dept_id, relation: one.relation, is_primary: one.is_primary, ...reachOf(one) })), {
    columns: ['school_id', 'sent_month', 'post_id', 'user_id', 'subject_user_id'],
  })
  await db.updateTable('publishing_post').set({ state: sent, sent_at: now, sent_month, expected_count: expected, updated_at: now }).where('school_id', '=', school_id).where('post_id', '=', post.post_id).execute()
  await db.updateTable('publishing_post_rev').set({ published: true }).where('school_id', '=', school_id).where('post_id', '=', post.post_id).where('rev', '=', post.rev).execute()
  if (post.expire_at !== null) await setTimer(work, { kind: expire_kind, ref: `${post.post_id}:${post.expire_at.getTime()}`, due_at: post.expire_at })
  await planHomeworkWeek(work, post)
  await publish(work, publishingEvents.posted, { post_id: post.post_id, scene: post.scene, kind: Number(post.kind), expected })
  return expected
}

function reachOf({ user_id, has_account }: Reader): { reach: number; reach_reason: number | null } {
  if (user_id === unbound) return { reach: 2, reach_reason: 2 }
  return has_account ? { reach: 0, reach_reason: null } : { reach: 2, reach_reason: 1 }
}

/** Somebody else lets a waiting post go out, or sends it back. @throws Refusal selfApproval, badPostState */
export async function approvePost(ctx: PublishingCtx, family: Family, { id, pass, reason }: Input<typeof noticeApi.approve>): Promise<Changed> {
  const { db, school_id, now, me } = ctx
  const { post } = await requirePost(ctx, family, id, true)
  if (post.state !== waiting) throw fail(publishingErrors.badPostState)
  if (post.created_by === me.user_id) throw fail(publishingErrors.selfApproval)
  const state = pass ? planned : rejected
  const facts = { state, approve_by: me.user_id, approve_at: now, approve_reason: reason === '' ? null : reason, row_version: post.row_version + 1, updated_at: now }
  await db.updateTable('publishing_post').set(facts).where('school_id', '=', school_id).where('post_id', '=', id).execute()
  ctx.note({ target_kind: family.noun, target_id: id, before: { state: waiting }, after: { state }, reason })
  if (pass) return release(ctx, { ...post, state }, post.publish_at !== null && post.publish_at > now ? [] : await readersOf(ctx, post))
  await releaseMinutes(ctx, id)
  return changed(rejected, null)
}

/** Nothing was sent yet. @throws Refusal postNotEditable */
export async function cancelPost(ctx: PublishingCtx, family: Family, { id }: { id: string }): Promise<Changed> {
  const { post } = await requirePost(ctx, family, id, true)
  if (post.state !== waiting && post.state !== planned) throw fail(publishingErrors.postNotEditable)
  await ctx.db.updateTable('publishing_post').set({ state: cancelled, row_version: post.row_version + 1, updated_at: ctx.now }).where('school_id', '=', ctx.school_id).where('post_id', '=', id).execute()
  await releaseMinutes(ctx, id)
  ctx.note({ target_kind: family.noun, target_id: id, before: { state: post.state }, after: { state: cancelled } })
  return changed(cancelled, null)
}

/** Takes the text away at once: readers see title and sentence, receipts stay, messages that wait are not sent (chapter 60 §7). @throws Refusal alreadyRecalled */
export async function recallPost(ctx: PublishingCtx, family: Family, { id, reason }: Input<typeof noticeApi.recall>): Promise<Changed> {
  const { db, school_id, now, me } = ctx
  const { post } = await requirePost(ctx, family, id, true)
  if (post.state === recalled) throw fail(publishingErrors.alreadyRecalled)
  if (post.state !== sent && post.state !== expired) throw fail(publishingErrors.badPostState)
  await db.updateTable('publishing_post').set({ state: recalled, recall_by: me.user_id, recall_at: now, recall_reason: reason, row_version: post.row_version + 1, updated_at: now }).where('school_id', '=', school_id).where('post_id', '=', id).execute()
  await releaseMinutes(ctx, id)
  const sendings = await db.selectFrom('publishing_remind').select('remind_id').where('school_id', '=', school_id).where('post_id', '=', id).execute()
  const revs = Array.from({ length: post.rev }, (_, at) => `r${at + 1}`)
  for (const ref of [...revs, ...sendings.map(one => `remind ${one.remind_id}`)]) await withdraw(ctx, 'publishing', `${id} ${ref}`)
  await planHomeworkWeek(ctx, post)
  await publish(ctx, publishingEvents.recalled, { post_id: id, scene: post.scene, kind: Number(post.kind), expected: post.expected_count ?? 0 })
  ctx.note({ target_kind: family.noun, target_id: id, before: { state: post.state }, after: { state: recalled }, reason })
  return changed(recalled, post.expected_count)
}

/** A recalled, cancelled or expired post goes out anew, to who belongs to it now. @throws Refusal badPostState and those of publishing */
export async function republishPost(ctx: PublishingCtx, family: Family, { reset_read, ...asked }: Input<typeof noticeApi.republish>): Promise<Changed> {
  const { db, school_id, now, me } = ctx
  const { post } = await requirePost(ctx, family, asked.id, true)
  if (post.state !== recalled && post.state !== cancelled && post.state !== expired) throw fail(publishingErrors.badPostState)
  const rev = post.rev + 1
  const old = await db.selectFrom('publishing_post_rev').selectAll().where('school_id', '=', school_id).where('post_id', '=', asked.id).where('rev', '=', post.rev).executeTakeFirstOrThrow()
  await db.insertInto('publishing_post_rev').values({ ...old, form: JSON.stringify(old.form), rev, reset_read, change_note: null, published: false, at: now, by_user: me.user_id }).execute()
  const files = await db.selectFrom('publishing_attachment').selectAll().where('school_id', '=', school_id).where('post_id', '=', asked.id).where('rev', '=', post.rev).execute()
  await insertMany(db, 'publishing_attachment', files.map(file => ({ ...file, rev })))
  const expire_at = post.expire_at !== null && post.expire_at <= now ? null : post.expire_at
  await db.updateTable('publishing_post').set({ rev, expire_at }).where('school_id', '=', school_id).where('post_id', '=', asked.id).execute()
  if (reset_read || post.sent_month !== null) await clearSent(ctx, post, reset_read)
  return begin(ctx, family, { ...post, rev, expire_at }, await scopesOf(ctx), asked)
}

/** Rows of the earlier sending: forgotten where everybody reads anew, otherwise moved to the month of the new one. */
async function clearSent({ db, school_id, now }: Work, post: Post, reset_read: boolean): Promise<void> {
  if (post.sent_month === null) return
  const rows = db.deleteFrom('publishing_recipient').where('school_id', '=', school_id).where('sent_month', '=', post.sent_month).where('post_id', '=', post.post_id)
  if (reset_read) return void (await rows.execute())
  const sent_month = `${monthOf(now)}-01`
  const kept = await rows.returningAll().execute()
  await insertMany(db, 'publishing_recipient', kept.map(row => ({ ...row, sent_month })))
}

import { NOTICE_KIND, post_state, postTemplates, publishingEvents, safety_kind } from '@campus/publishing/contract'
import { send } from '@campus/messages/server'
import { consume, publish } from '@kit/server/event'
import type { TimerKind } from '@kit/server/event'
import { workOf } from '../db.ts'
import type { Work } from '../db.ts'
import { findPost } from './post.queries.ts'
import type { Post } from './post.queries.ts'
import { expire_kind, freeze, publish_kind, readersOf } from './publish.ts'

const { sent, planned, expired, recalled } = post_state
const no_name: Readonly<Record<string, string>> = NOTICE_KIND.names
const [usual, urgent] = [1, 3] as const

/** The level of messages about a post: safety goes through quiet hours (chapter 60 rule 11). */
export const levelOf = ({ kind }: Pick<Post, 'kind'>): 1 | 3 => (kind === safety_kind ? urgent : usual)

export const publishingConsumers = [
  consume('publishing.send_first', publishingEvents.posted.name, publishingEvents.posted.payload.pick({ post_id: true }), (step, { post_id }) => sendFirst(workOf(step), post_id)),
  consume('publishing.send_recall', publishingEvents.recalled.name, publishingEvents.recalled.payload.pick({ post_id: true }), (step, { post_id }) => sendRecall(workOf(step), post_id)),
]

/** One short message to everybody who can be reached. */
async function sendFirst(work: Work, post_id: string): Promise<void> {
  const { db, school_id } = work
  const post = await findPost(db, school_id, post_id)
  if (!post || post.state !== sent || post.sent_month === null) return
  const rows = await db.updateTable('publishing_recipient').set({ reach: 1 }).where('school_id', '=', school_id).where('sent_month', '=', post.sent_month).where('post_id', '=', post_id).where('reach', '=', 0).returning(['user_id', 'subject_user_id']).execute()
  if (rows.length === 0) return
  const rev = await titleOf(work, post)
  const values = { kind: no_name[post.kind] ?? '通知', title: [...rev.title].slice(0, 40).join(''), summary: rev.summary }
  await send(work, { template: postTemplates.post, source_ref: `${post_id} r${post.rev}`, to: rows, values, level: levelOf(post) })
}

async function sendRecall(work: Work, post_id: string): Promise<void> {
  const { db, school_id } = work
  const post = await findPost(db, school_id, post_id)
  if (!post || post.state !== recalled || post.sent_month === null) return
  const rows = await db.selectFrom('publishing_recipient').select(['user_id', 'subject_user_id']).where('school_id', '=', school_id).where('sent_month', '=', post.sent_month).where('post_id', '=', post_id).where('reach', '=', 1).where('left_at', 'is', null).execute()
  if (rows.length === 0) return
  const { title } = await titleOf(work, post)
  const reason = [...(post.recall_reason ?? '')].slice(0, 90).join('')
  await send(work, { template: postTemplates.recall, source_ref: `${post_id} recall ${post.rev}`, to: rows, values: { title: [...title].slice(0, 40).join(''), reason: reason === '' ? '' : `原因：${reason}` }, level: usual })
}

export async function titleOf({ db, school_id }: Pick<Work, 'db' | 'school_id'>, { post_id, rev }: Pick<Post, 'post_id' | 'rev'>): Promise<{ title: string; summary: string }> {
  return db.selectFrom('publishing_post_rev').select(['title', 'summary']).where('school_id', '=', school_id).where('post_id', '=', post_id).where('rev', '=', rev).executeTakeFirstOrThrow()
}

const idOf = (ref: string) => ref.split(':')[0] ?? ''

/** Sends a planned post when its time has come; one whose window is over meanwhile goes out to nobody (chapter 60 rule 13). */
export const publishTimer: TimerKind = {
  kind: publish_kind,
  async run(db, due) {
    const work = workOf({ ...due, db })
    const post = await findPost(work.db, work.school_id, idOf(due.ref), true)
    if (!post || post.state !== planned || post.publish_at === null || post.publish_at > due.now) return
    if (post.expire_at !== null && post.expire_at <= due.now) return void (await work.db.updateTable('publishing_post').set({ state: expired }).where('school_id', '=', work.school_id).where('post_id', '=', post.post_id).execute())
    await freeze(work, post, await readersOf(work, post))
  },
}

/** A post whose window is over takes no submission and no reminder any more; it can still be read. */
export const expireTimer: TimerKind = {
  kind: expire_kind,
  async run(db, due) {
    const work = workOf({ ...due, db })
    const post = await findPost(work.db, work.school_id, idOf(due.ref), true)
    if (!post || post.state !== sent || post.expire_at === null || post.expire_at > due.now) return
    await work.db.updateTable('publishing_post').set({ state: expired }).where('school_id', '=', work.school_id).where('post_id', '=', post.post_id).execute()
    await publish(work, publishingEvents.expired, { post_id: post.post_id, scene: post.scene, kind: Number(post.kind), expected: post.expected_count ?? 0 })
  },
}

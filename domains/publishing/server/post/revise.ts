import { publishingEvents } from '@campus/publishing/contract'
import { publish } from '@kit/server/event'
import type { Work } from '../db.ts'
import type { Post } from './post.queries.ts'

/** A new revision of a sent post comes into force; with `reset_read` everybody has to read, and sign, anew (chapter 60 §2.1). */
export async function revisePost(work: Work, post: Post, reset_read: boolean): Promise<void> {
  const { db, school_id } = work
  await db.updateTable('publishing_post_rev').set({ published: true }).where('school_id', '=', school_id).where('post_id', '=', post.post_id).where('rev', '=', post.rev).execute()
  if (reset_read && post.sent_month !== null) {
    await db.updateTable('publishing_recipient').set({ read_at: null, read_rev: null, phoned_at: null, phoned_by: null }).where('school_id', '=', school_id).where('sent_month', '=', post.sent_month).where('post_id', '=', post.post_id).execute()
  }
  await publish(work, publishingEvents.revised, { post_id: post.post_id, scene: post.scene, kind: Number(post.kind), expected: post.expected_count ?? 0 })
}

import { UserId } from '@campus/people/contract'
import { Day, event, id } from '@kit/contract'
import { z } from 'zod'

const Post = z.object({ post_id: id('publishing.post'), scene: z.number().int(), kind: z.number().int(), expected: z.number().int() })

/** What publishing tells the others (chapter 60 §7, 90 §3). */
export const publishingEvents = {
  posted: event('publishing.post.published', Post),
  revised: event('publishing.post.revised', Post),
  recalled: event('publishing.post.recalled', Post),
  expired: event('publishing.post.expired', Post),
  /** pupils who handed in, in time, all homework that was due in the week of a Monday; sent again when that changes */
  homeworkWeek: event('publishing.homework.week_over', z.object({ monday: Day, user_ids: z.array(UserId) })),
  submitted: event('publishing.submission.received', z.object({ post_id: id('publishing.post') })),
  honourAwarded: event('publishing.honour.awarded', z.object({ honour_id: id('publishing.honour'), dept_id: z.string() })),
  honourRevoked: event('publishing.honour.revoked', z.object({ honour_id: id('publishing.honour'), dept_id: z.string() })),
  resourceDeleted: event('publishing.resource.deleted', z.object({ resource_ids: z.array(z.string()) })),
  contentTakenDown: event('publishing.content.taken_down', z.object({ content_id: id('publishing.content') })),
}

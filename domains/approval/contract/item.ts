import { api, filter, get, id, Instant, post } from '@kit/contract'
import { z } from 'zod'

/** Things of one source in one answer; the ones that wait longest. */
export const most_items = 100

export const ApprovalItemId = id('approval.item')
const Action = z.object({ code: z.string(), title: z.string(), needs_reason: z.boolean(), danger: z.boolean() })

/** Something that waits for me in another domain (chapter 80 P1). */
export const ApprovalItem = z.object({
  source: z.string(),
  source_title: z.string(),
  item_id: ApprovalItemId,
  /** of what it speaks; another one than now is refused by the owner */
  version: z.number().int(),
  title: z.string(),
  about: z.string(),
  since: Instant,
  due_at: Instant.nullable(),
  is_late: z.boolean(),
  actions: z.array(Action),
})
export type ApprovalItem = z.output<typeof ApprovalItem>

const own = { session: true, within: 'own' } as const

/** The one list of what waits (chapter 80 §5, 4): the owners decide, nothing of it is stored here. */
export const approvalApi = api('web', 'approval.todo', {
  list: get('approve/todo', {
    query: z.object({ source: filter(z.string().max(30)) }),
    reply: z.object({ list: z.array(ApprovalItem), sources: z.array(z.object({ code: z.string(), title: z.string(), count: z.number().int() })) }), ...own,
  }),
  count: get('approve/count', { reply: z.object({ count: z.number().int() }), ...own }),
  act: post('approve/act', {
    body: z.strictObject({ source: z.string().max(30), item_id: ApprovalItemId, action: z.string().max(20), opinion: z.string().trim().max(200, { error: '超过200个字' }).optional(), version: z.number().int() }),
    reply: z.object({}), op: 8, ...own,
  }),
})

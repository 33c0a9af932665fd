import { api, filter, get, id, Instant, page, PageQuery, post, sheet } from '@kit/contract'
import { z } from 'zod'
import { delivery_states } from './dictionary.ts'

const MessageId = id('messages.message')
const count = z.number().int()

/** A message and how far it came; `outside`: deliveries outside the product that were submitted, recorded or arrived. */
export const MessageRow = z.object({
  message_id: MessageId,
  at: Instant,
  source: z.string(),
  template_code: z.string(),
  template_name: z.string(),
  title: z.string(),
  level: count,
  is_withdrawn: z.boolean(),
  people: count,
  read: count,
  outside: count,
  waiting: count,
  failed: count,
})
export type MessageRow = z.output<typeof MessageRow>

/** One delivery; `to_name` is a person's name or the one a caller gave, an address never. */
export const DeliveryRow = z.object({
  channel: count,
  to_name: z.string(),
  state: z.enum(delivery_states),
  reason: count.nullable(),
  attempts: count,
  not_before: Instant.nullable(),
  at: Instant,
})
export type DeliveryRow = z.output<typeof DeliveryRow>

const ById = z.object({ id: MessageId })

const MessageFilter = z.object({
  source: filter(z.string().max(30)),
  template: filter(z.string().max(80)),
  channel: filter(z.coerce.number().int().min(1).max(5)),
  state: filter(z.enum(delivery_states)),
  reason: filter(z.coerce.number().int().min(1).max(7)),
})

export const messageApi = api('web', 'messages.message', {
  page: get('message/page', { query: PageQuery.extend(MessageFilter.shape), reply: page(MessageRow), need: 'messages.message.view' }),
  /** the filtered list as a sheet; `why` is always asked for */
  export: post('message/export', { body: MessageFilter.extend({ why: z.string().trim().max(100, { error: '超过100个字' }).default('') }), reply: sheet, need: 'messages.message.export', op: 7 }),
  delivery: get('message/:id/delivery', { params: ById, query: PageQuery, reply: page(DeliveryRow), need: 'messages.message.view' }),
  /** failed outside deliveries of a message are tried again from the beginning */
  retry: post('message/retry', { body: ById, reply: z.object({ retried: count }), need: 'messages.message.retry', op: 4 }),
})

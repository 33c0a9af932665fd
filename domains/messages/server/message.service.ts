import { delivery_states, messagesErrors } from '@campus/messages/contract'
import type { DeliveryRow, messageApi, MessageRow } from '@campus/messages/contract'
import { fail } from '@kit/contract'
import type { Input } from '@kit/contract'
import { pageTotal } from '@kit/server/db'
import type { App } from '@kit/server/http'
import { z } from 'zod'
import type { MessagesCtx } from './db.ts'
import { wakeAt } from './deliver/wake.ts'
import { countMessages, pageMessages, pageDeliveries, requeueFailed } from './message.list.ts'
import { declaredTemplate } from './template-port.ts'

const State = z.enum(delivery_states)

/** Messages of the school, newest first, and how far each came. */
export async function listMessages({ app, db, school_id }: MessagesCtx, query: Input<typeof messageApi.page>): Promise<{ list: MessageRow[]; total: number }> {
  const rows = await pageMessages(db, school_id, query)
  return { list: rows.map(row => showMessage(app, row)), total: await countMessages(db, school_id, query) }
}

/** A message as the wire shows it. */
export function showMessage(app: App, { at, withdrawn_at, people, read, outside, waiting, failed, ...row }: Awaited<ReturnType<typeof pageMessages>>[number]): MessageRow {
  return {
    ...row,
    at: at.toISOString(),
    is_withdrawn: withdrawn_at !== null,
    template_name: declaredTemplate(app, row.template_code)?.name ?? row.template_code,
    people: Number(people), read: Number(read), outside: Number(outside), waiting: Number(waiting), failed: Number(failed),
  }
}

/** The deliveries of one message. @throws Refusal 404 */
export async function listDeliveries({ db, school_id }: MessagesCtx, query: Input<typeof messageApi.delivery>): Promise<{ list: DeliveryRow[]; total: number }> {
  const rows = await pageDeliveries(db, school_id, query)
  const total = await pageTotal(rows, query.page_index, () => pageDeliveries(db, school_id, { ...query, page_index: 1, page_size: 20 }))
  if (total === 0) throw fail(messagesErrors.messageNotFound)
  const list = rows.map(({ total: _all, at, not_before, state, ...row }) => ({ ...row, state: State.parse(state), at: at.toISOString(), not_before: not_before?.toISOString() ?? null }))
  return { list, total }
}

/** Tries the failed outside deliveries of a message again. @throws Refusal 404 when the school has no such message */
export async function retryMessage(ctx: MessagesCtx, { id }: Input<typeof messageApi.retry>): Promise<{ retried: number }> {
  const { db, school_id, now } = ctx
  const known = await db.selectFrom('message').select('title').where('school_id', '=', school_id).where('message_id', '=', id).executeTakeFirst()
  if (!known) throw fail(messagesErrors.messageNotFound)
  const retried = await requeueFailed(db, school_id, id, now)
  if (retried > 0) await wakeAt(ctx, now)
  ctx.note({ target_kind: 'messages.message', target_id: id, target_name: known.title, after: { subject_count: retried } })
  return { retried }
}

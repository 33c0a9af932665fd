import type { messageApi } from '@campus/messages/contract'
import type { Input } from '@kit/contract'
import { sql } from 'kysely'
import type { MessagesHandle } from './db.ts'

type Query = Input<typeof messageApi.page>
export type Filter = Omit<Query, 'page_index' | 'page_size'>

/** One page of messages with their counts. */
export function pageMessages(db: MessagesHandle, school_id: number, query: Query) {
  const { page_index, page_size } = query
  return counted(db, school_id, query).limit(page_size).offset((page_index - 1) * page_size).execute()
}

/** The messages from one on, newest first, itself included (`at`) or not (`after`). */
export function messagesFrom(db: MessagesHandle, school_id: number, query: Filter, from: { at: string } | { after: string }, limit: number) {
  const rows = counted(db, school_id, query)
  return ('at' in from ? rows.where('m.message_id', '<=', from.at) : rows.where('m.message_id', '<', from.after)).limit(limit).execute()
}

/** The newest message that a query finds. */
export async function newestMessage(db: MessagesHandle, school_id: number, query: Filter): Promise<string | null> {
  const { newest } = await filtered(db, school_id, query).select(({ fn }) => fn.max<string | null>('m.message_id').as('newest')).executeTakeFirstOrThrow()
  return newest
}

function counted(db: MessagesHandle, school_id: number, query: Filter) {
  const people = sql<string>`(select count(*) from message_person p where p.school_id = ${school_id} and p.message_id = m.message_id)`
  const read = sql<string>`(select count(*) from message_person p where p.school_id = ${school_id} and p.message_id = m.message_id and p.read_at is not null)`
  return filtered(db, school_id, query)
    .select(['m.message_id', 'm.at', 'm.source', 'm.template_code', 'm.title', 'm.level', 'm.withdrawn_at'])
    .select([people.as('people'), read.as('read'), outsideIn(school_id, 'submitted', 'logged', 'delivered').as('outside'), outsideIn(school_id, 'queued', 'deferred').as('waiting'), outsideIn(school_id, 'failed').as('failed')])
    .orderBy('m.message_id', 'desc')
}

/** How many messages a query finds, of those up to `newest`. */
export async function countMessages(db: MessagesHandle, school_id: number, query: Filter, newest: string | null = null): Promise<number> {
  const found = filtered(db, school_id, query)
  const { n } = await (newest === null ? found : found.where('m.message_id', '<=', newest)).select(({ fn }) => fn.countAll<string>().as('n')).executeTakeFirstOrThrow()
  return Number(n)
}

/** One page of the deliveries of a message, with the count of all. */
export function pageDeliveries(db: MessagesHandle, school_id: number, { id, page_index, page_size }: Input<typeof messageApi.delivery>) {
  return db
    .selectFrom('message_delivery as d')
    .leftJoin('school_user_v as u', join => join.onRef('u.school_id', '=', 'd.school_id').on(sql`u.user_id::text`, '=', sql.ref('d.to_key')))
    .leftJoin('message_address as a', join => join.onRef('a.school_id', '=', 'd.school_id').onRef('a.message_id', '=', 'd.message_id').onRef('a.to_key', '=', 'd.to_key'))
    .where('d.school_id', '=', school_id)
    .where('d.message_id', '=', id)
    .select(['d.channel', 'd.state', 'd.reason', 'd.attempts', 'd.not_before', 'd.at'])
    .select([sql<string>`coalesce(u.user_name, a.name, '')`.as('to_name'), sql<string>`count(*) over ()`.as('total')])
    .orderBy('d.channel')
    .orderBy('d.to_key')
    .limit(page_size)
    .offset((page_index - 1) * page_size)
    .execute()
}

/** Queues failed outside deliveries again, as if they had never been tried. */
export async function requeueFailed(db: MessagesHandle, school_id: number, message_id: string, now: Date): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('message_delivery')
    .set({ state: 'queued', reason: null, attempts: 0, not_before: now, at: now })
    .where('school_id', '=', school_id)
    .where('message_id', '=', message_id)
    .where('channel', '>', 1)
    .where('state', '=', 'failed')
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

function filtered(db: MessagesHandle, school_id: number, { source, template, channel, state, reason }: Filter) {
  const asks_delivery = channel !== undefined || state !== undefined || reason !== undefined
  return db
    .selectFrom('message as m')
    .where('m.school_id', '=', school_id)
    .$if(source !== undefined, part => part.where('m.source', '=', source ?? ''))
    .$if(template !== undefined, part => part.where('m.template_code', '=', template ?? ''))
    .$if(asks_delivery, part => part.where(({ exists, selectFrom }) => exists(
      selectFrom('message_delivery as d')
        .select('d.channel')
        .where('d.school_id', '=', school_id)
        .whereRef('d.message_id', '=', 'm.message_id')
        .$if(channel !== undefined, one => one.where('d.channel', '=', channel ?? 0))
        .$if(state !== undefined, one => one.where('d.state', '=', state ?? ''))
        .$if(reason !== undefined, one => one.where('d.reason', '=', reason ?? 0)))))
}

function outsideIn(school_id: number, ...states: readonly string[]) {
  return sql<string>`(select count(*) from message_delivery d where d.school_id = ${school_id} and d.message_id = m.message_id and d.channel > 1 and d.state in (${sql.join(states)}))`
}

import { messagesErrors, messagesEvents } from '@campus/messages/contract'
import type { MessageTemplate } from '@campus/messages/contract'
import { fail } from '@kit/contract'
import { insertMany } from '@kit/server/db'
import { publish } from '@kit/server/event'
import type { App } from '@kit/server/http'
import type { QueryExecutorProvider } from 'kysely'
import { addressRows } from './address.ts'
import type { Recipient } from './address.ts'
import { asMessages } from './db.ts'
import { findMessage, insertMessage, knownPeople } from './message.queries.ts'
import type { NewRow } from './message.queries.ts'
import { render } from './render.ts'
import { firstOfMonth } from './school-time.ts'
import { readTemplate } from './template.queries.ts'
import { declaredTemplate, sourceOf } from './template-port.ts'
import { tellUnread } from './unread.tell.ts'

/** Who sends: a handler's ctx, or the same facts in background work. The handle may be typed to any tables. */
export type Sender = { app: App; db: QueryExecutorProvider; school_id: number; now: Date }

/**
 * `source_ref`: what the message is about, unique in its domain: the same one again is the same message. `link`: a path of the console.
 * `level`: 1 普通, 2 重要, 3 紧急 (passes quiet hours and limits). `batch`: of several messages of a batch a person hears outside only once.
 */
export type NewMessage<F extends string> = {
  template: MessageTemplate<F>
  source_ref: string
  to: readonly Recipient[]
  values: Readonly<Record<F, string>>
  link?: string
  level: 1 | 2 | 3
  expire_at?: Date
  batch?: string
}

/**
 * Writes a message and its inbox lines in the caller's transaction; outside channels follow after the commit, without it nothing is left.
 * @returns its message_id, also when it was there already
 * @throws Refusal 404 when somebody is no person of this school; Error when no domain has declared the template
 */
export async function send<F extends string>(from: Sender, message: NewMessage<F>): Promise<string> {
  const { app, school_id, now } = from
  const db = asMessages(from.db)
  const row = await rowOf(from, message)
  const user_ids = [...new Set(message.to.flatMap(one => ('user_id' in one ? [one.user_id] : [])))]
  const people = await knownPeople(db, school_id, user_ids)
  if (people.size < user_ids.length) throw fail(messagesErrors.personUnknown)
  const message_id = await insertMessage(db, row)
  if (message_id === undefined) return findMessage(db, school_id, row.source, row.source_ref)
  const key = { school_id, message_id, month: row.month }
  const here = user_ids.filter(user_id => people.get(user_id) === null)
  const subjects = new Map(message.to.toReversed().flatMap(one => ('user_id' in one ? [[one.user_id, one.subject_user_id ?? null]] : [])))
  await insertMany(db, 'message_person', here.map(user_id => ({ ...key, user_id, subject_user_id: subjects.get(user_id) })))
  await insertMany(db, 'message_delivery', user_ids.map(user_id => inboxDelivery(key, user_id, people.get(user_id) === null, now)))
  await insertMany(db, 'message_address', addressRows(app, key, message.to, now))
  await tellUnread(db, school_id, here)
  await publish(from, messagesEvents.requested, { message_id })
  return message_id
}

async function rowOf<F extends string>({ app, db, school_id, now }: Sender, message: NewMessage<F>): Promise<NewRow> {
  const { template, source_ref, values, link, level, batch, expire_at } = message
  const declared = declaredTemplate(app, template.code)
  if (!declared) throw new Error(`template ${template.code} is declared by no domain`)
  if (link !== undefined && !/^\/(?!\/)/.test(link)) throw new Error(`link of ${template.code} is no path of the product`)
  const words = render(await readTemplate(asMessages(db), school_id, declared), declared, values)
  return { school_id, month: firstOfMonth(now), at: now, source: sourceOf(template), source_ref, template_code: template.code, ...words, link, level, batch, expire_at }
}

/** The inbox line is there at once; who has left the school has none, and the delivery says so. */
function inboxDelivery(key: { school_id: number; message_id: string; month: string }, user_id: string, is_here: boolean, now: Date) {
  const end = is_here ? { state: 'delivered', sent_at: now } : { state: 'skipped', reason: 5 }
  return { ...key, channel: 1, to_key: user_id, at: now, ...end }
}

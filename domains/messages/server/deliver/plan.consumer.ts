import { id } from '@kit/contract'
import { insertMany } from '@kit/server/db'
import { consume, setTimer } from '@kit/server/event'
import type { EventDesk } from '@kit/server/http'
import { z } from 'zod'
import { asMessages } from '../db.ts'
import type { MessagesHandle } from '../db.ts'
import { readTemplate } from '../template.queries.ts'
import { declaredTemplate } from '../template-port.ts'
import { drop_addresses } from './drop-addresses.timer.ts'
import { wakeAt } from './wake.ts'

/** Channels by which an address is reached. */
const address_channels: Readonly<Record<string, number>> = { mobile: 3, email: 4 }

/** Plans the outside deliveries of a message that was written; its school's events come one after the other. */
export const planDeliveries = consume('messages.plan', 'message.requested', z.object({ message_id: id('messages.message') }), async (desk, { message_id }) => {
  const db = asMessages(desk.db)
  const { school_id, now } = desk
  const message = await db.selectFrom('message').selectAll().where('school_id', '=', school_id).where('message_id', '=', message_id).executeTakeFirst()
  if (!message || message.withdrawn_at) return
  const key = { school_id, message_id, month: message.month, at: now, not_before: now, state: 'queued' }
  const people = await peopleRows(desk, db, message)
  const addresses = await db.selectFrom('message_address').select(['to_key', 'kind', 'drop_at']).where('school_id', '=', school_id).where('message_id', '=', message_id).execute()
  const rows = [...people, ...addresses.map(({ to_key, kind }) => ({ to_key, channel: address_channels[kind] }))]
  await insertMany(desk.db, 'message_delivery', rows.map(row => ({ ...key, ...row })), {})
  if (rows.length > 0) await wakeAt(desk, now)
  const [address] = addresses
  if (address) await setTimer(desk, { kind: drop_addresses, ref: message_id, due_at: address.drop_at })
})

/** The first channel of the template for each person, or all of them; who has heard of the batch already hears no more. */
async function peopleRows({ app, school_id }: EventDesk, db: MessagesHandle, message: { message_id: string; template_code: string; batch: string | null }) {
  const declared = declaredTemplate(app, message.template_code)
  const template = declared && (await readTemplate(db, school_id, declared))
  if (!template?.enabled) return []
  const channels = template.all_channels ? template.channels : template.channels.slice(0, 1)
  const people = await db.selectFrom('message_person').select('user_id').where('school_id', '=', school_id).where('message_id', '=', message.message_id).execute()
  const told = message.batch === null ? new Set() : await toldOfBatch(db, school_id, message.batch)
  return people.filter(({ user_id }) => !told.has(user_id)).flatMap(({ user_id }) => channels.map(channel => ({ to_key: user_id, channel })))
}

async function toldOfBatch(db: MessagesHandle, school_id: number, batch: string): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('message_delivery as d')
    .innerJoin('message as m', join => join.onRef('m.school_id', '=', 'd.school_id').onRef('m.message_id', '=', 'd.message_id').onRef('m.month', '=', 'd.month'))
    .where('m.school_id', '=', school_id)
    .where('m.batch', '=', batch)
    .where('d.channel', '>', 1)
    .select('d.to_key')
    .execute()
  return new Set(rows.map(({ to_key }) => to_key))
}

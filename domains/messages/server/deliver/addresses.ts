import { directory } from '@campus/identity/server'
import type { OutsideChannel } from '@campus/messages/contract'
import type { App } from '@kit/server/http'
import { openAddress } from '../address.ts'
import type { MessagesHandle } from '../db.ts'
import { knownPeople } from '../message.queries.ts'
import { readAddresses } from './delivery.queries.ts'
import type { DueDelivery } from './delivery.queries.ts'

/** Where a delivery goes: the address, or why there is none (MESSAGE_REASON 2 未绑定, 5 已停用). */
export type Place = { address: string } | { missing: number }

const [unbound, gone] = [2, 5]
const outside_sign = '#'

/** Looks up where deliveries go, at sending time (chapter 10 M3); the answer asks for one delivery. */
export async function findPlaces(app: App, db: MessagesHandle, school_id: number, due: readonly DueDelivery[]): Promise<(delivery: DueDelivery) => Place> {
  const keys = [...new Set(due.map(({ to_key }) => to_key))]
  const user_ids = keys.filter(key => !key.startsWith(outside_sign))
  const people = await knownPeople(db, school_id, user_ids)
  const [book] = directory.all(app)
  const contacts = user_ids.length > 0 ? await book?.contacts(db, school_id, user_ids) : undefined
  const given = user_ids.length < keys.length ? await readAddresses(db, school_id, keys) : []
  return ({ to_key, message_id, channel }) => {
    if (to_key.startsWith(outside_sign)) {
      const row = given.find(one => one.to_key === to_key && one.message_id === message_id)
      return row ? { address: openAddress(app, school_id, row.address_enc) } : { missing: gone }
    }
    if (people.get(to_key) !== null) return { missing: gone }
    return placeOf(channel, contacts?.get(to_key))
  }
}

/** Accounts of 微信 and App are known to nobody yet. */
function placeOf(channel: OutsideChannel, contact: { mobile: string | null; email: string | null } | undefined): Place {
  const address = { 2: null, 3: contact?.mobile, 4: contact?.email, 5: null }[channel]
  return address ? { address } : { missing: unbound }
}

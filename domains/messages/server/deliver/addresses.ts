import { boundAccounts, directory } from '@campus/identity/server'
import type { OutsideChannel } from '@campus/messages/contract'
import type { App } from '@kit/server/http'
import { openAddress } from '../address.ts'
import { settingOf } from '../channel.queries.ts'
import type { ChannelSetting } from '../channel.queries.ts'
import type { MessagesHandle } from '../db.ts'
import { knownPeople } from '../message.queries.ts'
import { readAddresses } from './delivery.queries.ts'
import type { DueDelivery } from './delivery.queries.ts'

/** Where a delivery goes: the address, or why there is none (MESSAGE_REASON 2 未绑定, 5 已停用). */
export type Place = { address: string } | { missing: number }

const [unbound, gone] = [2, 5]
const [chat_channel, sms_channel, app_channel] = [2, 3, 5] as const
const outside_sign = '#'

/** Looks up where deliveries go, at sending time (chapter 10 M3); the answer asks for one delivery. */
export async function findPlaces(app: App, db: MessagesHandle, school_id: number, due: readonly DueDelivery[], channels: ReadonlyMap<OutsideChannel, ChannelSetting>): Promise<(delivery: DueDelivery) => Place> {
  const keys = [...new Set(due.map(({ to_key }) => to_key))]
  const user_ids = keys.filter(key => !key.startsWith(outside_sign))
  const people = await knownPeople(db, school_id, user_ids)
  const [book] = directory.all(app)
  const contacts = user_ids.length > 0 ? await book?.contacts(db, school_id, user_ids) : undefined
  const chat = settingOf(channels, chat_channel)
  const accounts = await chatAccounts(db, school_id, due.flatMap(({ channel, to_key }) => (channel === chat_channel && !to_key.startsWith(outside_sign) ? [to_key] : [])), chat)
  const given = user_ids.length < keys.length ? await readAddresses(db, school_id, keys) : []
  return ({ to_key, message_id, channel }) => {
    if (to_key.startsWith(outside_sign)) {
      const row = given.find(one => one.to_key === to_key && one.message_id === message_id)
      return row ? { address: openAddress(app, school_id, row.address_enc) } : { missing: gone }
    }
    if (people.get(to_key) !== null) return { missing: gone }
    if (channel === chat_channel) return there(accounts.get(to_key))
    if (channel === app_channel) return { address: to_key }
    return there(channel === sms_channel ? contacts?.get(to_key)?.mobile : contacts?.get(to_key)?.email)
  }
}

function there(address: string | null | undefined): Place {
  return address ? { address } : { missing: unbound }
}

/** The accounts of 企业微信 or of the followers that people have bound, of the realm to which the channel belongs. */
async function chatAccounts(db: MessagesHandle, school_id: number, user_ids: readonly string[], { adapter, settings }: ChannelSetting): Promise<ReadonlyMap<string, string>> {
  if (user_ids.length === 0 || (adapter !== 'wecom' && adapter !== 'weixin_mp')) return new Map()
  const realm = adapter === 'wecom' ? settings.corp_id : settings.app_id
  return boundAccounts(db, school_id, { provider: adapter, realm: String(realm ?? ''), user_ids })
}

import { most_told, peopleEvents } from '@campus/people/contract'
import { asTables } from '@kit/server/db'
import { publish } from '@kit/server/event'
import type { Publisher } from '@kit/server/event'
import { sql } from 'kysely'
import { chunks } from '../bulk.ts'
import { oneOf } from '../dated.ts'
import type { PeopleDb } from '../db.ts'
import { whitelistChannelPort } from './channel-port.ts'
import type { ChannelDesk, ChannelLine } from './channel-port.ts'
import { openLogon } from './logon.ts'

const waits_for_channel = '支付渠道尚未开通，开通后自动处理'

/**
 * Tells the payment channel of every line that waits for it: approved ones are pushed, those that are being removed are to be dropped. Without a
 * channel they go on waiting, and are told with the next line after one is there.
 * @returns how many were pushed
 */
export async function tellChannel(desk: ChannelDesk): Promise<number> {
  const { app, school_id, now } = desk
  const db = asTables<PeopleDb>(desk.db)
  const [channel] = whitelistChannelPort.all(app)
  const waiting = db.selectFrom('alipay_whitelist').where('school_id', '=', school_id).where(sql<boolean>`(state = 'approved' or (state = 'removing' and asked_at is null))`)
  const rows = await waiting.select(['id', 'user_id', 'payer_user_id', 'purpose', 'state', 'alipay_logon_enc']).orderBy('id').forUpdate().execute()
  if (rows.length === 0) return 0
  const ids = rows.map(row => row.id)
  if (!channel) {
    await db.updateTable('alipay_whitelist').set({ channel_msg: waits_for_channel }).where('school_id', '=', school_id).where(oneOf('id', ids)).execute()
    return 0
  }
  const of = (state: string): ChannelLine[] => rows.filter(row => row.state === state).map(({ id, user_id, payer_user_id, purpose, alipay_logon_enc }) => ({ id, user_id, payer_user_id, purpose, alipay_logon: openLogon(app.secrets, school_id, alipay_logon_enc) }))
  const pushed = of('approved')
  const dropped = of('removing')
  await db.updateTable('alipay_whitelist').set({ asked_at: now, channel_msg: null, row_version: sql`row_version + 1` }).where('school_id', '=', school_id).where(oneOf('id', ids)).execute()
  await db.updateTable('alipay_whitelist').set({ state: 'pushing' }).where('school_id', '=', school_id).where(oneOf('id', pushed.map(line => line.id))).execute()
  if (pushed.length > 0) await channel.push(desk, pushed)
  if (dropped.length > 0) await channel.remove(desk, dropped)
  return pushed.length
}

/** What the channel says of a line: taken up, refused, dropped. `msg` is a Chinese sentence of at most 200 signs. */
export type WhitelistAnswer = { id: string; state: 'active' | 'failed' | 'removed'; msg: string | null }

/**
 * Takes the channel's answer in the caller's transaction. A line that it could not drop stays 移除中 with its words; an answer to a question that
 * nobody asks any more changes nothing.
 * @returns whether the line changed
 */
export async function answerWhitelist(desk: Publisher, { id, state, msg }: WhitelistAnswer): Promise<boolean> {
  const { school_id } = desk
  const db = asTables<PeopleDb>(desk.db)
  const line = await db.selectFrom('alipay_whitelist').select('state').where('school_id', '=', school_id).where('id', '=', id).forUpdate().executeTakeFirst()
  const asked = state === 'removed' ? 'removing' : 'pushing'
  const stays = line?.state === 'removing' && state === 'failed'
  if (line?.state !== asked && !stays) return false
  await db
    .updateTable('alipay_whitelist')
    .set({ channel_msg: msg, row_version: sql`row_version + 1`, ...(stays ? {} : { state }) })
    .where('school_id', '=', school_id)
    .where('id', '=', id)
    .execute()
  await tellWhitelist(desk, [id])
  return true
}

/** Tells the other domains that these lines have changed. */
export async function tellWhitelist(desk: Publisher, ids: readonly string[]): Promise<void> {
  for (const part of chunks(ids, most_told)) await publish(desk, peopleEvents.whitelistChanged, { whitelist_ids: part })
}

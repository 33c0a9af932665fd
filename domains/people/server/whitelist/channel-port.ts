import { Port } from '@kit/server/http'
import type { App } from '@kit/server/http'
import type { QueryExecutorProvider } from 'kysely'

/** A line as the payment channel needs it; the login name stands open here and must not be written down or logged. */
export type ChannelLine = { id: string; user_id: string; payer_user_id: string; purpose: string; alipay_logon: string }
/** `db` is a transaction of the school: nothing but SQL may be awaited, what leaves the product goes out afterwards. */
export type ChannelDesk = { db: QueryExecutorProvider; app: App; school_id: number; now: Date }

/** The way to the channel that keeps the whitelist: asked to take lines up or to drop them, it answers later by `answerWhitelist`. */
export type WhitelistChannel = {
  push(desk: ChannelDesk, lines: readonly ChannelLine[]): Promise<void>
  remove(desk: ChannelDesk, lines: readonly ChannelLine[]): Promise<void>
}

/** Filled by the domain that has the payment channel; while nobody has, approved lines wait. */
export const whitelistChannelPort = new Port<WhitelistChannel>('people.whitelist_channel')

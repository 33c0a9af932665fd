import type { App } from '@kit/server/http'
import { openText } from '@kit/server/secrets'
import type { ChannelSetting } from '../channel.queries.ts'
import { purposeOf } from '../seal.ts'
import type { Line } from './carrier.ts'

/** What a channel is reached with, its secret opened. */
export function lineOf({ secrets }: App, school_id: number, channel: number, { settings, secret_enc }: ChannelSetting): Line {
  return { settings, secret: secret_enc ? openText(secrets.data_key, purposeOf.secret(school_id, channel), secret_enc) : '' }
}

/** What the provider of a channel signs its receipts with; empty = it sends none. */
export function receiptSecretOf({ secrets }: App, school_id: number, channel: number, { receipt_secret_enc }: ChannelSetting): string {
  return receipt_secret_enc ? openText(secrets.data_key, purposeOf.receipt(school_id, channel), receipt_secret_enc) : ''
}

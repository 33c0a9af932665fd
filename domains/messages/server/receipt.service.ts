import type { ReceiptAdapter, receiptApi } from '@campus/messages/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input } from '@kit/contract'
import type { FileReply, Pre } from '@kit/server/http'
import { carrierPort } from './carrier/carrier.ts'
import type { Receipts } from './carrier/carrier.ts'
import { receiptSecretOf } from './carrier/line.ts'
import { readChannels } from './channel.queries.ts'
import type { ChannelSetting } from './channel.queries.ts'
import { asMessages } from './db.ts'
import type { MessagesDb } from './db.ts'
import { applyReceipt, dropReceipts } from './deliver/receipt.queries.ts'
import type { ReceiptOutcome } from './deliver/receipt.queries.ts'
import { countReceipt } from './receipt.count.ts'

type Asked = Input<typeof receiptApi.take>
type Desk = { channel: number; setting: ChannelSetting; secret: string; receipts: Receipts }

/** Most receipts of one letter. */
const most_receipts = 500

/**
 * Takes what a provider tells of the messages it was given: the only way in which an outside delivery becomes 已送达.
 * @throws Refusal 401 when the school has no such channel, it has no receipt secret, or the letter is not signed with it
 */
export async function takeReceipts(pre: Pre, { adapter, school_id, ...signs }: Asked): Promise<FileReply> {
  const { app, letter, now } = pre
  const desk = await deskOf(pre, adapter, school_id)
  if (!letter || !desk?.receipts.isSigned(desk.setting, desk.secret, { ...letter, ...signs })) throw fail(commonErrors.unauthorized)
  const { receipts, setting, channel } = desk
  const told = receipts.read(setting, letter).slice(0, most_receipts)
  const outcomes = await pre.own<unknown, ReceiptOutcome[]>(school_id, async handle => {
    const at = { app, db: asMessages(handle), school_id, now }
    await dropReceipts(at)
    const done: ReceiptOutcome[] = []
    for (const receipt of told.toSorted((one, other) => one.provider_id.localeCompare(other.provider_id))) done.push(await applyReceipt(at, channel, receipt))
    return done
  })
  for (const outcome of outcomes) countReceipt(app, adapter, outcome)
  const settled = outcomes.filter(outcome => outcome === 'settled').length
  pre.note({ school_id, target_kind: 'messages.channel', target_id: String(channel), after: { receipts: outcomes.length, settled } })
  return { file_name: 'receipt.txt', mime: 'text/plain; charset=utf-8', body: Buffer.from(receipts.answer) }
}

async function deskOf({ app, own }: Pre, adapter: ReceiptAdapter, school_id: number): Promise<Desk | null> {
  const receipts = carrierPort.all(app).find(one => one.adapter === adapter)?.receipts
  const channels = await own<MessagesDb, Awaited<ReturnType<typeof readChannels>>>(school_id, db => readChannels(db, school_id))
  const found = [...channels].find(([, { adapter: set }]) => set === adapter)
  if (!receipts || !found) return null
  const [channel, setting] = found
  const secret = receiptSecretOf(app, school_id, channel, setting)
  return secret === '' ? null : { channel, setting, secret, receipts }
}

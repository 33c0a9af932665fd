import type { AdapterName } from '@campus/messages/contract'
import { mayCallHost, mayWriteTo } from '@kit/server/config'
import { Port } from '@kit/server/http'
import type { App, Letter } from '@kit/server/http'
import type { ChannelSetting } from '../channel.queries.ts'

/** One message on its way to one address; `template` is the provider's own name of the template, if it wants one. */
export type Parcel = { message_id: string; address: string; title: string; body: string; link: string | null; template: string | null }

/** How a channel is reached: what the school has set, with its secret opened. */
export type Line = { settings: ChannelSetting['settings']; secret: string }

/** Why somebody is reached in no way that trying again would mend (MESSAGE_REASON): 2 未绑定, 3 未关注. */
export class NotReached extends Error {
  readonly reason: 2 | 3
  constructor(reason: 2 | 3, code: string) {
    super(`provider: nobody there (${code})`)
    this.reason = reason
  }
}

/** What a provider tells of one message, by its own number of it; `reason` null = it has arrived. */
export type Receipt = { provider_id: string; reason: 3 | 4 | null }

/** A letter with what its address held besides the school. */
type SignedLetter = Letter & { signature?: string; timestamp?: string; nonce?: string }

/** How a provider tells what became of messages. */
export type Receipts = {
  /** whether the provider of this line has written the letter; `secret` is the receipt secret of the channel and never empty */
  isSigned(line: Pick<Line, 'settings'>, secret: string, letter: SignedLetter): boolean
  /** what it tells; nothing for a letter that tells something else */
  read(line: Pick<Line, 'settings'>, letter: Letter): readonly Receipt[]
  /** the word that the provider waits for */
  answer: string
}

/** What brings messages out of the product, by one kind of provider. */
export type Carrier = {
  adapter: AdapterName
  /** true when a line holds what this carrier needs; until then messages are only recorded */
  isReady(line: Line): boolean
  /** the host that `send` will talk to; null when it leaves the machine in no way */
  hostOf(line: Line): string | null
  /**
   * Hands one message to the provider, within ten seconds. @returns the provider's number of it, if it has one
   * @throws NotReached when there is nobody at this address; Error when the provider did not take it. Their words hold neither address nor secret
   */
  send(line: Line, parcel: Parcel): Promise<{ provider_id: string | null }>
  receipts?: Receipts
}

/** Filled by this domain, and in the test environment by tests. */
export const carrierPort = new Port<Carrier>('messages.carrier')

export const patience_ms = 10_000

/** The carrier of a channel; null when messages are only recorded: without settings, and when the operator has not allowed the provider's host (chapter 10 §12). */
export function carrierOf(app: App, adapter: AdapterName, line: Line): Carrier | null {
  const carrier = carrierPort.all(app).find(one => one.adapter === adapter)
  return carrier?.isReady(line) && isAllowed(app, carrier, line) ? carrier : null
}

/** Whether a channel with these settings is shut only because its host is not on the operator's list. */
export function isShutByHost(app: App, adapter: AdapterName, line: Line): boolean {
  const carrier = carrierPort.all(app).find(one => one.adapter === adapter)
  return carrier !== undefined && carrier.isReady(line) && !isAllowed(app, carrier, line)
}

/** Whether a parcel may leave for this address: in `pre` only for people on the operator's list. */
export function mayLeave({ config }: App, address: string): boolean {
  return mayWriteTo(config, address)
}

function isAllowed({ config }: App, carrier: Carrier, line: Line): boolean {
  const host = carrier.hostOf(line)
  return host === null || mayCallHost(config, host)
}

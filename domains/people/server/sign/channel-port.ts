import { Port } from '@kit/server/http'
import type { PayChannel } from '@campus/people/contract'
import type { ChannelDesk } from '../whitelist/channel-port.ts'

/** A contract as its payment channel knows it. */
export type ChannelContract = { id: string; contract_no: string; user_id: string; signer_user_id: string; product: string }

/** The way to one payment channel: asked to end contracts, it answers later by `answerContract`. Nothing but SQL may be awaited, what leaves the product goes out afterwards. */
export type SignChannel = { channel: PayChannel; terminate(desk: ChannelDesk, contracts: readonly ChannelContract[]): Promise<void> }

/** Filled by the domain that has the payment channels; without one a contract stays 解约中. */
export const signChannelPort = new Port<SignChannel>('people.sign_channel')

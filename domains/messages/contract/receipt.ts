import { api, download, filter, post, SchoolId } from '@kit/contract'
import { z } from 'zod'

/** Carriers whose providers tell afterwards what became of a message. */
export const receipt_adapters = ['weixin_mp', 'app_push', 'sms_http'] as const
export type ReceiptAdapter = (typeof receipt_adapters)[number]

/** The address that a provider is given; the school is part of it, since a provider knows nothing of schools. */
export function receiptPath(adapter: ReceiptAdapter, school_id: number): string {
  return `${receiptApi.take.paths[0]?.replace(':adapter', adapter) ?? ''}?school_id=${school_id}`
}

/**
 * A provider tells whether messages arrived. Signed with the receipt secret of the channel; told again it changes nothing, and a number that
 * nobody knows is taken all the same. Answered by the word that the provider waits for.
 */
export const receiptApi = api('web', 'messages.receipt', {
  take: post('message/receipt/:adapter', {
    params: z.object({ adapter: z.enum(receipt_adapters) }),
    query: z.object({
      school_id: SchoolId,
      /** what 微信 signs with */
      signature: filter(z.string().max(100)),
      timestamp: filter(z.string().max(20)),
      nonce: filter(z.string().max(100)),
    }),
    reply: download,
    auth: 'webhook',
    op: 4,
  }),
})

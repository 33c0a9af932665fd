import { receipt_adapters } from '@campus/messages/contract'
import type { ReceiptAdapter } from '@campus/messages/contract'
import type { App, Meter } from '@kit/server/http'
import type { ReceiptOutcome } from './deliver/receipt.queries.ts'

const outcomes: readonly ReceiptOutcome[] = ['settled', 'repeated', 'unknown']
const counts = new WeakMap<App, Map<string, number>>()

/** Counts one receipt that a provider has sent to this server. */
export function countReceipt(app: App, adapter: ReceiptAdapter, outcome: ReceiptOutcome): void {
  const kept = counts.get(app) ?? new Map<string, number>()
  counts.set(app, kept)
  kept.set(`${adapter}/${outcome}`, (kept.get(`${adapter}/${outcome}`) ?? 0) + 1)
}

/** How many receipts came, by carrier and by what became of them. */
export function receiptMeter(app: App): Meter {
  return {
    name: 'campus_message_receipts',
    about: 'Receipts that providers sent to this server since its start',
    labels: ['adapter', 'outcome'],
    read: async () => receipt_adapters.flatMap(adapter => outcomes.map(outcome => ({ labels: { adapter, outcome }, value: counts.get(app)?.get(`${adapter}/${outcome}`) ?? 0 }))),
  }
}

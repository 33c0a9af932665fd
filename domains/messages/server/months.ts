import { monthAfter, monthOf } from '@kit/server/db'
import type { MonthTable } from '@kit/server/db'

const tables = ['message', 'message_person', 'message_delivery'] as const
/** Months for which an inbox is kept beside the running one. */
const months_kept = 12

/** The months of the messages. */
export function messageMonths(now: Date): MonthTable[] {
  const first = monthAfter(monthOf(now), -months_kept)
  return tables.map(table => ({ table, column: 'month', holds: 'day', first }))
}

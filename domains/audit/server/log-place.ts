import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'

/** The row of an id: the id begins with the millisecond it happened in, so that one month and one place of the key are looked at. */
export function onRow(log_id: string): RawBuilder<boolean> {
  const at = new Date(Number.parseInt(log_id.replaceAll('-', '').slice(0, 12), 16))
  return sql<boolean>`(happened_at >= ${at} and happened_at < ${new Date(at.getTime() + 1)} and log_id = ${log_id})`
}

import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { TimelineAsked } from './timeline-port.ts'

/** Whether a row with this instant (whole milliseconds) and id is of the asked part of a lane. */
export function within(at: RawBuilder<unknown>, id: RawBuilder<unknown>, { since, until, before }: TimelineAsked): RawBuilder<boolean> {
  const parts = [
    sql`true`,
    ...(since ? [sql`${at} >= ${since}::timestamptz`] : []),
    ...(until ? [sql`${at} < ${until}::timestamptz`] : []),
    ...(before ? [sql`(${at} < ${before.at}::timestamptz or (${at} = ${before.at}::timestamptz and ${id} collate "C" < ${before.below}))`] : []),
  ]
  return sql<boolean>`(${sql.join(parts, sql` and `)})`
}

import { monthOf } from '@kit/server/db'
import type { Database, MonthTable } from '@kit/server/db'
import { firstPassMonth } from './event/passes-read.ts'

const day_ms = 86_400_000
/** Days for which records are kept (chapter 30 rule 31); of what is security, never less than half a year. */
const kept_days = { card_read_event: 400, alarm_event: 400, position_event: 90, device_link_event: 180, device_command: 180, camera_view: 180, device_metric: 90, ai_warning: 400, ai_hit: 90 } as const
/** The column by which each of them is divided, where it is not `event_date`. */
const columns: Readonly<Record<string, { column: string; holds: 'day' | 'instant' }>> = { device_link_event: { column: 'at', holds: 'instant' }, camera_view: { column: 'begin_at', holds: 'instant' }, device_metric: { column: 'bucket', holds: 'instant' }, device_command: { column: 'asked_on', holds: 'day' } }

/** The months of what devices have told; those of passes wait until they have been read. */
export async function deviceMonths(now: Date, database: Database): Promise<MonthTable[]> {
  const passes: MonthTable = { table: 'pass_event', column: 'event_date', holds: 'day', first: await firstPassMonth(database, now) }
  return [passes, ...otherMonths(now)]
}

function otherMonths(now: Date): MonthTable[] {
  return Object.entries(kept_days).map(([table, days]) => {
    const first = monthOf(new Date(now.getTime() - days * day_ms))
    return { table, first, ...(columns[table] ?? { column: 'event_date', holds: 'day' }) }
  })
}

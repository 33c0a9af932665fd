import { DeviceWait } from '@campus/devices/contract'
import { sql } from 'kysely'
import type { Db } from './db.ts'

const [second_ms, day_ms] = [1000, 86_400_000] as const
/** A command that was asked for earlier has long expired: so many days of its table are read. */
const days_asked = 2

/** What waits, the longest wait first. A row has waited since it came to be wanted as it is, however often it was sent since. */
export async function readWaits(db: Db, school_id: number, device_id: string, now: Date): Promise<DeviceWait[]> {
  const { rows } = await sql<{ lane: string; kind: string; ages: number[]; oldest_at: Date }>`
    select lane, kind, array[
        count(*) filter (where waited < interval '1 minute'), count(*) filter (where waited >= interval '1 minute' and waited < interval '1 hour'),
        count(*) filter (where waited >= interval '1 hour' and waited < interval '1 day'), count(*) filter (where waited >= interval '1 day')]::int[] as ages,
      min(since) as oldest_at
    from (
      select lane, kind, least(since, ${now}::timestamptz) as since, ${now}::timestamptz - since as waited from (
        select 'row' as lane, kind, wanted_at as since from sync_row where school_id = ${school_id} and device_id = ${device_id} and state in ('pending', 'sent', 'unknown')
        union all
        select 'command', command, asked_at from device_command
          where school_id = ${school_id} and device_id = ${device_id} and state in ('QUEUED', 'SENT') and expires_at > ${now} and asked_on >= ${new Date(now.getTime() - days_asked * day_ms)}::timestamptz::date
      ) w
    ) aged
    group by lane, kind order by oldest_at, lane, kind`.execute(db)
  return rows.map(({ oldest_at, ...row }) => DeviceWait.parse({ ...row, oldest_at: new Date(Math.floor(oldest_at.getTime() / second_ms) * second_ms).toISOString() }))
}

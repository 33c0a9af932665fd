import { DeviceWait, overviewApi, ribbon_hours } from '@campus/devices/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import { readTurns } from './box/box.queries.ts'
import { ribbonOf } from './box/ribbon.ts'
import { implement } from './db.ts'
import type { Db, DevicesCtx } from './db.ts'
import { requireDevice } from './device.service.ts'

const hour_ms = 3_600_000
const second_ms = 1000

export const overviewRoutes = implement(overviewApi, { read: (ctx, asked) => readOverview(ctx, asked) })

/** How a device has been and what waits for it. @throws Refusal 404 */
async function readOverview(ctx: DevicesCtx, { id }: Input<typeof overviewApi.read>): Promise<Reply<typeof overviewApi.read>> {
  const { online } = await requireDevice(ctx, id)
  const { db, school_id, now } = ctx
  const from = new Date(now.getTime() - ribbon_hours * hour_ms)
  const turns = await readTurns(db, school_id, [id], from)
  return { at: now.toISOString(), ribbon: ribbonOf(turns, { from, to: now, is_online: online }), queue: await readWaits(db, school_id, id, now) }
}

/** What waits, the longest wait first. A row has waited since it was due or last sent, whichever is earlier. */
async function readWaits(db: Db, school_id: number, device_id: string, now: Date): Promise<DeviceWait[]> {
  const { rows } = await sql<{ lane: string; kind: string; ages: number[]; oldest_at: Date }>`
    select lane, kind, array[
        count(*) filter (where waited < interval '1 minute'), count(*) filter (where waited >= interval '1 minute' and waited < interval '1 hour'),
        count(*) filter (where waited >= interval '1 hour' and waited < interval '1 day'), count(*) filter (where waited >= interval '1 day')]::int[] as ages,
      min(since) as oldest_at
    from (
      select lane, kind, least(since, ${now}::timestamptz) as since, ${now}::timestamptz - since as waited from (
        select 'row' as lane, kind, least(next_at, sent_at) as since from sync_row where school_id = ${school_id} and device_id = ${device_id} and state in ('pending', 'sent', 'unknown')
        union all
        select 'command', command, asked_at from device_command
          where school_id = ${school_id} and device_id = ${device_id} and state in ('QUEUED', 'SENT') and expires_at > ${now} and asked_on >= ${new Date(now.getTime() - ribbon_hours * hour_ms * 2)}::timestamptz::date
      ) w
    ) aged
    group by lane, kind order by oldest_at, lane, kind`.execute(db)
  return rows.map(({ oldest_at, ...row }) => DeviceWait.parse({ ...row, oldest_at: new Date(Math.floor(oldest_at.getTime() / second_ms) * second_ms).toISOString() }))
}

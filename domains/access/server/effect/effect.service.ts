import { Receipts } from '@campus/access/contract'
import { sql } from 'kysely'
import type { AccessCtx } from '../db.ts'
import type { Cause } from './record.ts'

/**
 * What became of one cause at each door, those that wait first. Where a door has nothing left to answer its receipt is closed,
 * whatever it was last told.
 */
export async function readReceipts({ db, school_id }: Pick<AccessCtx, 'db' | 'school_id'>, { kind, id }: Cause): Promise<Receipts> {
  const { rows } = await sql<Record<string, unknown> & { at: Date }>`
    select x.device_name, x.online, x.effect, x.people, x.state, x.text, x.at from (
      select coalesce(d.device_name, '已退役的设备') as device_name, coalesce(d.online, false) as online, e.effect, e.people, e.text,
        coalesce(e.done_at, e.at) as at,
        case when e.state = 0 and not exists (select 1 from sync_waiting_v w where w.school_id = ${school_id} and w.device_id = e.device_id)
          then 1 else e.state end as state
      from access_effect e left join device_live_v d on d.school_id = ${school_id} and d.device_id = e.device_id
      where e.school_id = ${school_id} and e.cause_kind = ${kind} and e.cause_id = ${id}) x
    order by x.state = 1, x.device_name, x.effect`.execute(db)
  return Receipts.parse({ list: rows.map(row => ({ ...row, at: row.at.toISOString() })), total: rows.length })
}

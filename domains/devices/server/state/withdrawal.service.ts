import { withdrawal_days, WithdrawalTime, Withholding } from '@campus/devices/contract'
import type { withdrawalApi } from '@campus/devices/contract'
import { inPlaces, placeScope } from '@campus/places/server'
import type { Reply } from '@kit/contract'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db, DevicesCtx } from '../db.ts'
import { deviceState } from '../device.state.ts'

/** Lost credentials and people who have left go before anything else (chapter 30 rule 4). */
const withdrawn = sql`r.kind in ('person', 'credential') and r.want_op = 'delete' and r.prio <= 1`
/** A device that is here has this long before anybody is told. */
const grace_s = 60
const names_shown = 5
const Row = z.object({ ...Withholding.shape, last_seen_at: z.date().nullable(), since: z.date() })

/** The devices in the reader's places that may still hold what was withdrawn, the longest first, and how long the school's devices took for what they have confirmed. */
export async function readWithdrawals(ctx: DevicesCtx): Promise<Reply<typeof withdrawalApi.read>> {
  const scope = await placeScope(ctx)
  const { db, school_id, now } = ctx
  const { rows } = await sql`
    select d.device_id::text as device_id, d.device_name, p.node_path_name, ${deviceState(school_id)} as device_state, d.last_seen_at, h.since, h.persons, h.names
    from (
      select r.device_id, min(r.wanted_at) as since, count(distinct r.user_id)::int as persons, (array_agg(distinct coalesce(s.user_name, '已注销人员')))[1:${names_shown}::int] as names
      from sync_row r left join subject s on s.school_id = r.school_id and s.user_id = r.user_id
      where r.school_id = ${school_id} and r.state in ('pending', 'sent', 'unknown', 'refused') and ${withdrawn} and r.user_id is not null and r.sent_at is not null
      group by r.device_id) h
    join device d on d.school_id = ${school_id} and d.device_id = h.device_id and d.lifecycle <> 'retired'
    left join device_place dp on dp.school_id = d.school_id and dp.device_id = d.device_id and dp.valid_from <= ${now} and (dp.valid_to is null or dp.valid_to > ${now})
    left join place_live_v p on p.school_id = dp.school_id and p.place_id = dp.place_id
    where ${inPlaces('p.node_path', scope)} and not (d.online and h.since > ${now}::timestamptz - ${grace_s} * interval '1 second')
    order by h.since, d.device_name`.execute(db)
  const list = z.array(Row).parse(rows).map(row => ({ ...row, since: row.since.toISOString(), last_seen_at: row.last_seen_at?.toISOString() ?? null }))
  return { list, time: await readTime(db, school_id, now) }
}

/** What went from several devices counts once, by the last of them; what is not gone from one of them yet does not count. */
async function readTime(db: Db, school_id: number, now: Date): Promise<z.output<typeof WithdrawalTime>> {
  const { rows } = await sql`
    select count(*)::int as done, round(percentile_cont(0.5) within group (order by took))::int as median_s, round(max(took))::int as longest_s from (
      select extract(epoch from max(r.acked_at) - min(r.wanted_at)) as took from sync_row r
      where r.school_id = ${school_id} and r.state = 'gone' and ${withdrawn} and r.acked_at > ${now}::timestamptz - ${withdrawal_days} * interval '1 day' and r.acked_at >= r.wanted_at
        and not exists (select from sync_row o where o.school_id = ${school_id} and o.user_id = r.user_id and o.row_key = r.row_key and o.kind = r.kind and o.want_op = 'delete' and o.state <> 'gone')
      group by r.kind, r.row_key) t`.execute(db)
  return WithdrawalTime.parse(rows[0])
}

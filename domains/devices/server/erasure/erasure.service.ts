import { devicesErrors, ErasureLine } from '@campus/devices/contract'
import type { erasureApi } from '@campus/devices/contract'
import { fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { numberKey } from '@kit/contract/checks'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db, DevicesCtx } from '../db.ts'
import { findErased } from './erased.write.ts'

const Time = z.date().nullable().transform(at => at?.toISOString() ?? null)
const Row = z.object({ ...ErasureLine.shape, first_applied_at: Time, delete_acked_at: Time, proven_gone_at: Time })
const erased_name = '人员已删除'
const done: readonly ErasureLine['state'][] = ['proven', 'wiped']

/** What the school can show of somebody's face on each device that has ever held it, or may, also when nothing else of him is left. Whoever asks is written down with why. @throws Refusal 404 erasureUnknown */
export async function issueErasure(ctx: DevicesCtx, { user_no, reason }: Input<typeof erasureApi.issue>): Promise<Reply<typeof erasureApi.issue>> {
  const { db, school_id, now, me } = ctx
  const person = await db.selectFrom('subject').select(['user_id', 'user_no', 'user_name', 'dept_name']).where('school_id', '=', school_id).where(sql<boolean>`lower(user_no) = ${numberKey(user_no)}`).orderBy('live', 'desc').orderBy('user_id').executeTakeFirst()
  const user_id = person?.user_id ?? (await findErased(ctx, user_no))
  if (user_id === undefined) throw fail(devicesErrors.erasureUnknown)
  const named = person ? { user_no: person.user_no, user_name: person.user_name, dept_name: person.dept_name } : { user_no, user_name: erased_name, dept_name: null }
  const lines = await readLines(db, school_id, user_id)
  const open = lines.filter(line => !done.includes(line.state)).length
  const school = await db.selectFrom('school_v').select('school_name').where('school_id', '=', school_id).executeTakeFirstOrThrow()
  const issuer = await db.selectFrom('person_label').select('display_name').where('school_id', '=', school_id).where('user_id', '=', me.user_id).executeTakeFirst()
  ctx.note({ target_kind: 'people.person', target_id: user_id, target_name: named.user_name, after: { devices: lines.length, open }, reason })
  return { school_name: school.school_name, person: named, reason, issued_at: now.toISOString(), issued_by_name: issuer?.display_name ?? null, lines, open }
}

/** Of the ledger, and of rows that were sent and of which nobody knows yet whether they were held. */
async function readLines(db: Db, school_id: number, user_id: string): Promise<ErasureLine[]> {
  const { rows } = await sql`
    select d.device_name, d.device_sn, p.node_path_name, h.first_applied_at, coalesce(h.delete_acked_at, case when r.state = 'gone' then r.acked_at end) as delete_acked_at, h.proven_gone_at,
      case when h.closed_by = 'lost_device' then 'lost' when h.closed_by = 'wiped' then 'wiped' when h.proven_gone_at is not null then 'proven'
        when h.delete_acked_at is not null or r.state = 'gone' then 'acked' when d.lost_at is not null then 'lost' when r.want_op = 'put' and r.state <> 'blocked' then 'held' else 'open' end as state
    from (
      select device_id, row_key from device_held where school_id = ${school_id} and user_id = ${user_id} and kind = 'credential'
      union select device_id, row_key from sync_row where school_id = ${school_id} and user_id = ${user_id} and kind = 'credential' and row_key like 'f%' and sent_at is not null) u
    join device d on d.school_id = ${school_id} and d.device_id = u.device_id
    left join device_held h on h.school_id = ${school_id} and h.device_id = u.device_id and h.kind = 'credential' and h.row_key = u.row_key
    left join sync_row r on r.school_id = ${school_id} and r.device_id = u.device_id and r.kind = 'credential' and r.row_key = u.row_key
    left join lateral (select place_id from device_place where school_id = ${school_id} and device_id = u.device_id order by valid_from desc limit 1) dp on true
    left join place_live_v p on p.school_id = ${school_id} and p.place_id = dp.place_id
    order by p.node_path_name nulls last, d.device_name`.execute(db)
  return z.array(Row).parse(rows)
}

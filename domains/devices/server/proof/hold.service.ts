import { devicesErrors, HeldPlan } from '@campus/devices/contract'
import type { syncApi } from '@campus/devices/contract'
import { placeScope } from '@campus/places/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import { z } from 'zod'
import type { DevicesCtx } from '../db.ts'
import { readDevices } from '../device.queries.ts'
import { requireDevice } from '../device.service.ts'
import { wakeSenders } from '../notice.ts'
import { tellHolds } from './hold.tell.ts'

const [names_shown, groups_shown] = [5, 4]
const Row = HeldPlan.omit({ device_name: true, node_path_name: true, direction: true, held_at: true }).extend({ held_at: z.date() })

/** Changes that wait for a signature, of the devices that the reader may see, the oldest first. */
export async function listHolds(ctx: DevicesCtx): Promise<Reply<typeof syncApi.holds>> {
  const { db, school_id, now } = ctx
  const scope = await placeScope(ctx)
  const { rows } = await sql`
    select p.plan_id::text, p.device_id::text, p.persons, p.persons_total, p.held_at,
      array(select s.user_name from sync_row r join subject s on s.school_id = r.school_id and s.user_id = r.user_id
        where r.school_id = ${school_id} and r.device_id = p.device_id and r.kind = 'person' and r.state = 'blocked' and r.reason_code = 'held' order by s.user_no limit ${names_shown}) as names,
      array(select jsonb_build_object('name', coalesce(s.dept_name, '其他人员'), 'persons', count(*)) from sync_row r join subject s on s.school_id = r.school_id and s.user_id = r.user_id
        where r.school_id = ${school_id} and r.device_id = p.device_id and r.kind = 'person' and r.state = 'blocked' and r.reason_code = 'held' group by s.dept_name order by count(*) desc, s.dept_name limit ${groups_shown}) as groups
    from sync_plan p where p.school_id = ${school_id} and p.state = 'held' order by p.held_at, p.plan_id`.execute(db)
  const plans = z.array(Row).parse(rows)
  if (plans.length === 0) return { list: [] }
  const seen = await readDevices(db, { school_id, now, scope, device_ids: plans.map(plan => plan.device_id) }, { limit: plans.length, offset: 0 })
  const devices = new Map(seen.map(device => [device.device_id, device]))
  return {
    list: plans.flatMap(({ held_at, ...plan }) => {
      const device = devices.get(plan.device_id)
      return device ? [{ ...plan, held_at: held_at.toISOString(), device_name: device.device_name, node_path_name: device.node_path_name, direction: device.direction }] : []
    }),
  }
}

/** Signs a change: what was held goes out. @returns how many rows @throws Refusal 404 for a plan out of sight, 409 planOver */
export async function confirmHold(ctx: DevicesCtx, { plan_id, reason }: Input<typeof syncApi.hold_confirm>): Promise<Reply<typeof syncApi.hold_confirm>> {
  const { db, school_id, now, me } = ctx
  const plan = await db.selectFrom('sync_plan').select(['device_id', 'state', 'persons']).where('school_id', '=', school_id).where('plan_id', '=', plan_id).forUpdate().executeTakeFirst()
  if (!plan) throw fail(commonErrors.notFound)
  const { device_id } = plan
  const { device_name } = await requireDevice(ctx, device_id)
  if (plan.state !== 'held') throw fail(devicesErrors.planOver)
  await db.updateTable('sync_plan').set({ state: 'confirmed', ended_at: now, confirmed_by: me.user_id, reason }).where('school_id', '=', school_id).where('plan_id', '=', plan_id).execute()
  const freed = await db
    .updateTable('sync_row')
    .set({ state: 'pending', reason_code: null, attempts: 0, next_at: now, wanted_at: now })
    .where('school_id', '=', school_id)
    .where('device_id', '=', device_id)
    .where('state', '=', 'blocked')
    .where('reason_code', '=', 'held')
    .returning('row_key')
    .execute()
  await tellHolds(ctx, [device_id])
  await wakeSenders({ db, school_id }, [device_id])
  ctx.note({ target_kind: 'devices.device', target_id: device_id, target_name: device_name, after: { persons: plan.persons }, reason })
  return { rows: freed.length }
}

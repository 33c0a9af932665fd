import { PickupRow } from '@campus/access/contract'
import type { pickupApi } from '@campus/access/contract'
import { inScope } from '@campus/people/server'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import { z } from 'zod'
import type { AccessCtx } from '../db.ts'
import { readSites } from '../decide/read-facts.ts'
import { derive } from '../grant/derive.ts'
import { requirePeople, scopesOf } from '../grant/scope.ts'
import { releaseChild, requireConfirmed } from './pickup.core.ts'

const [most_listed, student] = [500, 1] as const
const instant = z.date().transform(at => at.toISOString())
const Found = PickupRow.extend({ matched_at: instant, release_until: instant })

/** Who was fetched on a day (default today), those who wait first. */
export async function listPickups(
  ctx: AccessCtx,
  { day = schoolDay(ctx.now) }: Input<typeof pickupApi.list>,
): Promise<Reply<typeof pickupApi.list>> {
  const { db, school_id } = ctx
  const { student: scope } = await scopesOf(ctx)
  const { rows } = await sql`
    select e.event_id::text, e.student_id::text, coalesce(s.display_name, '') as student_name, d.dept_name, coalesce(f.person_name,
      p.display_name) as parent_name, w.place_name, e.matched_at, e.release_until, e.state::int, b.display_name as by_name
    from pickup_event e
    join person_label s on s.school_id = ${school_id} and s.user_id = e.student_id
    join live_student l on l.school_id = ${school_id} and l.user_id = e.student_id and ${inScope('l.dept_id', scope)}
    join place_path_v w on w.school_id = ${school_id} and w.place_id = e.place_id
    left join dept_now d on d.school_id = ${school_id} and d.id = l.dept_id
    left join person_label p on p.school_id = ${school_id} and p.user_id = e.parent_id
    left join pickup_person f on f.school_id = ${school_id} and f.pickup_id = e.pickup_id
    left join person_label b on b.school_id = ${school_id} and b.user_id = e.by_user
    where e.school_id = ${school_id} and e.matched_at >= ${new Date(`${day}T00:00:00+08:00`)}
      and e.matched_at < ${new Date(`${day}T24:00:00+08:00`)}
    order by (e.state in (1, 4)) desc, e.matched_at desc, e.event_id desc limit ${most_listed}`.execute(db)
  return { list: z.array(Found).parse(rows) }
}

/** Lets a child go without a guardian's pass, with who did it and why. @throws Refusal 404, 409 pickupOpen, 422 pickupUnconfirmed */
export async function releaseByHand(
  ctx: AccessCtx,
  { student_id, place_id, pickup_id, reason }: Input<typeof pickupApi.release>,
): Promise<Reply<typeof pickupApi.release>> {
  const [found] = await requirePeople(ctx, [student_id])
  const site = (await readSites(ctx.db, ctx.school_id)).find(one => one.place_id === place_id && one.is_perimeter)
  if (found?.person_kind !== student || !site) throw fail(commonErrors.notFound)
  const adult = pickup_id === null ? null : await requireConfirmed(ctx, pickup_id, student_id)
  const released = await releaseChild(ctx, {
    student_id,
    place_id,
    parent_id: adult?.parent_id ?? null,
    pickup_id,
    by: { user_id: ctx.me.user_id, reason },
  })
  if (!released) throw fail(commonErrors.notFound)
  await derive(ctx, [student_id])
  ctx.note({
    target_kind: 'access.pickup',
    target_id: student_id,
    target_name: found.user_name,
    reason,
    after: { place_name: site.place_name, person_name: adult?.person_name ?? null },
  })
  return { event_id: released.event_id, release_until: released.release_until.toISOString() }
}

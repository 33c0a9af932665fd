import { sql } from 'kysely'
import type { Db } from './db.ts'
import { declareDuties } from './duty.declare.ts'

/** Somebody who left the staff: `on` is the first day without him. */
export type StaffLeave = { user_id: string; on: string; reason: string; to_where: string | null }

const left = 'STAFF_OUT'

/** Writes who left the staff and when: state, departments and duties end on that day, and with the duties what they let somebody see. */
export async function recordStaffLeaves(db: Db, school_id: number, leaves: readonly StaffLeave[]): Promise<void> {
  const people = sql`unnest(${leaves.map(leave => leave.user_id)}::bigint[], ${leaves.map(leave => leave.on)}::date[],
    ${leaves.map(leave => leave.reason)}::text[], ${leaves.map(leave => leave.to_where)}::text[]) x(user_id, day, reason, to_where)`
  await sql`
    update staff_span t set valid_to = x.day, close_kind = ${left}, reason = x.reason, to_where = x.to_where
    from ${people} where t.school_id = ${school_id} and t.user_id = x.user_id and t.valid_to is null`.execute(db)
  await sql`
    update dept_member m set valid_to = x.day
    from ${people} where m.school_id = ${school_id} and m.user_id = x.user_id and m.member_kind = 'staff' and m.valid_to is null`.execute(db)
  await sql`
    update dept_duty y set valid_to = x.day
    from ${people} where y.school_id = ${school_id} and y.user_id = x.user_id and y.valid_to is null`.execute(db)
  await declareDuties(db, school_id, leaves.map(leave => leave.user_id))
}

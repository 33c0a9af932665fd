import { peopleErrors } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import { insertRows } from './bulk.ts'
import { oneOf, validOn } from './dated.ts'
import type { Db } from './db.ts'
import type { Duty } from './duty.declare.ts'

type DutyRow = { id: string; user_id: string; valid_from: string; valid_to: string | null }
type DutyPlan = { close: string[]; remove: string[]; open: string[]; touched: string[] }

/** One duty of one department: who shall have it from a day on, at most until the department closes. */
export type DutyWish = { dept_id: string; duty: Duty; user_ids: readonly string[]; on: string; until?: string | null }

/**
 * Gives a duty to exactly these people from a day on. Rows that began earlier end on that day, rows that began on it are replaced.
 * The caller has locked the people and the department.
 * @returns whose duties have changed
 * @throws Refusal 409 when a later change is already written down
 */
export async function changeDuty(db: Db, school_id: number, wish: DutyWish): Promise<string[]> {
  const rows = await db
    .selectFrom('dept_duty')
    .select(['id', 'user_id', 'valid_from', 'valid_to'])
    .where('school_id', '=', school_id)
    .where('dept_id', '=', wish.dept_id)
    .where('duty', '=', wish.duty)
    .where(eb => eb.or([eb('valid_to', 'is', null), eb('valid_to', '>', wish.on)]))
    .orderBy('valid_from')
    .execute()
  const plan = planDuty(rows, wish.user_ids, wish.on)
  if (plan.close.length > 0) await db.updateTable('dept_duty').set({ valid_to: wish.on }).where('school_id', '=', school_id).where(oneOf('id', plan.close)).execute()
  if (plan.remove.length > 0) await db.deleteFrom('dept_duty').where('school_id', '=', school_id).where(oneOf('id', plan.remove)).execute()
  const { dept_id, duty, on: valid_from, until: valid_to = null } = wish
  await insertRows(db, 'dept_duty', plan.open.map(user_id => ({ school_id, dept_id, duty, user_id, valid_from, valid_to })))
  return plan.touched
}

/** What becomes of the rows of one duty; somebody who has it and keeps it is left alone. */
export function planDuty(rows: readonly DutyRow[], wanted: readonly string[], on: string): DutyPlan {
  const running = rows.filter(row => row.valid_from <= on)
  const leaving = running.filter(row => !wanted.includes(row.user_id))
  const open = [...new Set(wanted)].filter(user_id => !running.some(row => row.user_id === user_id))
  const later = rows.find(row => row.valid_from > on)
  if (later && leaving.length + open.length > 0) throw fail(peopleErrors.deptFutureDuty, { params: { day: later.valid_from }, data: { valid_from: later.valid_from } })
  return {
    close: leaving.filter(row => row.valid_from < on).map(row => row.id),
    remove: leaving.filter(row => row.valid_from === on).map(row => row.id),
    open,
    touched: [...leaving.map(row => row.user_id), ...open],
  }
}

/** Everybody who has or will have a duty in these departments. */
export async function peopleOnDuty(db: Db, school_id: number, dept_ids: readonly string[], from: string): Promise<string[]> {
  const rows = await db
    .selectFrom('dept_duty')
    .select('user_id')
    .distinct()
    .where('school_id', '=', school_id)
    .where(oneOf('dept_id', dept_ids))
    .where(eb => eb.or([eb('valid_to', 'is', null), eb('valid_to', '>', from)]))
    .execute()
  return rows.map(row => row.user_id)
}

/**
 * Whoever leads a department is staff of the school on the day he begins.
 * @throws Refusal 404 for a person the school does not have, 422 for one who is no staff then
 */
export async function requireStaff(db: Db, school_id: number, user_ids: readonly string[], on: string): Promise<void> {
  const wanted = [...new Set(user_ids)]
  if (wanted.length === 0) return
  const rows = await db
    .selectFrom('person as p')
    .leftJoin('staff_span as t', join => join.onRef('t.school_id', '=', 'p.school_id').onRef('t.user_id', '=', 'p.user_id').on(validOn('t', on)))
    .select(['p.user_id', 't.state'])
    .where('p.school_id', '=', school_id)
    .where('p.status', '=', 'live')
    .where(oneOf('p.user_id', wanted))
    .execute()
  if (rows.length < wanted.length) throw fail(commonErrors.notFound)
  const other = rows.find(row => row.state === null)
  if (other) throw fail(peopleErrors.deptStaff, { data: { user_id: other.user_id }, errors: [{ field: 'head_user_id', msg: peopleErrors.deptStaff.msg }] })
}

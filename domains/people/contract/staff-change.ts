import { z } from 'zod'
import { EffectiveDay, most_subjects, Named, NeededReason, Reason, subjects, ToWhere } from './change-parts.ts'
import { DeptId } from './dept.ts'
import { UserId } from './student.ts'

/** Commands over staff. */
export const staff_change_kinds = ['STAFF_IN', 'STAFF_MOVE', 'STAFF_OUT', 'STAFF_RETURN'] as const
/** How somebody leaves the staff: codes of STAFF_STATE that are no work at the school. */
export const staff_leaves = { '07': '离职', '06': '辞职', '01': '退休', '05': '调出', '02': '离休', '03': '死亡', '08': '开除' } as const
export const staff_leave_states = ['07', '06', '01', '05', '02', '03', '08'] as const satisfies readonly (keyof typeof staff_leaves)[]
/** How somebody comes back: 返聘, 在职. */
export const staff_return_states = ['04', '11'] as const

/** Moves staff from one of their departments to another one; position and rank (primary or not) go along. */
export const StaffMove = z.strictObject({
  kind: z.literal('STAFF_MOVE'),
  subjects: subjects(Named.extend({ from_dept_id: DeptId, to_dept_id: DeptId })),
  ...EffectiveDay,
  reason: Reason.default(''),
})

/** Staff leave on a day: the first one on which they are gone. Whoever is head of a class names who follows him there. */
export const StaffLeave = z.strictObject({
  kind: z.literal('STAFF_OUT'),
  leave_state: z.enum(staff_leave_states).default('07'),
  subjects: subjects(Named),
  successors: z.array(z.strictObject({ dept_id: DeptId, user_id: UserId })).max(most_subjects).default([]),
  ...EffectiveDay,
  reason: NeededReason,
  to_where: ToWhere.optional(),
})

/** Staff who left come back into a department. */
export const StaffReturn = z.strictObject({
  kind: z.literal('STAFF_RETURN'),
  state: z.enum(staff_return_states).default('04'),
  subjects: subjects(Named.extend({ to_dept_id: DeptId })),
  ...EffectiveDay,
  reason: Reason.default(''),
})

export type StaffMove = z.output<typeof StaffMove>
export type StaffLeave = z.output<typeof StaffLeave>
export type StaffReturn = z.output<typeof StaffReturn>
export type StaffChange = StaffMove | StaffLeave | StaffReturn

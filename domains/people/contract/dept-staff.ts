import { api, Day, filter, get } from '@kit/contract'
import { z } from 'zod'
import { DeptId } from './dept.ts'
import { UserId } from './student.ts'

const Staff = z.object({ user_id: UserId, user_name: z.string() })

/** Who leads a department of the staff tree on a day, and how many belong to it itself. */
export const StaffDept = z.object({
  id: DeptId,
  row_version: z.number().int(),
  head: Staff.nullable(),
  vices: z.array(Staff),
  /** whose primary department it is, and who is here besides */
  primary_count: z.number().int(),
  part_count: z.number().int(),
  /** people of its own and nobody who leads them */
  is_vacant: z.boolean(),
})
export type StaffDept = z.output<typeof StaffDept>

/** The staff tree as the page of the organisation shows it (chapter 20 §5.2). */
export const deptStaffApi = api('web', 'people.dept', {
  staffBoard: get('dept/staffBoard', { query: z.object({ on: filter(Day) }), reply: z.object({ list: z.array(StaffDept) }), need: 'people.dept.view', within: 'staff_dept' }),
})

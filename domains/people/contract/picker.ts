import { api, filter, get, queryList } from '@kit/contract'
import { z } from 'zod'
import { DeptId } from './dept.ts'
import { UserId } from './student.ts'

/** Most people of one answer; who is not among them is found by typing more. */
export const most_picked = 300

/** A person to choose: number and department tell namesakes apart. */
export const PickedPerson = z.object({ user_id: UserId, user_name: z.string(), user_no: z.string(), label: z.string() })
export type PickedPerson = z.output<typeof PickedPerson>

const PickerQuery = z.object({
  /** the department with everything below it */
  dept_id: filter(DeptId),
  keyword: filter(z.string().max(50)),
  ids: filter(queryList(UserId, most_picked)),
})

/** People in choosers: those at work today, within the row scope (chapter 20 §4 Lists, rule 18). */
export const pickerApi = api('web', 'people.picker', {
  student: get('userInfo/student/listByTree', { query: PickerQuery, reply: z.object({ list: z.array(PickedPerson).max(most_picked) }), need: 'people.picker.use', within: 'student_dept' }),
  teacher: get('userInfo/teacher/listByTree', { query: PickerQuery, reply: z.object({ list: z.array(PickedPerson).max(most_picked) }), need: 'people.picker.use', within: 'staff_dept' }),
})

import { UserId } from '@campus/people/contract'
import { api, choice, Day, dictionaryCode, exportOf, get, keyword, list } from '@kit/contract'
import { z } from 'zod'
import { class_kinds } from './dictionary.ts'
import { ClassId } from './teaching.ts'

const Walking = z.object({
  id: ClassId, name: z.string(), kind: z.number().int(), semester_name: z.string(), grade: z.string(), course_name: z.string(),
    teachers: z.string(), place_name: z.string(), students: z.number().int(), capacity: z.number().int(),
})
export type Walking = z.output<typeof Walking>

/** Teaching classes that are no class of the school's tree: walking, combined and elective ones. */
export const walkingList = list({
  title: '教学班', unit: '个', row: Walking, key: 'id',
  columns: {
    name: { label: '名称', width: 184 }, kind: { label: '类别', width: 96, names: class_kinds }, semester_name: { label: '学期', width: 192 },
      grade: { label: '年级', width: 88, dictionary: 'GRADE' },
    course_name: { label: '课程', width: 128 }, teachers: { label: '教师', width: 144 }, place_name: { label: '教室', width: 176 },
      students: { label: '人数/容量', width: 104, text: row => `${row.students}/${row.capacity}` },
  },
  filters: { keyword: keyword('教学班名称'), kind: choice('类别', class_kinds), grade: dictionaryCode('年级', 'GRADE') },
})
const view = { need: 'teaching.elective.view' } as const

/** Teaching classes with their rosters (chapter 50 §4, select_course). */
export const walkingApi = api('v2', 'teaching.walking', {
  list: get('select_course/page', { query: walkingList.query, reply: walkingList.reply, ...view }),
  export: exportOf(walkingList, 'select_course/export', { need: 'teaching.elective.export' }),
  students: get('select_course/students/:id', {
    params: z.object({ id: ClassId }),
      reply: z.object({ list: z.array(z.object({ student_id: UserId, student_no: z.string(), user_name: z.string(), dept_name: z.string(),
      valid_from: Day })) }), ...view, within: 'student_dept',
  }),
})

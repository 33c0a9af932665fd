import { DeptId, UserId } from '@campus/people/contract'
import { grade_codes } from '@campus/calendar/contract'
import { api, Day, Done, filter, get, id, post } from '@kit/contract'
import { z } from 'zod'
import { CourseId } from './course.ts'

const TeachingId = id('teaching.teaching')
export const ClassId = id('teaching.class')
/** A term as calendar numbers it: 20261. */
export const SemesterId = z.coerce.number({ error: '请选择学期' }).int().min(10_000).max(999_999)
const Grade = z.enum(grade_codes)
const Count = z.number({ error: '请填写周课时' }).int({ error: '周课时为整数' }).min(0).max(20, { error: '周课时不能超过20' })
const most_cells = 400
const most_teachers = 5

export const Teacher = z.object({ user_id: UserId, user_name: z.string() })
export type Teacher = z.output<typeof Teacher>

/** What a class is taught in one course; absent cells are not taught. */
export const TeachingCell = z.object({
  id: TeachingId, class_id: ClassId, dept_id: DeptId.nullable(), course_id: CourseId, weekly_odd: z.number().int(), weekly_even: z.number().int(), double: z.number().int(),
  teachers: z.array(Teacher), place_id: z.string().nullable(), place_name: z.string().nullable(), row_version: z.number().int(),
})
export type TeachingCell = z.output<typeof TeachingCell>

/** `class_id` null: the class has no teaching in this term yet. */
export const TaughtClass = z.object({ class_id: ClassId.nullable(), dept_id: DeptId.nullable(), name: z.string(), grade: z.string(), kind: z.number().int() })
export type TaughtClass = z.output<typeof TaughtClass>
const TaughtCourse = z.object({ id: CourseId, course_name: z.string(), subject: z.string(), color: z.string(), weekly: z.number().int(), double: z.number().int() })
export const TeacherLoad = z.object({ user_id: UserId, user_name: z.string(), teacher_no: z.string(), weekly: z.number(), subjects: z.array(z.string()), most: z.number().int() })
export type TeacherLoad = z.output<typeof TeacherLoad>
/** What copying does to one row: 沿用, 教师已离校, 课程不适用该年级, 已存在. */
export const CopyLine = z.object({ class_name: z.string(), course_name: z.string(), teachers: z.string(), verdict: z.enum(['new', 'left', 'grade', 'present', 'closed']) })
export type CopyLine = z.output<typeof CopyLine>

const Cell = z.strictObject({
  dept_id: DeptId.optional(), class_id: ClassId.optional(), course_id: CourseId, weekly_odd: Count, weekly_even: Count, double: z.number().int().min(0).max(10).default(0),
  teacher_ids: z.array(UserId).max(most_teachers, { error: '最多选择5位教师' }), place_id: id('places.place').nullable().default(null), row_version: z.number().int().nullable().default(null),
}).refine(cell => (cell.dept_id === undefined) !== (cell.class_id === undefined), { path: ['class_id'], error: '请选择班级' })
  .refine(cell => cell.double * 2 <= Math.min(cell.weekly_odd, cell.weekly_even), { path: ['double'], error: '连堂次数的两倍不能超过周课时' })

export const TeachingTerm = z.object({ semester_id: z.number().int(), name: z.string(), school_year: z.string(), begin_date: Day, end_date: Day, is_closed: z.boolean() })
export type TeachingTerm = z.output<typeof TeachingTerm>
const edit = { need: 'teaching.teaching.edit' } as const
const view = { need: 'teaching.teaching.view' } as const

/** Who teaches what to which class (chapter 50 §4). */
export const teachingApi = api('v2', 'teaching.teaching', {
  /** terms of the school for choosing one, the latest first */
  terms: get('teaching/terms', { reply: z.object({ list: z.array(TeachingTerm), current: z.number().int().nullable() }), session: true }),
  matrix: get('teaching/matrix', {
    query: z.object({ semester_id: SemesterId, grade: filter(Grade) }),
    reply: z.object({ classes: z.array(TaughtClass), courses: z.array(TaughtCourse), cells: z.array(TeachingCell) }), ...view,
  }),
  load: get('teaching/load', { query: z.object({ semester_id: SemesterId }), reply: z.object({ list: z.array(TeacherLoad) }), ...view }),
  /** a cell with 0 and 0 lessons goes away */
  save: post('teaching/save', { body: z.strictObject({ semester_id: SemesterId, cells: z.array(Cell).min(1).max(most_cells) }), reply: z.object({ saved: z.number().int(), removed: z.number().int() }), op: 4, ...edit }),
  changeTeacher: post('teaching/change_teacher', { body: z.strictObject({ semester_id: SemesterId, from_id: UserId, to_id: UserId, ids: z.array(TeachingId).max(most_cells).default([]) }), reply: z.object({ changed: z.number().int() }), op: 4, ...edit }),
  copy: post('teaching/copy', {
    body: z.strictObject({ from: SemesterId, to: SemesterId, grades: z.array(Grade).max(18).default([]), preview: z.boolean().default(true) }).refine(({ from, to }) => from !== to, { path: ['to'], error: '请选择不同的学期' }),
    reply: z.object({ lines: z.array(CopyLine), copied: z.number().int() }), ...edit,
  }),
  unavailable: get('teach_rule/list', { query: z.object({ semester_id: SemesterId, teacher_id: UserId }), reply: z.object({ cells: z.array(z.string()) }), ...view }),
  saveUnavailable: post('teach_rule/save', {
    body: z.strictObject({ semester_id: SemesterId, teacher_id: UserId, cells: z.array(z.string().regex(/^[1-7]-(?:[1-9]|1[0-6])$/u)).max(112), reason: z.string().trim().max(60).default('') }), reply: Done, op: 4, ...edit,
  }),
})
export type TeachingDraft = z.output<typeof Cell>

import { UserId } from '@campus/people/contract'
import { grade_codes } from '@campus/calendar/contract'
import { api, Day, Done, get, id, Instant, post } from '@kit/contract'
import { z } from 'zod'
import { SemesterId } from './teaching.ts'

const RunId = id('teaching.sectioning')
const Grade = z.enum(grade_codes, { error: '请选择年级' })
const whole = (label: string, min: number, max: number) => z.number({ error: `请填写${label}` }).int({ error: `${label}为${min}至${max}的整数` })
  .min(min, { error: `${label}为${min}至${max}的整数` }).max(max, { error: `${label}为${min}至${max}的整数` })

/** How many teachers a subject has in one block: no more of its classes run side by side. */
const SubjectTeachers = z.strictObject({ subject: z.string().min(1).max(8), count: whole('每段教师数', 1, 60) })
export type SubjectTeachers = z.output<typeof SubjectTeachers>

/** A walking class of a plan: who takes one subject in one block. */
const PlannedClass = z.object({ name: z.string(), subject: z.string(), block: z.number().int(), size: z.number().int(), boys: z.number()
  .int(),
  homes: z.array(z.string()), is_new: z.boolean() })
export const SectionPlan = z.object({
  classes: z.array(PlannedClass), served: z.number().int(), rooms: z.array(z.number().int()), smallest: z.number().int(),
    largest: z.number().int(),
  mean: z.number(), under: z.number().int(), moved: z.number().int(),
  unserved: z.array(z.object({ student_id: UserId, user_name: z.string(), reason: z.string() })),
})
export type SectionPlan = z.output<typeof SectionPlan>
export const SectionRun = z.object({
  id: RunId, semester_id: z.number().int(), grade: z.string(), state: z.enum(['running', 'ready', 'failed', 'applied', 'undone']),
    job_no: z.string(),
  blocks: z.number().int(), min: z.number().int(), max: z.number().int(), rooms: z.number().int(), plans: z.array(SectionPlan),
  applied_no: z.number().int().nullable(), applied_at: Instant.nullable(), created_at: Instant,
})
export type SectionRun = z.output<typeof SectionRun>

const edit = { need: 'teaching.elective.edit' } as const
const byId = z.object({ id: RunId })
export const section_fields = {
  blocks: whole('时段数', 2, 6).default(2), min: whole('最少人数', 1, 100).default(30), max: whole('最多人数', 1, 100).default(46),
  rooms: whole('每段教室数', 1, 60).default(10), seed: whole('随机种子', 1, 1_000_000).default(1),
}

/** 分班: pupils of a grade with their three subjects become walking classes in parallel blocks (chapter 50 §3.7). */
export const sectioningApi = api('v2', 'teaching.sectioning', {
  /** the latest run of a grade, and how many teach each elective subject to it this term */
  latest: get('sectioning/latest', { query: z.object({ semester_id: SemesterId, grade: Grade }),
    reply: z.object({ run: SectionRun.nullable(), teachers: z.array(SubjectTeachers.extend({ name: z.string() })) }),
    need: 'teaching.elective.view', within: 'student_dept' }),
  /**
   * `subjects`: second: only the two further subjects walk (定一走二), all: all three do (大走班). `keep`: classes of the accepted plan stay,
   * only who has none comes in.
   */
  start: post('sectioning/run', {
    body: z.strictObject({ semester_id: SemesterId, grade: Grade, subjects: z.enum(['second', 'all']).default('second'),
      keep: z.boolean().default(false), teachers: z.array(SubjectTeachers).max(12).default([]), ...section_fields })
      .refine(one => one.min <= one.max, { path: ['min'], error: '最少人数不能大于最多人数' })
      .refine(one => one.subjects === 'second' || one.blocks >= 3, { path: ['blocks'], error: '三科都走班时至少需要3个时段' }),
    reply: z.object({ id: RunId, job_no: z.string() }), op: 3, ...edit,
  }),
  apply: post('sectioning/:id/apply', {
    params: byId, body: z.strictObject({ plan_no: z.number().int().min(0), from: Day }),
    reply: z.object({ classes: z.number().int(), students: z.number().int() }), op: 4, ...edit,
  }),
  undo: post('sectioning/:id/undo', { params: byId, reply: Done, op: 4, ...edit }),
})

import { DeptId, UserId } from '@campus/people/contract'
import { api, Day, get, id, post } from '@kit/contract'
import { z } from 'zod'
import { post_names } from './dictionary.ts'

const CourseId = id('teaching.course')
const count = z.number().int()
const most_posts = 100

/** Who holds which post of a class on a day. */
export const Holder = z.object({
  post_code: z.string(),
  course_id: CourseId.nullable(),
  course_name: z.string().nullable(),
  user_id: UserId,
  user_name: z.string(),
  elected_by: count,
  valid_from: Day,
  valid_to: Day.nullable(),
})
export type Holder = z.output<typeof Holder>
const Committee = z.object({
  dept_id: DeptId,
  dept_name: z.string(),
  on: Day,
  row_version: count,
  limits: z.record(z.string(), count),
  list: z.array(Holder),
  courses: z.array(z.object({ course_id: CourseId, course_name: z.string() })),
  pupils: z.array(z.object({ user_id: UserId, user_name: z.string() })),
})
export type Committee = z.output<typeof Committee>

const PostCode = z.string().refine(code => Object.hasOwn(post_names, code), { error: '请选择职务' })
const Post = z.strictObject({
  post_code: PostCode,
  course_id: CourseId.nullable().default(null),
  user_id: UserId,
  elected_by: z.number().int().min(1).max(3).default(1),
})
const Save = z.strictObject({ dept_id: DeptId, from: Day, row_version: count, posts: z.array(Post).max(most_posts) })

const Teacher = z.object({ user_id: UserId, user_name: z.string(), courses: z.array(z.string()) })
const Teachers = z.object({ heads: z.array(Teacher.omit({ courses: true })), list: z.array(Teacher) })
export type ClassTeachers = z.output<typeof Teachers>
const view = { need: 'evaluation.committee.view', within: 'dept' } as const
const OfClass = z.object({ dept_id: DeptId, on: Day.optional() })

/** The committee of a class as of a day (chapter 55 rule 47). */
export const committeeApi = api('web', 'evaluation.committee', {
  list: get('classCommittee/list', { query: OfClass, reply: Committee, ...view }),
  save: post('classCommittee/save', {
    body: Save,
    reply: z.object({ row_version: count, added: count, ended: count }),
    need: 'evaluation.committee.edit',
    within: 'dept',
  }),
  teachers: get('classTeacher/list', { query: OfClass, reply: Teachers, ...view }),
  limits: get('classCommittee/limit', {
    reply: z.object({ limits: z.record(z.string(), count), row_version: count }),
    need: 'evaluation.committee.view',
  }),
  setLimits: post('classCommittee/limit/save', {
    body: z.strictObject({ limits: z.record(PostCode, z.number().int().min(1, { error: '人数为1至20' }).max(20, { error: '人数为1至20' })),
      row_version: count }),
    reply: z.object({ row_version: count }), op: 4, need: 'evaluation.star.manage',
  }),
  classes: get('classCommittee/classes', {
    reply: z.object({ list: z.array(z.object({ dept_id: DeptId, dept_name: z.string() })) }),
    ...view,
  }),
})

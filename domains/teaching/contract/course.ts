import { api, choice, del, dictionaryCode, Done, exportOf, get, id, keyword, list, post, put } from '@kit/contract'
import { grade_codes } from '@campus/calendar/contract'
import { z } from 'zod'
import { COURSE_ATTR, COURSE_TYPE } from './dictionary.ts'

export const CourseId = id('teaching.course')
const most_at_once = 300
const most_weekly = 20

const editable = {
  course_name: z.string({ error: '请填写课程名称' }).trim().min(1, { error: '请填写课程名称' }).max(30, { error: '课程名称不能超过30个字' }).regex(/^[^<>"'\\/]*$/u, { error: '课程名称不能含有特殊字符' }),
  subject: z.string({ error: '请选择学科' }).min(1, { error: '请选择学科' }).max(4),
  grades: z.array(z.enum(grade_codes)).min(1, { error: '请选择适用年级' }).max(18),
  course_type: z.enum(COURSE_TYPE.codes, { error: '请选择课程类型' }),
  course_attr: z.enum(COURSE_ATTR.codes).nullable().default(null),
  weekly: z.number({ error: '请填写周课时' }).int({ error: '周课时为1至20的整数' }).min(1, { error: '周课时为1至20的整数' }).max(most_weekly, { error: '周课时为1至20的整数' }),
  double: z.number().int().min(0).max(10, { error: '连堂次数为0至10' }).default(0),
  walking: z.boolean().default(false),
  place_kind: z.number().int().min(1).max(99).nullable().default(null),
  color: z.string().regex(/^#[0-9A-Fa-f]{6}$/u, { error: '颜色格式为#RRGGBB' }).default('#4F8DF7'),
}
const CourseNo = z.string({ error: '请填写课程编号' }).trim().min(1, { error: '请填写课程编号' }).max(50, { error: '课程编号不能超过50位' }).regex(/^[0-9A-Za-z]*$/u, { error: '课程编号只能由字母和数字组成' })
const checkDouble = (draft: { weekly: number; double: number }, context: z.RefinementCtx) => {
  if (draft.double * 2 > draft.weekly) context.addIssue({ code: 'custom', path: ['double'], message: '连堂次数的两倍不能超过周课时' })
}
export const CourseDraft = z.strictObject({ course_no: CourseNo, ...editable }).superRefine(checkDouble)
const CoursePatch = z.strictObject({ ...editable, row_version: z.number().int() }).superRefine(checkDouble)
/** The fields by themselves, for the rules of the form. */
export const course_fields = { course_no: CourseNo, ...editable }

export const CourseRow = z.object({
  id: CourseId, course_no: z.string(), course_name: z.string(), subject: z.string(), grades: z.array(z.string()), course_type: z.enum(COURSE_TYPE.codes),
  course_attr: z.enum(COURSE_ATTR.codes).nullable(), weekly: z.number().int(), double: z.number().int(), walking: z.boolean(), place_kind: z.number().int().nullable(),
  color: z.string(), archived: z.boolean(), row_version: z.number().int(),
})
export type CourseRow = z.output<typeof CourseRow>

/** The list of courses. */
export const courseList = list({
  title: '课程科目', unit: '门', row: CourseRow, key: 'id',
  columns: {
    course_no: { label: '课程编号', width: 112 },
    course_name: { label: '课程名称', width: 144 },
    subject: { label: '学科', width: 104, dictionary: 'SUBJECT' },
    grades: { label: '适用年级', width: 176, text: row => row.grades.join('；') },
    course_type: { label: '课程类型', width: 120, dictionary: 'COURSE_TYPE' },
    course_attr: { label: '课程属性', width: 80, dictionary: 'COURSE_ATTR' },
    weekly: { label: '周课时', width: 72, kind: 'number' },
    double: { label: '连堂', width: 64, kind: 'number' },
    walking: { label: '走班', width: 64, kind: 'flag' },
    place_kind: { label: '场地要求', width: 88, dictionary: 'PLACE_KIND', text: row => (row.place_kind === null ? '' : String(row.place_kind)) },
    color: { label: '颜色', width: 80 },
    archived: { label: '状态', width: 72, text: row => (row.archived ? '停用' : '启用') },
  },
  filters: {
    keyword: keyword('课程编号/名称'),
    subject: dictionaryCode('学科', 'SUBJECT'),
    grade: dictionaryCode('年级', 'GRADE'),
    course_type: dictionaryCode('课程类型', 'COURSE_TYPE'),
    state: choice('状态', { '1': '启用', '0': '停用' }),
  },
})

const byId = z.object({ id: CourseId })
const edit = { need: 'teaching.course.edit' } as const
const view = { need: 'teaching.course.view' } as const
const Saved = z.object({ row: CourseRow })

/** Courses of the school (chapter 50 §4). */
export const courseApi = api('v2', 'teaching.course', {
  list: get('course/page', { query: courseList.query, reply: courseList.reply, ...view }),
  export: exportOf(courseList, 'course/export', view),
  all: get('course/list', { reply: z.object({ list: z.array(CourseRow) }), ...view }),
  add: post('course/add', { body: CourseDraft, reply: Saved, ...edit }),
  update: put('course/update/:id', { params: byId, body: CoursePatch, reply: Saved, ...edit }),
  enable: post('course/enable', { body: z.strictObject({ ids: z.array(CourseId).min(1, { error: '请选择课程' }).max(most_at_once), enabled: z.boolean() }), reply: z.object({ changed: z.number().int() }), op: 4, ...edit }),
  remove: del('course/delete/:id', { params: byId, reply: Done, ...edit }),
})

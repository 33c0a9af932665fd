import { DeptId, UserId } from '@campus/people/contract'
import { api, choice, count, Day, distinct, Done, exportOf, filter, get, id, page, PageQuery, post, reference, report, sum } from '@kit/contract'
import { z } from 'zod'
import { LeaveId, Ribbon } from './apply.ts'
import { LEAVE_STUDENT } from './dictionary.ts'

/** 请假汇总: person × month, days and lessons (chapter 70 §5); three sick leaves a month are marked. */
export const leaveReport = report({
  title: '请假汇总', is_about_people: true,
  keys: {
    month: { label: '月份', width: 84, value: z.string() },
    dept_name: { label: '班级', width: 112, value: z.string().nullable() },
    user_name: { label: '姓名', width: 96, value: z.string().nullable() },
    user_id: { label: '', value: UserId, hidden: true },
  },
  measures: {
    times: count('次数', '次'),
    sick: sum('病假', '次'),
    days: sum('天数', '天'),
    lessons: sum('缺课', '节'),
    people: { ...distinct('人数', '人'), width: 72 },
  },
  filters: { type: choice('假别', LEAVE_STUDENT.names), dept_id: reference('班级', 'people.dept', DeptId) },
  range: { most_days: 366, usual: 'month' },
})
/** Sick leaves a month from which they are marked. */
export const sick_often = 3

const Bar = z.object({ leave_id: LeaveId, from: Day, to: Day, kind: z.enum(['sick', 'rest']), days: z.number() })
const Follow = z.object({ follow_id: id('leave.follow'), kind: z.number().int(), note: z.string(), next_on: Day.nullable(), on: Day, by_name: z.string().nullable() })

/** One chain of sick leaves and recuperation (chapter 70 L16). */
export const RecoverRow = z.object({
  row_id: z.string(), user_id: UserId, user_name: z.string(), user_no: z.string(), dept_name: z.string().nullable(), person_kind: z.number().int(),
  from: Day, to: Day, school_days: z.number(), lessons: z.number().int(), calendar_days: z.number().int(),
  bars: z.array(Bar), follows: z.array(Follow), last_follow: Day.nullable(), next_follow: Day.nullable(),
  state: z.enum(['open', 'due', 'suspend', 'resumed']), has_proof: z.boolean(), last_leave_id: LeaveId,
})
export type RecoverRow = z.output<typeof RecoverRow>
export const recover_state_names = { open: '疗养中', due: '待随访', suspend: '建议休学', resumed: '已复课' } as const

const RecoverQuery = PageQuery.extend({ from: filter(Day), to: filter(Day), kind: filter(z.enum(['1', '2', '6'])), state: filter(z.enum(['open', 'due', 'suspend', 'resumed'])), keyword: filter(z.string().max(50)) })
const Note = z.string({ error: '请填写随访情况' }).trim().min(2, { error: '请填写随访情况' }).max(200, { error: '超过200个字' })
const view = { need: 'leave.record.view', within: 'dept' } as const

/** Reports about leaves (chapter 70 §4 record/*). */
export const recordApi = api('leave', 'leave.record', {
  page: post('record/page', { body: leaveReport.query, reply: leaveReport.reply, reads: true, unlogged: '列表查询', ...view }),
  export: exportOf(leaveReport.sheet, 'record/export', { need: 'leave.record.export', within: 'dept' }),
  week: get('record/day', { query: z.object({ date: Day, dept_id: DeptId.optional() }), reply: Ribbon, ...view }),
  people: get('record/day/people', { query: z.object({ date: Day, dept_id: DeptId }), reply: z.object({ list: z.array(z.object({ leave_id: LeaveId, user_id: UserId, user_name: z.string(), leave_type: z.string(), state: z.number().int() })) }), ...view }),
  recover: get('record/liaoyang/page', { query: RecoverQuery, reply: page(RecoverRow), ...view }),
})

/** Follow-ups of a recuperation, and the day somebody comes back (chapter 70 L16). */
export const recoverApi = api('leave', 'leave.recover', {
  follow: post('recover/follow', { body: z.strictObject({ leave_id: LeaveId, user_id: UserId, note: Note, next_on: Day.nullable().default(null) }), reply: Done, need: 'leave.recover.edit', within: 'dept', op: 4 }),
  resume: post('recover/resume', { body: z.strictObject({ leave_id: LeaveId, user_id: UserId, note: Note, cert_keys: z.array(z.string().max(200)).max(9).default([]) }), reply: Done, need: 'leave.recover.edit', within: 'dept', op: 4 }),
})

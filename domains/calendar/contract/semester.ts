import { api, Day, del, get, page, PageQuery, post, put, QueryFlag } from '@kit/contract'
import { z } from 'zod'
import { Effects } from './day.ts'
import { TERM } from './dictionary.ts'
import { countDays } from './week.ts'

const [least_days, most_days, most_weeks] = [7, 210, 30]
const SemesterId = z.coerce.number().int().min(1).max(2_147_483_647)
const Reason = z.string({ error: '请填写原因' }).trim().min(1, { error: '请填写原因' }).max(100, { error: '不能超过100个字' })
const SchoolYear = z.string({ error: '请选择学年' }).regex(/^\d{4}-\d{4}$/, { error: '请选择学年' })
  .refine(text => Number(text.slice(5)) === Number(text.slice(0, 4)) + 1, { error: '学年的后一年须为前一年加1' })
const TermDay = (msg: string) => z.iso.date({ error: msg })

const editable = {
  name: z.string({ error: '请填写学期名称' }).trim().min(1, { error: '请填写学期名称' }).max(30, { error: '不能超过30个字' }),
  begin_date: TermDay('请选择开始日期'),
  end_date: TermDay('请选择结束日期'),
  register_date: Day.nullable().default(null),
  exam_weeks: z.array(z.number().int().min(1).max(most_weeks)).max(most_weeks).default([]),
  odd_first: z.boolean().default(true),
}

type Dates = { begin_date: string; end_date: string; register_date: string | null }

/** From 7 to 210 days, and people report before the term is over. */
function checkDates({ begin_date, end_date, register_date }: Dates, context: z.RefinementCtx): void {
  const count = countDays(begin_date, end_date)
  const say = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
  if (count === 0) say('end_date', '结束日期必须晚于开始日期')
  else if (count < least_days || count > most_days) say('end_date', `学期须为${least_days}至${most_days}天，现在是${count}天`)
  if (register_date !== null && register_date > end_date) say('register_date', '报到日期不能晚于结束日期')
}

/** A new term: which school year and which term it is stays as it was. */
export const SemesterDraft = z.strictObject({ school_year: SchoolYear, term: z.enum(TERM.codes, { error: '请选择学期' }), ...editable, preview: z.boolean().default(false) }).superRefine(checkDates)
export const SemesterPatch = z.strictObject({ ...editable, row_version: z.number().int(), preview: z.boolean().default(false) }).superRefine(checkDates)

export const Semester = z.object({
  id: SemesterId,
  school_year: z.string(),
  term: z.enum(TERM.codes),
  name: z.string(),
  begin_date: Day,
  end_date: Day,
  register_date: Day.nullable(),
  exam_weeks: z.array(z.number().int()),
  odd_first: z.boolean(),
  weeks: z.number().int(),
  /** derived from today: 未开始, 进行中, 已结束, 归档 */
  state: z.enum(['coming', 'running', 'over', 'closed']),
  row_version: z.number().int(),
})
export type Semester = z.output<typeof Semester>

/** `2026-2027学年第一学期`, the name a term has unless it gets another. */
export function semesterName(school_year: string, term: string): string {
  return `${school_year}学年${Object.entries(TERM.names).find(([code]) => code === term)?.[1].replace(/\(.*\)/, '') ?? ''}`
}

/** The term of today, or between terms the coming one, whose week is null; and what today is. */
export const CurrentSemester = z.object({
  school_year: z.string(),
  semester_id: z.number().int(),
  term: z.string(),
  begin_date: Day,
  end_date: Day,
  week_no: z.number().int().nullable(),
  week_kind: z.number().int().nullable(),
  next: z.object({ semester_id: z.number().int(), name: z.string(), begin_date: Day }).nullable(),
  today: z.object({
    date: Day, weekday: z.number().int(), day_kind: z.number().int(), is_school_day: z.boolean(), label: z.string(), plan_date: Day.nullable(), plan_weekday: z.number().int().nullable(),
  }),
})
export type CurrentSemester = z.output<typeof CurrentSemester>

const byId = z.object({ id: SemesterId })
const edit = { need: 'calendar.semester.edit' } as const
/** With `preview` nothing is written and there is no term. */
const Changed = z.object({ semester: Semester.nullable(), effects: Effects })

/** Terms (chapter 50 §4). */
export const semesterApi = api('v2', 'calendar.semester', {
  list: get('semester/list', { query: PageQuery.extend({ school_year: z.string().max(9).optional() }), reply: page(Semester), need: 'calendar.semester.view' }),
  add: post('semester/add', { body: SemesterDraft, reply: Changed, ...edit }),
  update: put('semester/update/:id', { params: byId, body: SemesterPatch, reply: Changed, ...edit }),
  remove: del('semester/delete/:id', { params: byId, query: z.object({ preview: QueryFlag.default(false) }), reply: Changed, ...edit }),
  close: post('semester/close/:id', { params: byId, body: z.strictObject({ row_version: z.number().int() }), reply: z.object({ semester: Semester }), op: 4, ...edit }),
  reopen: post('semester/reopen/:id', { params: byId, body: z.strictObject({ row_version: z.number().int(), reason: Reason }), reply: z.object({ semester: Semester }), op: 4, ...edit }),
})

export const currentApi = api('web', 'calendar.current', {
  read: get('semester/get_current_semester_year', { reply: z.object({ current: CurrentSemester.nullable() }), session: true }),
})

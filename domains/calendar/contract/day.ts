import { api, Day, del, download, get, id, post, put, QueryFlag } from '@kit/contract'
import { z } from 'zod'
import { grade_codes, whole_school } from './dictionary.ts'
import { countDays } from './week.ts'

const SpecialId = id('calendar.special')
export const BellId = id('calendar.bell')
const [most_special, most_asked] = [90, 400]
const settable = [1, 2, 3, 7, 8, 9, 10]
const Weekday = z.number().int().min(1).max(7)
const WeekKind = z.union([z.literal(1), z.literal(2)])
const Clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/, { error: '请填写00:00至24:00之间的时间' })
const Reason = z.string({ error: '请填写原因' }).trim().min(1, { error: '请填写原因' }).max(100, { error: '不能超过100个字' })
/** A grade, or 00 for the whole unit. */
export const DayGrade = z.enum([whole_school, ...grade_codes])

/** One day of one grade (chapter 50 §1.1 school_day). `closed`: minutes that fall out, as [from, to). */
export const SchoolDay = z.object({
  date: Day,
  grade: z.string(),
  semester_id: z.number().int().nullable(),
  week_no: z.number().int().nullable(),
  day_kind: z.number().int(),
  is_school_day: z.boolean(),
  plan_date: Day.nullable(),
  plan_weekday: z.number().int().nullable(),
  plan_week_no: z.number().int().nullable(),
  plan_week_kind: z.number().int().nullable(),
  bell_id: BellId.nullable(),
  closed: z.array(z.tuple([z.number().int(), z.number().int()])),
  label: z.string(),
})
export type SchoolDay = z.output<typeof SchoolDay>

const special = {
  begin_date: z.iso.date({ error: '请选择开始日期' }),
  end_date: z.iso.date({ error: '请选择结束日期' }),
  kind: z.number({ error: '请选择类型' }).int().refine(kind => settable.includes(kind), { error: '请选择类型' }),
  name: z.string({ error: '请填写名称' }).trim().min(1, { error: '请填写名称' }).max(30, { error: '不能超过30个字' }),
  scope_kind: z.enum(['school', 'stage', 'grade']).default('school'),
  scope_codes: z.array(z.string().max(2)).max(18).default([]),
  follows_date: Day.nullable().default(null),
  follows_weekday: Weekday.nullable().default(null),
  follows_week_kind: WeekKind.nullable().default(null),
  closed_from: Clock.nullable().default(null),
  closed_to: Clock.nullable().default(null),
  bell_id: BellId.nullable().default(null),
  note: z.string().trim().max(200, { error: '不能超过200个字' }).nullable().default(null),
}

type Checked = { [name in keyof typeof special]: z.output<(typeof special)[name]> }

function checkSpecial(draft: Checked, context: z.RefinementCtx): void {
  const say = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
  const count = countDays(draft.begin_date, draft.end_date)
  if (count === 0) say('end_date', '结束日期不能早于开始日期')
  if (count > most_special) say('end_date', `一次最多设置${most_special}天`)
  if (draft.scope_kind !== 'school' && draft.scope_codes.length === 0) say('scope_codes', '请选择适用的学段或年级')
  if (draft.kind === 3 && count > 1) say('end_date', '调休上班须逐日设置，以便指定补哪天的课')
  if (draft.kind !== 3 && (draft.follows_date !== null || draft.follows_weekday !== null)) say('kind', '只有调休上班可以指定补哪天的课')
  if (draft.follows_date !== null && draft.follows_weekday !== null) say('follows_date', '补课的日期与星期只能选择一项')
  if ((draft.closed_from === null) !== (draft.closed_to === null)) say('closed_to', '请同时填写停课的开始与结束时间')
  if (draft.closed_from !== null && draft.closed_to !== null && draft.closed_to <= draft.closed_from) say('closed_to', '结束时间必须晚于开始时间')
}

const preview = z.boolean().default(false)
export const SpecialDraft = z.strictObject({ ...special, preview }).superRefine(checkSpecial)
const SpecialPatch = z.strictObject({ ...special, preview, row_version: z.number().int() }).superRefine(checkSpecial)

export const Special = z.object({
  id: SpecialId,
  begin_date: Day,
  end_date: Day,
  kind: z.number().int(),
  name: z.string(),
  scope_kind: z.enum(['school', 'stage', 'grade']),
  scope_codes: z.array(z.string()),
  follows_date: Day.nullable(),
  follows_weekday: z.number().int().nullable(),
  follows_week_kind: z.number().int().nullable(),
  closed_from: z.string().nullable(),
  closed_to: z.string().nullable(),
  bell_id: BellId.nullable(),
  source: z.enum(['national', 'school']),
  note: z.string().nullable(),
  row_version: z.number().int(),
})
export type Special = z.output<typeof Special>

/** What a change does: which days change, teaching days lost and gained by grade, and what other domains say of it. */
export const Effects = z.object({
  dates: z.array(Day),
  grades: z.array(z.object({ grade: z.string(), lost: z.number().int(), gained: z.number().int() })),
  impacts: z.array(z.string()),
})
export type Effects = z.output<typeof Effects>

/** One line of the national calendar: 新增, 无变化, 更新, 保留学校设置. */
export const NationalLine = z.object({ name: z.string(), begin_date: Day, end_date: Day, kind: z.number().int(), verdict: z.enum(['new', 'same', 'update', 'kept']) })
export type NationalLine = z.output<typeof NationalLine>

const byId = z.object({ id: SpecialId })
const edit = { need: 'calendar.day.edit' } as const
const view = { need: 'calendar.day.view' } as const
const Changed = z.object({ special: Special.nullable(), effects: Effects })
const Span = z.object({ from: Day, to: Day })
const isShort = ({ from, to }: { from: string; to: string }) => from <= to && countDays(from, to) <= most_asked
const FollowDraft = z.strictObject({ follows_date: Day.nullable().default(null), follows_weekday: Weekday.nullable().default(null), follows_week_kind: WeekKind.nullable().default(null), preview })
  .refine(({ follows_date, follows_weekday }) => (follows_date === null) !== (follows_weekday === null), { path: ['follows_date'], error: '请选择补哪一天或星期几的课' })

/** Days and what is set upon them (chapter 50 §4). */
export const specialApi = api('v2', 'calendar.day', {
  days: get('school_calendar/days', {
    query: Span.extend({ grade: DayGrade.optional() }).refine(isShort, { path: ['to'], error: `请选择不超过${most_asked}天的日期` }),
    reply: z.object({ list: z.array(SchoolDay), rev: z.number().int() }), tagged: true, ...view,
  }),
  list: get('school_calendar/special/list', { query: Span.refine(isShort, { path: ['to'], error: `请选择不超过${most_asked}天的日期` }), reply: z.object({ list: z.array(Special) }), ...view }),
  add: post('school_calendar/special/add', { body: SpecialDraft, reply: Changed, ...edit }),
  update: put('school_calendar/special/update/:id', { params: byId, body: SpecialPatch, reply: Changed, ...edit }),
  remove: del('school_calendar/special/delete/:id', { params: byId, query: z.object({ preview: QueryFlag.default(false) }), reply: Changed, ...edit }),
  makeUp: put('school_calendar/make_up/:date', { params: z.object({ date: Day }), body: FollowDraft, reply: Changed, ...edit }),
  national: post('school_calendar/national/import', {
    body: z.strictObject({ year: z.number().int().min(2000).max(2100), preview }), reply: z.object({ lines: z.array(NationalLine), effects: Effects }), op: 6, ...edit,
  }),
  correct: post('school_calendar/correct', { body: z.strictObject({ draft: SpecialDraft, reason: Reason }), reply: Changed, op: 4, need: 'calendar.day.correct' }),
  feed: post('school_calendar/feed', { reply: z.object({ path: z.string() }), tells_secret: true, ...edit }),
  ics: get('school_calendar/ics', { query: z.object({ token: z.string().max(80) }), reply: download, open: '日历订阅，随机令牌，只含校历事件' }),
})

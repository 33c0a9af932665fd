import { api, Day, del, get, post, put } from '@kit/contract'
import { z } from 'zod'
import { BellId } from './day.ts'
import { grade_codes, stage_codes } from './dictionary.ts'

export const most_sections = 40
const [most_lessons, day_minutes] = [16, 1440]
const Clock = z.string({ error: '请填写时间' }).regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/, { error: '请填写00:00至24:00之间的时间' })

/** Minutes of the day of `08:05`. */
export function minutesOf(clock: string): number {
  return Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5))
}

/** `08:05` of 485 minutes; the end of the day is 24:00. */
export function clockOf(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}

/** One part of the day; `section` = number of the lesson, null where there is no lesson. */
export const BellSection = z.strictObject({
  name: z.string({ error: '请填写名称' }).trim().min(1, { error: '请填写名称' }).max(12, { error: '不能超过12个字' }),
  section_kind: z.number({ error: '请选择类别' }).int().min(1, { error: '请选择类别' }).max(8),
  section: z.number().int({ error: '请填写整数' }).min(1, { error: '节次为1至16' }).max(most_lessons, { error: '节次为1至16' }).nullable().default(null),
  begin: Clock,
  end: Clock,
})
export type BellSection = z.output<typeof BellSection>

/** What is wrong with the parts of a day, the first of it. */
export type SectionFault = { kind: 'order'; at: number } | { kind: 'overlap'; at: number; a: string; b: string } | { kind: 'twice'; at: number; n: number }

/** Parts are half-open minutes: one may begin when another ends; none crosses midnight (chapter 50 rule 7). */
export function checkSections(sections: readonly BellSection[]): SectionFault | null {
  const wrong = sections.findIndex(({ begin, end }) => minutesOf(end) <= minutesOf(begin) || minutesOf(end) > day_minutes)
  if (wrong >= 0) return { kind: 'order', at: wrong }
  for (const [at, one] of sections.entries()) {
    const before = sections.slice(0, at)
    const other = before.find(({ begin, end }) => begin < one.end && one.begin < end)
    if (other) return { kind: 'overlap', at, a: other.name, b: one.name }
    if (one.section !== null && before.some(({ section }) => section === one.section)) return { kind: 'twice', at, n: one.section }
  }
  return null
}

const editable = {
  name: z.string({ error: '请填写作息名称' }).trim().min(1, { error: '请填写作息名称' }).max(20, { error: '不能超过20个字' }),
  stage: z.enum(stage_codes).nullable().default(null),
  season: z.enum(['summer', 'winter']).nullable().default(null),
  sections: z.array(BellSection).min(1, { error: '请至少添加一个时段' }).max(most_sections, { error: `最多${most_sections}个时段` }),
}
export const BellDraft = z.strictObject(editable)
export const BellPatch = z.strictObject({ ...editable, row_version: z.number().int() })

export const Bell = z.object({
  id: BellId, name: z.string(), stage: z.enum(stage_codes).nullable(), season: z.enum(['summer', 'winter']).nullable(), sections: z.array(BellSection),
  /** rings today or will: its times stay */
  in_use: z.boolean(),
  row_version: z.number().int(),
})
export type Bell = z.output<typeof Bell>

const WeekFlags = z.array(z.boolean()).length(7).refine(flags => flags.includes(true), { error: '请至少选择一天' })
/** Which bell rings for a grade on which weekdays, from a day on; `to` is excluded, null = open. */
export const BellUse = z.object({ grade: z.string(), bell_id: BellId, week_flags: z.array(z.boolean()).length(7), from: Day, to: Day.nullable() })
export type BellUse = z.output<typeof BellUse>
export const BellUseDraft = z.strictObject({
  bell_id: BellId,
  grades: z.array(z.enum(grade_codes)).min(1, { error: '请选择年级' }).max(18),
  week_flags: WeekFlags,
  from: z.iso.date({ error: '请选择切换日期' }),
  to: Day.nullable().default(null),
  preview: z.boolean().default(false),
}).refine(({ from, to }) => to === null || to > from, { path: ['to'], error: '结束日期必须晚于切换日期' })

/** A lesson whose clock time changes; null: the bell has no such lesson. */
export const BellSpan = z.object({ begin: z.string(), end: z.string() })
export const BellChange = z.object({ grade: z.string(), section: z.number().int(), before: BellSpan.nullable(), after: BellSpan.nullable() })
export type BellChange = z.output<typeof BellChange>

const byId = z.object({ id: BellId })
const edit = { need: 'calendar.bell.edit' } as const
const view = { need: 'calendar.bell.view' } as const
const Saved = z.object({ bell: Bell })

/** Lesson times (chapter 50 §4). */
export const bellApi = api('v2', 'calendar.bell', {
  list: get('class_time/list', { reply: z.object({ list: z.array(Bell) }), ...view }),
  detail: get('class_time/:id', { params: byId, reply: Saved, ...view }),
  add: post('class_time/add', { body: BellDraft, reply: Saved, ...edit }),
  copy: post('class_time/copy', { body: z.strictObject({ bell_id: BellId, name: editable.name }), reply: Saved, ...edit }),
  update: put('class_time/update/:id', { params: byId, body: BellPatch, reply: Saved, ...edit }),
  remove: del('class_time/delete/:id', { params: byId, reply: z.object({ id: BellId }), ...edit }),
  uses: get('class_time/use/list', { query: z.object({ from: Day, to: Day }), reply: z.object({ list: z.array(BellUse) }), ...view }),
  switch: post('class_time/use/switch', { body: BellUseDraft, reply: z.object({ changes: z.array(BellChange), dates: z.number().int() }), op: 4, ...edit }),
})

import { api, Done, get, post } from '@kit/contract'
import { z } from 'zod'

const most_lines = 120
const Prop = z.string().regex(/^[a-z][a-z0-9_]{0,39}(?:\.[a-z][a-z0-9_]{1,29})?$/)

/** One column: `label_copy` is its name where somebody renamed it, `default_action` keeps it shown (product spec §3). */
export const ColumnLine = z.strictObject({ prop: Prop, label: z.string().min(1).max(40), label_copy: z.string().max(40).optional(), checked: z.boolean(), default_action: z.boolean() })
export type ColumnLine = z.output<typeof ColumnLine>

const Lines = z.array(ColumnLine).min(1).max(most_lines).refine(list => list.some(line => line.checked), { error: '至少保留一列' })
const Scene = z.coerce.number().int()

/** The columns that a list shows whoever has not chosen his own: 1 学生, 2 教职工. Empty: those of the product (chapter 20 §4 Fields). */
export const rollColumnApi = api('core', 'people.columns', {
  read: get('index-config', { query: z.object({ field_scene: Scene }), reply: z.object({ list: z.array(ColumnLine) }), session: true }),
  save: post('index-config', { body: z.strictObject({ field_scene: z.number().int(), list: Lines }), reply: Done, need: 'people.field.edit', op: 4 }),
})

const Offered = z.object({ list: z.array(ColumnLine) })

/** The columns that a list can be exported with, as this person last took them. */
export const exportColumnApi = api('v2', 'people.export_columns', {
  student: get('v4/userInfo/student/export/field', { reply: Offered, need: 'people.student.export' }),
  staff: get('v4/userInfo/teacher/export/field', { reply: Offered, need: 'people.staff.export' }),
  parent: get('v4/userInfo/parent/export/field', { reply: Offered, need: 'people.parent.export' }),
  /** remembers them for the next time */
  remember: post('download/field', { body: z.strictObject({ list: z.enum(['student', 'staff', 'parent']), fields: z.array(Prop).min(1).max(most_lines) }), reply: Done, session: true, within: 'self', op: 4 }),
})

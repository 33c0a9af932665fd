import { api, Done, get, id, post } from '@kit/contract'
import { z } from 'zod'

export const ReasonCode = id('leave.reason')
const PersonKind = z.union([z.literal(1), z.literal(2), z.literal(6)], { error: '请选择适用人员' })

export const LeaveReason = z.object({
  reason_code: ReasonCode,
  reason_name: z.string(),
  person_kinds: z.array(z.number().int()),
  /** empty: of every type */
  leave_types: z.array(z.string()),
  need_attach: z.boolean(),
  need_pickup: z.boolean(),
  need_health: z.boolean(),
  default_minutes: z.number().int().nullable(),
  used: z.number().int(),
  status: z.number().int(),
  row_version: z.number().int(),
})
export type LeaveReason = z.output<typeof LeaveReason>

const ReasonDraft = z.strictObject({
  reason_name: z.string({ error: '请填写原因' }).trim().min(1, { error: '请填写原因' }).max(20, { error: '超过20个字' }),
  person_kinds: z.array(PersonKind).min(1, { error: '请选择适用人员' }).max(3),
  leave_types: z.array(z.string().max(4)).max(26).default([]),
  need_attach: z.boolean().default(false),
  need_pickup: z.boolean().default(false),
  need_health: z.boolean().default(false),
  default_minutes: z.number().int().min(15, { error: '不能少于15分钟' }).max(43_200, { error: '不能超过30天' }).nullable().default(null),
  status: z.union([z.literal(0), z.literal(1)]).default(1),
})
export type ReasonDraft = z.input<typeof ReasonDraft>

const view = { need: 'leave.reason.view', within: 'school' } as const
const edit = { need: 'leave.reason.edit', within: 'school' } as const

/** Reasons of leave (chapter 70 §1.1 leave_reason). */
export const reasonApi = api('leave', 'leave.reason', {
  list: get('reason/list', { reply: z.object({ list: z.array(LeaveReason) }), ...view }),
  add: post('reason/add', { body: ReasonDraft, reply: z.object({ reason_code: ReasonCode }), ...edit }),
  update: post('reason/update', { body: ReasonDraft.extend({ reason_code: ReasonCode, row_version: z.number().int() }), reply: Done, op: 4, ...edit }),
  sort: post('reason/sort', { body: z.strictObject({ reason_codes: z.array(ReasonCode).min(1).max(200) }), reply: Done, op: 4, ...edit }),
  delete: post('reason/delete', { body: z.strictObject({ reason_code: ReasonCode }), reply: Done, op: 5, ...edit }),
})

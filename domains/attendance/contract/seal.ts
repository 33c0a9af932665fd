import { UserId } from '@campus/people/contract'
import { api, Day, get, id, Instant, post } from '@kit/contract'
import { z } from 'zod'

export const SealId = id('attendance.seal')
const Month = z.string({ error: '请选择月份' }).regex(/^\d{4}-(0[1-9]|1[0-2])$/, { error: '请选择月份' })

/** A month: its results, what still keeps it open, and its seal. */
export const SealRow = z.object({
  month: Month,
  rows: z.number().int(),
  unverified: z.number().int(),
  unfinished: z.number().int(),
  seal_id: SealId.nullable(),
  state: z.enum(['open', 'sealed', 'reopened']),
  sealed_name: z.string().nullable(),
  sealed_at: Instant.nullable(),
  reopened_name: z.string().nullable(),
  reopen_reason: z.string().nullable(),
  result_hash: z.string().nullable(),
  pending: z.number().int(),
})
export type SealRow = z.output<typeof SealRow>
export const seal_state_names = { open: '未封存', sealed: '已封存', reopened: '已解封' } as const

/** A claim that came, or a result that would change, after the month was sealed. */
export const PendingRow = z.object({
  pending_key: z.string(),
  kind: z.enum(['event', 'result']),
  lesson_date: Day,
  user_id: UserId,
  user_name: z.string(),
  at: Instant,
  from_state: z.number().int().nullable(),
  to_state: z.number().int().nullable(),
  text: z.string(),
})
export type PendingRow = z.output<typeof PendingRow>
const Reason = z.string({ error: '请填写解封原因' }).trim().min(2, { error: '请填写解封原因' }).max(200, { error: '超过200个字' })
const need = { need: 'attendance.seal.run' } as const

/** Results of a sealed month never change by themselves; what would change them is kept aside (chapter 55 §3.18). */
export const sealApi = api('v2', 'attendance.seal', {
  list: get('attend/seal/list', { reply: z.object({ list: z.array(SealRow) }), ...need }),
  add: post('attend/seal', {
    body: z.strictObject({ month: Month }),
    reply: z.object({ seal_id: SealId, rows: z.number().int(), result_hash: z.string() }),
    ...need,
  }),
  reopen: post('attend/seal/:seal_id/reopen', {
    params: z.object({ seal_id: SealId }),
    body: z.strictObject({ reason: Reason }),
    reply: z.object({ pending: z.number().int() }),
    op: 4,
    ...need,
  }),
  pending: get('attend/seal/:seal_id/pending', {
    params: z.object({ seal_id: SealId }),
    reply: z.object({ list: z.array(PendingRow) }),
    ...need,
  }),
})

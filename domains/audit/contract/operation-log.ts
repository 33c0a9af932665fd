import { api, get, Instant, post, sheet } from '@kit/contract'
import { z } from 'zod'
import { Cursor, DayCount, ExportReason, LogPaging, logPage, LogSpan, OperationFilter, Routine } from './log-query.ts'

const text = z.string().nullable()

/** One line of the operation log. */
export const OperationRow = z.object({
  log_id: z.uuid(),
  happened_at: Instant,
  user_id: text,
  user_no: text,
  user_name: text,
  role_name: text,
  /** on whose behalf; null: his own */
  acted_for: text,
  acted_for_name: text,
  client: z.string(),
  ip: z.string(),
  device_label: z.string(),
  op_type: z.number().int(),
  module_code: z.string(),
  call: z.string(),
  target_kind: text,
  target_id: text,
  target_name: text,
  ok: z.boolean(),
  code: z.number().int(),
  msg: z.string(),
  reason: text,
  batch_no: text,
  job_no: text,
  duration_ms: z.number().int(),
})
export type OperationRow = z.output<typeof OperationRow>

/** A field that changed; `label` is the field's own name when nobody knows its words. */
export const FieldChange = z.object({ field: z.string(), label: z.string(), before: text, after: text })
export type FieldChange = z.output<typeof FieldChange>

/** Everything known of a line: what changed, what else happened in its request, and what else happened to the same object (the newest 50). */
export const OperationDetail = z.object({
  row: OperationRow,
  changes: z.array(FieldChange),
  chain: z.array(OperationRow),
  persons: z.array(z.object({ log_id: z.uuid(), person_name: z.string(), op_type: z.number().int(), fields: z.number().int() })),
  same_object: z.array(OperationRow),
})
export type OperationDetail = z.output<typeof OperationDetail>

const view = { need: 'audit.system.view', within: 'school' } as const

/** The operation log (chapter 10 §4). */
export const systemLogApi = api('web', 'audit.system', {
  page: get('audit/system/page', { query: OperationFilter.extend(LogPaging.shape), reply: logPage(OperationRow), ...view }),
  days: get('audit/system/days', { query: LogSpan.extend({ routine: Routine }), reply: z.object({ list: z.array(DayCount) }), ...view }),
  newer: get('audit/system/newer', { query: OperationFilter.extend({ since: Cursor }), reply: z.object({ n: z.number().int() }), ...view }),
  detail: get('audit/system/:id', { params: z.object({ id: z.uuid() }), reply: OperationDetail, ...view }),
  export: post('audit/system/export', { body: OperationFilter.extend({ reason: ExportReason }), reply: sheet, need: 'audit.system.export', within: 'school', op: 7 }),
})

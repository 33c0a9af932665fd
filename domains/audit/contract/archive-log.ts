import { api, get, Instant, post, sheet } from '@kit/contract'
import { z } from 'zod'
import { ArchiveFilter, Cursor, DayCount, ExportReason, LogPaging, logPage, LogSpan } from './log-query.ts'
import { FieldChange, OperationRow } from './operation-log.ts'

const text = z.string().nullable()

/** Where a change of a person came from. */
export const archive_sources = {
  typed: '页面录入',
  import: '导入',
  sync: '同步',
  registration: '报名登记',
  promotion: '学年升级',
  merge: '合并',
  id_derived: '证件推算',
  collect: '信息采集',
  command: '异动办理',
  undo: '撤销',
} as const

/** One operation on one person. */
export const ArchiveLogRow = z.object({
  log_id: z.uuid(),
  happened_at: Instant,
  person_kind: z.number().int(),
  person_id: z.string(),
  person_no: text,
  person_name: z.string(),
  dept_id: text,
  /** as it was then */
  dept_name: text,
  op_type: z.number().int(),
  changes: z.array(FieldChange),
  source: z.string(),
  batch_no: text,
  request_id: text,
  user_id: text,
  user_no: text,
  user_name: text,
  role_name: text,
})
export type ArchiveLogRow = z.output<typeof ArchiveLogRow>

/** A line, the life of its person (newest first, 200 at most) and what the request did besides. */
export const ArchiveLogDetail = z.object({ row: ArchiveLogRow, life: z.array(ArchiveLogRow), chain: z.array(OperationRow) })
export type ArchiveLogDetail = z.output<typeof ArchiveLogDetail>

const view = { need: 'audit.archive.view', within: 'school' } as const

/** The archive journal (chapter 10 §4). */
export const archiveLogApi = api('web', 'audit.archive', {
  page: get('audit/archive/page', { query: ArchiveFilter.extend(LogPaging.shape), reply: logPage(ArchiveLogRow), ...view }),
  days: get('audit/archive/days', { query: LogSpan, reply: z.object({ list: z.array(DayCount) }), ...view }),
  newer: get('audit/archive/newer', { query: ArchiveFilter.extend({ since: Cursor }), reply: z.object({ n: z.number().int() }), ...view }),
  fields: get('audit/archive/fields', { query: LogSpan, reply: z.object({ list: z.array(z.object({ field: z.string(), label: z.string() })) }), ...view }),
  detail: get('audit/archive/:id', { params: z.object({ id: z.uuid() }), reply: ArchiveLogDetail, ...view }),
  export: post('audit/archive/export', { body: ArchiveFilter.extend({ reason: ExportReason }), reply: sheet, need: 'audit.archive.export', within: 'school', op: 7 }),
})

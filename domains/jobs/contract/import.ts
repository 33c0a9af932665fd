import { api, download, filter, get, Instant, page, PageQuery, post, queryList } from '@kit/contract'
import { z } from 'zod'
import { JobNo } from './job.ts'

export const batch_states = ['uploaded', 'parsing', 'parsed', 'applying', 'applied', 'undoing', 'undone', 'refused', 'expired', 'failed'] as const
export const verdicts = ['new', 'change', 'same', 'error', 'skipped'] as const

/** Permission to see the batches of everybody in the school; without it each person sees his own. */
export const batch_view_all = 'jobs.batch.view_all'

export const BatchNo = z.string().regex(/^[0-9]{10,40}$/)
export const TemplateCode = z.string().max(40).regex(/^[a-z_]+$/)

export const ImportColumn = z.object({
  prop: z.string(),
  label: z.string(),
  required: z.boolean(),
  /** names allowed in the cell, for the drop-down of the grid */
  options: z.array(z.string()).nullable(),
  /** its texts are shown as dots */
  secret: z.literal(true).optional(),
})
export type ImportColumn = z.output<typeof ImportColumn>

export const ImportBatch = z.object({
  batch_no: BatchNo,
  template: TemplateCode,
  title: z.string(),
  file_name: z.string(),
  state: z.enum(batch_states),
  /** why the file was refused or the batch failed */
  message: z.string().nullable(),
  rows_total: z.number().int(),
  rows_new: z.number().int(),
  rows_change: z.number().int(),
  rows_same: z.number().int(),
  rows_error: z.number().int(),
  rows_skipped: z.number().int(),
  rows_warn: z.number().int(),
  rows_applied: z.number().int(),
  /** rows whose verdict no longer held when they were applied: 需重新核对 */
  rows_recheck: z.number().int(),
  /** rows taken back by 撤销 */
  rows_undone: z.number().int(),
  /** rows that the last 撤销 had to leave, since something changed after the import */
  rows_blocked: z.number().int(),
  job_no: JobNo.nullable(),
  created_by_name: z.string(),
  /** whether the caller may change it: to others it is shown alone */
  is_mine: z.boolean(),
  created_at: Instant,
  applied_at: Instant.nullable(),
  undone_at: Instant.nullable(),
  /** null: not applied, or the template cannot be undone */
  undo_until: Instant.nullable(),
  /** how the last 撤销 ended, where it did not simply succeed */
  undo_message: z.string().nullable(),
  columns: z.array(ImportColumn),
  /** what the file hides: 第4、5行被隐藏 */
  notes: z.array(z.string()),
  /** sheets with content and without the header of the template; the apply must name them as known */
  unread: z.array(z.object({ name: z.string(), rows: z.number().int() })),
})
export type ImportBatch = z.output<typeof ImportBatch>

export const RowIssue = z.object({ prop: z.string(), label: z.string(), msg: z.string() })
export type RowIssue = z.output<typeof RowIssue>
export const RowChange = z.object({ prop: z.string(), label: z.string(), before: z.string(), after: z.string() })
export type RowChange = z.output<typeof RowChange>

export const ImportRow = z.object({
  /** number of the row in its batch */
  row_no: z.number().int(),
  /** sheet of the row, where several are read */
  sheet: z.string().nullable(),
  /** line of the row in its sheet */
  line: z.number().int(),
  verdict: z.enum(verdicts),
  cells: z.record(z.string(), z.string()),
  diff: z.array(RowChange),
  errors: z.array(RowIssue),
  warnings: z.array(RowIssue),
  is_applied: z.boolean(),
  /** 需重新核对: what the dry run said no longer held when the row was to be applied, so it was left out */
  needs_recheck: z.boolean(),
  is_undone: z.boolean(),
})
export type ImportRow = z.output<typeof ImportRow>

const ByBatch = z.object({ batch_no: BatchNo })
const ByTemplate = z.object({ code: TemplateCode })

/** Needs are the template's own: the handlers ask for its permission code. */
export const importApi = api('web', 'jobs.import', {
  template: get('import/template/:code', { params: ByTemplate, reply: download, session: true, within: 'self', op: 7 }),
  upload: post('import/upload/:code', {
    params: ByTemplate,
    upload: { max_mb: 20, extensions: ['.xlsx', '.csv'] },
    /** switches of the template, e.g. 同时调班, as their codes */
    body: z.object({ options: queryList(z.string().max(40), 10).optional() }),
    reply: ImportBatch,
    session: true,
    within: 'self',
    op: 6,
  }),
  batches: get('import/batch/page', {
    query: PageQuery.extend({ template: filter(TemplateCode), state: filter(z.enum(batch_states)), mine: filter(z.literal('1')) }),
    reply: page(ImportBatch),
    session: true,
    within: 'self',
  }),
  one: get('import/:batch_no', { params: ByBatch, reply: ImportBatch, session: true, within: 'self' }),
  rows: get('import/:batch_no/rows', {
    params: ByBatch,
    query: PageQuery.extend({ verdict: filter(z.enum(verdicts)), only_warn: filter(z.literal('1')), only_recheck: filter(z.literal('1')), only_blocked: filter(z.literal('1')) }),
    reply: page(ImportRow),
    session: true,
    within: 'self',
  }),
  /** Mends cells of one row, or leaves it out (`skip`); only this row and its duplicates are judged again. */
  fix: post('import/:batch_no/fix', {
    params: ByBatch,
    body: z.strictObject({ row_no: z.number().int().min(1), cells: z.record(z.string().max(40), z.string().max(1000)).optional(), skip: z.boolean().optional() }),
    reply: z.object({ batch: ImportBatch, row: ImportRow }),
    session: true,
    within: 'self',
    op: 6,
  }),
  apply: post('import/:batch_no/apply', { params: ByBatch, body: z.strictObject({ accept_unread: z.boolean().optional() }), reply: ImportBatch, session: true, within: 'self', op: 6 }),
  /** Takes an applied batch back; `partial`: only the rows nothing has changed since, instead of refusing. */
  undo: post('import/:batch_no/undo', {
    params: ByBatch,
    body: z.strictObject({ partial: z.boolean().optional() }),
    reply: ImportBatch,
    session: true,
    within: 'self',
    op: 6,
  }),
  errorSheet: get('import/:batch_no/error_sheet', { params: ByBatch, reply: download, session: true, within: 'self', op: 7 }),
})

import { batch_states, ImportColumn, RowChange, RowIssue, verdicts } from '@campus/jobs/contract'
import type { ImportBatch, ImportRow } from '@campus/jobs/contract'
import type { App, Me } from '@kit/server/http'
import { z } from 'zod'
import { importTemplatePort } from '@kit/server/excel'
import type { ImportColumn as TemplateColumn } from '@kit/server/excel'
import type { BatchRow } from './batch.queries.ts'
import { placeOf, planNotes, planOf, unreadSheets } from './read-plan.ts'
import type { ReadPlan } from './read-plan.ts'
import type { StoredRow } from './row.queries.ts'

const State = z.enum(batch_states)
const Verdict = z.enum(verdicts)
const Columns = z.array(ImportColumn)
const Changes = z.array(RowChange).nullable().transform(list => list ?? [])
const Issues = z.array(RowIssue).nullable().transform(list => list ?? [])

/** A batch as the wire shows it to somebody. */
export function showBatch(app: App, row: BatchRow, { user_id }: Pick<Me, 'user_id'>): ImportBatch {
  const template = importTemplatePort.all(app).find(({ code }) => code === row.template)
  const plan = planOf(row)
  return {
    ...row,
    is_mine: row.created_by === user_id,
    title: template?.title ?? row.template,
    state: State.parse(row.state),
    created_at: row.created_at.toISOString(),
    applied_at: row.applied_at?.toISOString() ?? null,
    undone_at: row.undone_at?.toISOString() ?? null,
    undo_until: template?.can_undo ? (row.undo_until?.toISOString() ?? null) : null,
    columns: Columns.parse(row.columns),
    notes: planNotes(plan),
    unread: unreadSheets(plan),
  }
}

/** A row as the wire shows it, with the texts that may be shown of its line. */
export function showRow(plan: ReadPlan, row: StoredRow, cells: Record<string, string>): ImportRow {
  return {
    row_no: row.row_no,
    ...placeOf(plan, row.row_no),
    verdict: Verdict.parse(row.verdict),
    cells,
    diff: changesOf(row),
    errors: Issues.parse(row.errors),
    warnings: Issues.parse(row.warnings),
    is_applied: row.outcome === 'applied',
    is_undone: row.outcome === 'undone',
    needs_recheck: row.outcome === 'recheck',
  }
}

/** The changes the dry run found. */
export function changesOf(row: Pick<StoredRow, 'diff'>): RowChange[] {
  return Changes.parse(row.diff)
}

/** The columns under which a batch was read. */
export function columnsOf(batch: Pick<BatchRow, 'columns'>): ImportColumn[] {
  return Columns.parse(batch.columns)
}

/** Columns as the grid needs them. */
export function gridColumns(columns: readonly TemplateColumn[]): ImportColumn[] {
  return columns.map(({ prop, label, required, options, secret }) => ({ prop, label, required, options, ...(secret ? { secret } : {}) }))
}

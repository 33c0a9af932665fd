import type { Cells, Checked, ImportTemplate, Issue, Judgement, SingleKey, ImportColumn as TemplateColumn } from '@kit/server/excel'
import type { App } from '@kit/server/http'
import { hidden_text, keepLine } from './kept-line.ts'
import type { KeptLine } from './kept-line.ts'
import type { LineCells } from './sheet-text.ts'

/** A line that has been read and checked for itself, before the database or other lines are asked. `line` reads it again: few rows need it. */
export type CheckedRow<Parsed> = { row_no: number; line: () => LineCells; is_mended: boolean; checked: Checked<Parsed>; keys: SingleKey[] }

type LabelledIssue = Issue & { label: string }
type LabelledChange = { prop: string; label: string; before: string; after: string }

/** What the dry run says of one row, as it is stored. */
export type RowVerdict = {
  row_no: number
  verdict: 'new' | 'change' | 'same' | 'error'
  target_id: string | null
  basis: string | null
  diff: LabelledChange[]
  errors: LabelledIssue[]
  warnings: LabelledIssue[]
  /** kept only where the file alone would not do: rows with errors or mended by hand */
  raw: KeptLine | null
}

/** The part of a dry run that is the same for every row of a run. */
export type Bench<Words, Parsed, Snapshot> = {
  template: ImportTemplate<unknown, Words, Parsed, Snapshot>
  words: Words
  columns: readonly TemplateColumn[]
  keep(line: LineCells): KeptLine
  /** lines that are hidden in the sheet */
  hidden: ReadonlySet<number>
}

const hidden_row: Issue = { prop: '', msg: '该行在表格中被隐藏，请确认是否导入' }

/** What a run judges with. */
export function benchOf<W, P, S>(of: { app: App; school_id: number }, template: ImportTemplate<unknown, W, P, S>, words: W, hidden: ReadonlySet<number> = new Set()): Bench<W, P, S> {
  const columns = template.columns(words)
  return { template, words, columns, keep: line => keepLine(of, columns, line), hidden }
}

/** Checks one line. A cell that is no plain text says so instead of whatever its text might break. */
export function checkRow<W, P, S>({ template, words, hidden }: Bench<W, P, S>, row_no: number, line: () => LineCells, is_mended: boolean): CheckedRow<P> {
  const { cells, flaws } = line()
  const { parsed, errors, warnings } = template.check(words, cells, row_no)
  const flawed = new Set(flaws.map(({ prop }) => prop))
  const unseen = hidden.has(row_no) ? [hidden_row] : []
  const checked = { parsed, warnings: [...unseen, ...warnings], errors: [...flaws, ...errors.filter(({ prop }) => !flawed.has(prop))] }
  return { row_no, line, is_mended, checked, keys: parsed === null ? [] : template.keys(parsed) }
}

/** Joins check, duplicates and judgement of one row. */
export function verdictOf<W, P, S>(bench: Bench<W, P, S>, row: CheckedRow<P>, duplicates: readonly Issue[], judgement: Judgement | null): RowVerdict {
  const errors = [...row.checked.errors, ...duplicates, ...(judgement?.errors ?? [])]
  const warnings = [...row.checked.warnings, ...(judgement?.warnings ?? [])]
  const verdict = errors.length > 0 || judgement === null ? 'error' : judgement.verdict
  const label = labeller(bench.columns)
  return {
    row_no: row.row_no,
    verdict,
    target_id: judgement?.target_id ?? null,
    basis: judgement?.basis ?? null,
    diff: (judgement?.diff ?? []).map(change => ({ ...change, label: label(change.prop) })),
    errors: errors.map(issue => ({ ...issue, label: label(issue.prop) })),
    warnings: warnings.map(issue => ({ ...issue, label: label(issue.prop) })),
    raw: verdict === 'error' || row.is_mended ? bench.keep(row.line()) : null,
  }
}

/** Judges one checked row against a snapshot; null when it is too broken to be judged. */
export function judgementOf<W, P, S>(bench: Bench<W, P, S>, row: CheckedRow<P>, snapshot: S, counted: (name: string) => number): Judgement | null {
  const { parsed } = row.checked
  return parsed === null ? null : bench.template.judge({ row_no: row.row_no, parsed }, snapshot, counted)
}

/** Rows of a list that can be judged, as templates take them. */
export function parsedRows<P>(rows: readonly CheckedRow<P>[]): { row_no: number; parsed: P }[] {
  return rows.flatMap(({ row_no, checked }) => (checked.parsed === null ? [] : [{ row_no, parsed: checked.parsed }]))
}

/** Counts the tallies of checked rows. */
export function counter<W, P, S>({ template }: Bench<W, P, S>, rows: readonly CheckedRow<P>[]): (name: string) => number {
  const counts = new Map<string, number>()
  for (const { parsed } of parsedRows(rows)) for (const name of template.tally?.(parsed) ?? []) counts.set(name, (counts.get(name) ?? 0) + 1)
  return name => counts.get(name) ?? 0
}

type Said = { verdict: string; target_id: string | null; basis: string | null; diff: readonly { prop: string; before: string; after: string }[] }

/**
 * True when a fresh judgement says what the dry run said, but for changes that have come about meanwhile: another row of the file
 * may have made them. A change from another value than the one that was shown does not hold.
 */
export function stillHolds(stored: Said, fresh: Judgement): boolean {
  const plain = ({ prop, before, after }: Said['diff'][number]) => JSON.stringify([prop, before, after])
  const shown = new Set(stored.diff.map(plain))
  const is_done = stored.verdict === 'change' && fresh.verdict === 'same'
  const is_same = stored.target_id === fresh.target_id && stored.basis === (fresh.basis ?? null)
  return is_same && (is_done || stored.verdict === fresh.verdict) && fresh.diff.every(change => shown.has(plain(change)))
}

function labeller(columns: readonly TemplateColumn[]): (prop: string) => string {
  const labels = new Map(columns.map(({ prop, label }) => [prop, label]))
  return prop => labels.get(prop) ?? ''
}

/** Lays mended cells over a line; a mended cell is typed text and has no flaw any more. The dots that stand for a secret mend nothing. */
export function mendLine(columns: readonly TemplateColumn[], line: LineCells, mended: Cells): LineCells {
  const typed = Object.fromEntries(Object.entries(mended).filter(([prop, text]) => text !== hidden_text || !columns.some(column => column.prop === prop && column.secret)))
  return { cells: { ...line.cells, ...typed }, flaws: line.flaws.filter(({ prop }) => typed[prop] === undefined) }
}

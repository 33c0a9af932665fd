import type { Kysely } from 'kysely'
import type { App, Me } from '../http/context.ts'
import { Port } from '../http/port.ts'

/** Any set of tables and views a domain may name. */
type Tables = Record<string, Record<string, unknown>>

/** One column of a template; `text` formats the whole column as text, so that long numbers keep their digits. */
export type TemplateColumn = {
  /** header in row 2, matched exactly (a `*` beside it is ignored) */
  label: string
  prop: string
  required: boolean
  /** a sheet may come without it: a column that was added after the sheet was made */
  optional?: true
  /** names allowed in the cell */
  options: string[] | null
  text: boolean
  /** its texts are told to nobody again: masked on the page, empty in the error sheet, sealed where they are kept; the template keeps them out of its diffs */
  secret?: true
  /** shown in Excel when a cell of the column is chosen */
  note?: string
  sample?: string
}

/** Texts of one line by prop, trimmed; a missing cell is ''. */
export type Cells = Readonly<Record<string, string>>

/** What is wrong with (or worth a look in) one cell; prop '' = the whole row. */
export type Issue = { prop: string; msg: string }

/** `parsed` null: too broken to be judged further. A row with errors and `parsed` is judged too, all its errors are shown. */
export type Checked<Parsed> = { parsed: Parsed | null; errors: Issue[]; warnings: Issue[] }

/** Something only one row of a file may hold (a number, a phone). `msg` replaces 文件内重复（第n行）. */
export type SingleKey = { prop: string; key: string; msg?: (row_no: number) => string }

export type ParsedRow<Parsed> = { row_no: number; parsed: Parsed }

/** What importing the row would do. With errors the verdict is error, whatever is said here. */
export type Judgement = {
  verdict: 'new' | 'change' | 'same'
  /** key of the row that would be changed; null for a new one */
  target_id: string | null
  /** anything else that must still hold when the row is applied, e.g. the row_version; ≤ 80 characters */
  basis?: string | null
  /** changed fields as texts for the eye (mask what may not be shown); for new rows may be empty */
  diff: { prop: string; before: string; after: string }[]
  errors: Issue[]
  warnings: Issue[]
}

/** What a template may read with. `me` is the importer with the scope frozen at upload or apply. */
export type ReadStep<DB> = { db: Kysely<DB>; school_id: number; me: Me; now: Date; app: App; options: ReadonlySet<string> }

/** One transaction of the apply. */
export type ApplyStep<DB> = ReadStep<DB> & { batch_no: string; job_no: string }

export type ApplyRow<Parsed> = ParsedRow<Parsed> & { judgement: Judgement }

/** One thing a row wrote to: a key of the template's own (`s:12`), and a mark of how the row left it. Neither holds a blank or `=`. */
export type Touch = { key: string; mark: string }

/**
 * `before`: image from which an undo restores (JSON; seal personal values yourself). `touched`: what the row changed, the thing it is
 * about first; of several rows of one step that changed the same thing, all name it and the first one has its image.
 */
export type AppliedRow = { row_no: number; target_id: string; before: unknown; touched?: readonly Touch[] }

/** An applied row on its way back. */
export type UndoRow = { row_no: number; target_id: string; before: unknown }

/** How batches of a template are taken back. Rows are undone in the reverse order of their apply, at most 500 in a transaction. */
export type ImportUndo<DB> = {
  /** Marks of these things as they are now; a thing that is gone is absent. `lock` keeps them so until the transaction ends. */
  marks(step: ApplyStep<DB>, keys: readonly string[], lock: boolean): Promise<Map<string, string>>
  /** Why a row stays when this thing is not as the batch left it. */
  reason(key: string): string
  /** Restores what the rows changed, but for the things in `kept`, which rows that stay still need. */
  undo(step: ApplyStep<DB>, rows: readonly UndoRow[], kept: ReadonlySet<string>): Promise<void>
}

/**
 * An Excel template of a domain. Everything but words, load and apply is pure.
 * - Words: what the columns and the check depend on (dictionary of the school, custom fields); read once per run.
 * - Parsed: one line as the domain understands it (codes instead of names).
 * - Snapshot: what the database holds about a chunk of lines.
 * A row is applied only if a fresh `check`, `load` and `judge` inside the applying transaction give the dry run's verdict,
 * target_id, basis and diff again; otherwise it becomes 需重新核对. A change that has come about meanwhile is no difference: another
 * row of the file may have made it (one parent of two pupils). So a judgement may depend only on the row, its own target, and things
 * that other rows of the same file do not change, or change to what this row wants.
 */
export type ImportTemplate<DB, Words, Parsed, Snapshot> = {
  code: string
  title: string
  /** name of the downloaded template, with .xlsx */
  file_name: string
  sheet: string
  /** row 1, one line each */
  notes: string[]
  /** permission code of every call of this template */
  need: string
  /** page on which its batches are confirmed */
  page?: string
  /** switches that may be given at upload (`同时调班`) */
  options?: readonly string[]
  words(step: ReadStep<DB>): Promise<Words>
  columns(words: Words): TemplateColumn[]
  check(words: Words, cells: Cells, row_no: number): Checked<Parsed>
  /** what may stand in the file only once; rows that share a key are errors naming each other */
  keys(parsed: Parsed): SingleKey[]
  /** names to be counted over the whole file, e.g. `class:12`; see judge */
  tally?(parsed: Parsed): string[]
  /** bulk queries for at most 1,000 rows (`where no in (…)`), never one per row */
  load(step: ReadStep<DB>, rows: readonly ParsedRow<Parsed>[]): Promise<Snapshot>
  /** `counted(name)`: lines of the file with that tally; complete in the dry run only, so use it for warnings alone */
  judge(row: ParsedRow<Parsed>, snapshot: Snapshot, counted: (name: string) => number): Judgement
  /** at most 500 rows in the running transaction; a row that is not answered becomes 需重新核对 */
  apply(step: ApplyStep<DB>, rows: readonly ApplyRow<Parsed>[], snapshot: Snapshot): Promise<AppliedRow[]>
  /** absent: a batch cannot be undone */
  undo?: ImportUndo<DB>
}

/** A template whose own types nobody but itself knows; `use` opens it for a function that works for any of them. */
export type AnyTemplate = Pick<ImportTemplate<unknown, never, never, never>, 'code' | 'title' | 'file_name' | 'sheet' | 'notes' | 'need' | 'page' | 'options'> & {
  can_undo: boolean
  use<R>(visit: <Words, Parsed, Snapshot>(template: ImportTemplate<unknown, Words, Parsed, Snapshot>) => R): R
}

/** Declares a template: `importTemplatePort.fill(app, importTemplate<PeopleDb, …>({ … }))` in `compose`. */
export function importTemplate<DB extends Tables, Words, Parsed, Snapshot>(template: ImportTemplate<DB, Words, Parsed, Snapshot>): AnyTemplate {
  const { code, title, file_name, sheet, notes, need, page, options, undo } = template
  const named = <S extends ReadStep<unknown>>(step: S) => ({ ...step, db: step.db.withTables<DB>() })
  const bare: ImportTemplate<unknown, Words, Parsed, Snapshot> = {
    ...template,
    words: step => template.words(named(step)),
    load: (step, rows) => template.load(named(step), rows),
    apply: (step, rows, snapshot) => template.apply(named(step), rows, snapshot),
    undo: undo && {
      marks: (step, keys, lock) => undo.marks(named(step), keys, lock),
      reason: key => undo.reason(key),
      undo: (step, rows, kept) => undo.undo(named(step), rows, kept),
    },
  }
  return { code, title, file_name, sheet, notes, need, page, options, can_undo: undo !== undefined, use: visit => visit(bare) }
}

/** Filled by every domain that has an import. */
export const importTemplatePort = new Port<AnyTemplate>('jobs.import_template')

/** 必填项不能为空 for every required column without a text; for the check of templates whose columns are always required. */
export function missingCells(columns: readonly TemplateColumn[], cells: Cells): Issue[] {
  return columns.filter(column => column.required && (cells[column.prop] ?? '') === '').map(({ prop }) => ({ prop, msg: '必填项不能为空' }))
}

import { foldFullWidth } from '@kit/contract/checks'
import { dayOf } from '@kit/contract'
import { missingCells } from '@kit/server/excel'
import type { ApplyStep, Cells, Checked, ImportColumn, ImportUndo, Issue, Judgement } from '@kit/server/excel'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { AccessDb } from '../db.ts'

/** Any tables and views that a template of access names. */
type Tables = Record<string, Record<string, unknown>>
type Step<DB extends Tables> = ApplyStep<DB>

const moment = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2}) +(\d{1,2}):(\d{2})(?::\d{2})?$/u

/** A column that must be filled in, but for what is said of it. */
export function column(label: string, prop: string, more: Partial<ImportColumn> = {}): ImportColumn {
  return { label, prop, required: true, options: null, text: false, ...more }
}

/** Reads the cells of one line and gathers what is wrong with them. */
export class LineReader {
  readonly errors: Issue[]
  readonly #cells: Cells

  constructor(columns: readonly ImportColumn[], cells: Cells) {
    this.#cells = cells
    this.errors = missingCells(columns, cells)
  }

  text(prop: string): string {
    return this.#cells[prop] ?? ''
  }

  /** a number or code as people type it, in half width */
  code(prop: string): string {
    return foldFullWidth(this.text(prop)).trim()
  }

  say(prop: string, msg: string | null): void {
    if (msg !== null) this.errors.push({ prop, msg })
  }

  /** `check` of what is filled in */
  check(prop: string, text: string, check: (text: string) => string | null): void {
    if (text !== '') this.say(prop, check(text))
  }

  /** the code of a name; an empty cell is `usual` */
  named<T>(prop: string, codes: ReadonlyMap<string, T>, usual?: T): T | undefined {
    const text = this.text(prop)
    const found = text === '' ? usual : codes.get(text)
    if (found === undefined && text !== '') this.say(prop, '字典值不存在')
    return found
  }

  day(prop: string): string | null {
    const day = this.text(prop) === '' ? null : dayOf(this.text(prop))
    if (this.text(prop) !== '' && day === null) this.say(prop, '日期格式不正确，例如2026-09-01')
    return day
  }

  /** two days, in their order where both are there */
  days(from_prop: string, to_prop: string, msg: string): [string | null, string | null] {
    const [from, to] = [this.day(from_prop), this.day(to_prop)]
    if (from !== null && to !== null && to < from) this.say(to_prop, msg)
    return [from, to]
  }

  /** an instant of the school as ISO text */
  instant(prop: string): string | null {
    const at = momentOf(this.text(prop))
    if (at === null && this.text(prop) !== '') this.say(prop, '时间格式不正确，例如2026-11-20 10:00')
    return at
  }

  /** a whole number from 0 or 1 on; an empty cell is null */
  whole(prop: string, least: number, most: number, msg: string): number | null {
    const value = this.code(prop) === '' ? null : Number(this.code(prop))
    if (value !== null && !(Number.isInteger(value) && value >= least && value <= most)) this.say(prop, msg)
    return value
  }

  /** names in one cell */
  names(prop: string): string[] {
    return this.text(prop).split(/[；;、]/u).map(name => name.trim()).filter(name => name !== '')
  }

  /** what the line says, or why it says nothing: with errors, or without what it needs */
  done<Parsed>(parsed: Parsed | null, warnings: Issue[] = []): Checked<Parsed> {
    return { parsed: this.errors.length > 0 ? null : parsed, errors: this.errors, warnings }
  }
}

function momentOf(text: string): string | null {
  const [, year = '', month = '', day = '', hour = '', minute = ''] = moment.exec(text.trim()) ?? []
  const two = (part: string) => part.padStart(2, '0')
  const at = new Date(`${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:00+08:00`)
  return year === '' || Number.isNaN(at.getTime()) ? null : at.toISOString()
}

type Known = { has(name: string): boolean }

/** Names of one cell that are known as nothing. */
export function unknownNames(prop: string, names: readonly string[], known: Known, msg: (name: string) => string): Issue[] {
  return names.filter(name => !known.has(name)).map(name => ({ prop, msg: msg(name) }))
}

/** What a line would add: every line of these sheets makes something new. */
export function addition(prop: string, after: string, basis: string | null, errors: Issue[]): Judgement {
  return { verdict: 'new', target_id: null, basis, diff: [{ prop, before: '', after }], errors, warnings: [] }
}

type Undone<DB extends Tables> = {
  table: string
  id: string
  /** how a row is now, for the eye of the undo: what the apply left must read the same */
  mark: RawBuilder<string>
  reason: string
  undo: (step: Step<DB>, ids: readonly string[]) => Promise<void>
}

/** Batches that added one row of a table for each line: what has been changed since stays. */
export function undoRows<DB extends Tables = AccessDb>({ table, id, mark, reason, undo }: Undone<DB>): ImportUndo<DB> {
  return {
    async marks({ db, school_id }, keys, lock) {
      const { rows } = await sql<{ key: string; mark: string }>`
        select ${sql.ref(id)}::text as key, ${mark} as mark from ${sql.table(table)}
        where school_id = ${school_id} and ${sql.ref(id)} = any(${[...keys]}::bigint[])
        order by ${sql.ref(id)} ${lock ? sql`for update` : sql``}`.execute(db)
      return new Map(rows.map(row => [row.key, row.mark]))
    },
    reason: () => reason,
    undo: (step, rows, kept) => undo(step, rows.map(row => row.target_id).filter(target => !kept.has(target))),
  }
}

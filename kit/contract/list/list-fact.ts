import { z } from 'zod'
import { post, sheet } from '../api.ts'
import type { Access, Endpoint } from '../api.ts'
import { page, PageQuery } from '../wire.ts'
import { filterShape } from './filter-fact.ts'
import type { FilterFacts, FilterShape } from './filter-fact.ts'

type Shape = z.core.$ZodType

/** What everybody must know of one column: screen, sheet and print draw it from here. */
export type ColumnFact<Row> = {
  label: string
  /** said in brackets behind the label */
  unit?: string
  /** px on the screen; default 120 */
  width?: number
  /** number: right and tabular; instant to the minute, second to the second; money in 分; minutes as a number; flag as 是/否 */
  kind?: 'number' | 'day' | 'instant' | 'second' | 'money' | 'minutes' | 'flag'
  /** names of the codes that the property holds */
  names?: Readonly<Record<string, string>>
  /** dictionary type whose names stand for the codes */
  dictionary?: string
  /** the cell as plain text, where it is not the property of the same name */
  text?: (row: Row) => string
  /** shown, but not in the sheet; or the other way round */
  only?: 'screen' | 'sheet'
}
export type ColumnFacts<Row, Name extends string = string> = Readonly<Record<Name, ColumnFact<Row>>>

export type ListFact<R extends Shape, F extends FilterFacts, Name extends string> = {
  /** what the rows are: title of the export */
  title: string
  /** counts the rows: 人, 台; default 条 */
  unit?: string
  row: R
  /** names a row */
  key: keyof z.output<R> & string
  /** many rows want a reason, and a made file lives a day instead of seven (decision 26) */
  is_about_people?: boolean
  /** in their order, in the sheet as on the screen */
  columns: ColumnFacts<z.output<R>, Name>
  filters: F
}

/** A list as its contract, its page and its sheet know it. */
export type List<R extends Shape = Shape, F extends FilterFacts = FilterFacts, Name extends string = string> = ListFact<R, F, Name> & {
  /** query of the page: filters and paging */
  query: z.ZodObject<FilterShape<F> & typeof PageQuery.shape>
  reply: ReturnType<typeof page<R>>
  /** body of the export: the same filters, and why where many people are in it */
  asked: z.ZodObject<FilterShape<F> & { reason: typeof Reason }>
}

const Reason = z.string().trim().max(200).default('')

/** Declares a list once: row, columns, filters. `query`, `reply` and `asked` follow from it. */
export function list<R extends Shape, F extends FilterFacts, Name extends string>(fact: ListFact<R, F, Name>): List<R, F, Name> {
  const shape = filterShape(fact.filters)
  return { ...fact, query: z.object({ ...shape, ...PageQuery.shape }), reply: page(fact.row), asked: z.strictObject({ ...shape, reason: Reason }) }
}

/** The call that exports a list: its own filters, a line in the operation log. */
export function exportOf<R extends Shape, F extends FilterFacts, Name extends string>(
  of: List<R, F, Name>,
  path: string,
  access: Extract<Access, { need: string }>,
): Endpoint<z.ZodObject, List<R, F, Name>['asked'], typeof sheet> {
  return post(path, { params: z.object({}), body: of.asked, reply: sheet, op: 7, ...access })
}

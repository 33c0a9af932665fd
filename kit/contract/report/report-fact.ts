import { z } from 'zod'
import { firstDay, filterShape, lastDay } from '../list/filter-fact.ts'
import type { FilterFacts, FilterShape } from '../list/filter-fact.ts'
import { list } from '../list/list-fact.ts'
import type { ColumnFact, List } from '../list/list-fact.ts'
import { Day, PageQuery } from '../wire.ts'
import type { MeasureFacts } from './measure.ts'

type Shape = z.core.$ZodType
/** A column by which a report is grouped, with the schema of its value. `hidden`: not shown, but known to the drill. */
export type KeyFact<V extends Shape = Shape> = Omit<ColumnFact<never>, 'text' | 'only'> & { value: V; hidden?: true }
export type KeyFacts = Readonly<Record<string, KeyFact>>

/** Days of a report: how many it may span, and what it shows at first. */
export type RangeFact = { most_days: number; usual: 'day' | 'week' | 'month' }

type ReportFact<K extends KeyFacts, M extends MeasureFacts, F extends FilterFacts> = {
  title: string
  /** by what it is grouped, in the order of its columns */
  keys: K
  measures: M
  filters: F
  range: RangeFact
  is_about_people?: boolean
}

type Figures<M extends MeasureFacts> = { [P in keyof M]: z.ZodNullable<z.ZodNumber> }
type RowSchema<K extends KeyFacts, M extends MeasureFacts> = z.ZodObject<{ [P in keyof K]: K[P]['value'] } & Figures<M>>
type QueryShape<F extends FilterFacts> = FilterShape<F> & { from: typeof Day; to: typeof Day; sort: z.ZodOptional<z.ZodString> } & typeof PageQuery.shape
/** The report as a list, for its sheet. */
export type ReportSheet = List<z.ZodRecord<z.ZodString, z.ZodUnknown>, FilterFacts, string>

/** A report as contract, page and sheet know it. */
export type Report<K extends KeyFacts = KeyFacts, M extends MeasureFacts = MeasureFacts, F extends FilterFacts = FilterFacts> = ReportFact<K, M, F> & {
  /** one group: its keys and figures; null where nothing can be said */
  row: RowSchema<K, M>
  /** filters, days, sort and page */
  query: z.ZodObject<QueryShape<F>>
  /** one page of groups, how many there are, and the figures of all of them together */
  reply: z.ZodObject<{ list: z.ZodArray<RowSchema<K, M>>; total: z.ZodNumber; totals: z.ZodObject<Figures<M>> }>
  sheet: ReportSheet
}

/**
 * Declares a report once: by what it is grouped, what it measures, what filters it, and which days it may span.
 * `sort` of its query is the name of a key or measure, with `-` before it for the largest first.
 */
export function report<K extends KeyFacts, M extends MeasureFacts, F extends FilterFacts>(fact: ReportFact<K, M, F>): Report<K, M, F> {
  const { keys, measures, filters } = fact
  const named_figures = Object.keys(measures).map(name => [name, z.number().nullable()])
  const named_keys = Object.entries(keys).map(([name, { value }]) => [name, value])
  const figures: Figures<M> = Object.fromEntries(named_figures)
  const row_shape: { [P in keyof K]: K[P]['value'] } & Figures<M> = Object.fromEntries([...named_keys, ...named_figures])
  const names = [...Object.keys(keys), ...Object.keys(measures)]
  const sort = z.string().refine(name => names.includes(name.replace(/^-/, ''))).optional()
  const query_shape: QueryShape<F> = { ...filterShape(filters), from: Day, to: Day, sort, ...PageQuery.shape }
  const row = z.object(row_shape)
  return {
    ...fact, row, query: z.object(query_shape), sheet: sheetOf(fact),
    reply: z.object({ list: z.array(row), total: z.number().int().min(0), totals: z.object(figures) }),
  }
}

function sheetOf({ title, is_about_people, keys, measures, filters }: ReportFact<KeyFacts, MeasureFacts, FilterFacts>): ReportSheet {
  const columns: Record<string, ColumnFact<Record<string, unknown>>> = {}
  for (const [name, { value: _value, hidden, ...column }] of Object.entries(keys)) if (!hidden) columns[name] = column
  for (const [name, { label, unit }] of Object.entries(measures)) columns[name] = { label, unit, kind: 'number' }
  const with_days: FilterFacts = { ...filters, from: firstDay('日期', 'to'), to: lastDay() }
  return list({
    title, unit: '行', is_about_people, row: z.record(z.string(), z.unknown()), key: Object.keys(keys)[0] ?? '', columns,
    filters: with_days,
  })
}

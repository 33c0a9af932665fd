import { commonErrors, fail } from '@kit/contract'
import type { KeyFacts, MeasureFacts, Report } from '@kit/contract'
import { sql } from 'kysely'
import type { QueryExecutorProvider, RawBuilder } from 'kysely'
import type { z } from 'zod'

/** What of a report its reading needs; its filters are in the rows already. */
type Measured<K extends KeyFacts, M extends MeasureFacts> = Pick<Report<K, M>, 'range' | 'measures' | 'reply'>
type Asked = { from: string; to: string; sort?: string | undefined; page_index: number; page_size: number }

/** Where the figures of a report come from. */
export type ReportSource<K extends KeyFacts, M extends MeasureFacts> = {
  /** `from … where …`: binds `school_id`, the row scope, the days and the filters */
  rows: RawBuilder<unknown>
  /** the expression of each key by which is grouped; keys with a label of their own come from `labels` */
  keys: { [P in keyof K]?: RawBuilder<unknown> }
  /** the aggregate of each measure; rate and mean are made of theirs */
  measures: { [P in keyof M]?: RawBuilder<unknown> }
  /** names of what a key only numbers: `dept_name` from `dept_id`, for one page at a time */
  labels?: { [P in keyof K]?: { of: keyof K & string; names: (ids: string[]) => Promise<ReadonlyMap<string, string>> } }
  /** order without a wish; default by the keys */
  order?: string
}

type Answer<K extends KeyFacts, M extends MeasureFacts> = z.output<Report<K, M>['reply']>
type Found = Record<string, unknown>

const day_ms = 86_400_000
const tenth = 1

/**
 * Reads one page of a report, how many groups there are, and the figures of all of them, in one statement. A `distinct` measure adds up to nothing:
 * its total is asked for apart, over the same rows.
 * @throws Refusal 422 for days that are reversed or more than the report spans
 */
export async function readReport<K extends KeyFacts, M extends MeasureFacts>(db: QueryExecutorProvider, of: Measured<K, M>, source: ReportSource<K, M>, asked: Asked): Promise<Answer<K, M>> {
  checkDays(asked, of.range.most_days)
  const groups = sql`select ${sql.join(innerColumns(source))} ${source.rows} group by ${sql.join(Object.keys(source.keys).map((_, at) => sql.lit(at + 1)))}`
  const page = (page_index: number) => sql<Found>`
    select ${sql.join(outerColumns(of, source))} from (${groups}) g
    order by ${sql.join(orderOf(of, source, asked.sort))} limit ${asked.page_size} offset ${(page_index - 1) * asked.page_size}`.execute(db)
  const { rows } = await page(asked.page_index)
  const [first] = rows.length > 0 || asked.page_index === 1 ? rows : (await page(1)).rows
  const totals = totalsOf(of, first)
  await askDistinct(db, of, source, first === undefined ? {} : totals)
  await addLabels(source, rows)
  return of.reply.parse({ list: rows, total: Number(first?.['report_total'] ?? 0), totals })
}

function checkDays({ from, to }: Asked, most_days: number): void {
  const span = (Date.parse(to) - Date.parse(from)) / day_ms
  if (span < 0) throw fail(commonErrors.rangeReversed, { errors: [{ field: 'to', msg: commonErrors.rangeReversed.msg }] })
  if (span >= most_days) throw fail(commonErrors.rangeTooLong, { params: { n: most_days }, errors: [{ field: 'to', msg: commonErrors.rangeTooLong.msg.replace('{n}', String(most_days)) }] })
}

function innerColumns<K extends KeyFacts, M extends MeasureFacts>({ keys, measures }: ReportSource<K, M>): RawBuilder<unknown>[] {
  const named = (parts: object, cast: RawBuilder<unknown>) => Object.entries(parts).map(([name, part]: [string, RawBuilder<unknown>]) => sql`(${part})${cast} as ${sql.ref(name)}`)
  return [...named(keys, sql``), ...named(measures, sql`::float8`)]
}

/** Keys, figures, and over all groups their number and sums. */
function outerColumns<K extends KeyFacts, M extends MeasureFacts>(of: Measured<K, M>, { keys }: ReportSource<K, M>): RawBuilder<unknown>[] {
  const plain = Object.keys(keys).map(name => sql`g.${sql.ref(name)}`)
  const figures = Object.keys(of.measures).map(name => sql`${figureOf(of, name, one => sql`g.${sql.ref(one)}`)} as ${sql.ref(name)}`)
  const sums = Object.keys(of.measures).map(name => sql`${figureOf(of, name, one => sql`(sum(g.${sql.ref(one)}) over ())`)} as ${sql.ref(`sum_${name}`)}`)
  return [...plain, ...figures, ...sums, sql`(count(*) over ())::int as report_total`]
}

/** A figure of a group or of all: its sum, or what is made of two. */
function figureOf(of: { measures: MeasureFacts }, name: string, value: (name: string) => RawBuilder<unknown>): RawBuilder<unknown> {
  const fact = of.measures[name]
  if (!fact?.of) return value(name)
  const [part, whole] = fact.of
  const times = fact.kind === 'rate' ? sql.lit(100) : sql.lit(1)
  return sql`(round((${times} * ${value(part)} / nullif(${value(whole)}, 0))::numeric, ${sql.lit(tenth)})::float8)`
}

function orderOf<K extends KeyFacts, M extends MeasureFacts>(of: Measured<K, M>, { keys, labels, order }: ReportSource<K, M>, sort: string | undefined): RawBuilder<unknown>[] {
  const wish = sort ?? order
  const name = wish?.replace(/^-/, '')
  const by = Object.entries(labels ?? {}).find(([label]) => label === name)?.[1]?.of ?? name
  const way = wish?.startsWith('-') ? sql`desc nulls last` : sql`asc nulls last`
  const behind = Object.keys(keys).map(key => sql`g.${sql.ref(key)}`)
  if (by === undefined) return behind
  const known = by in keys || by in of.measures
  return known ? [sql`${figureOf(of, by, one => sql`g.${sql.ref(one)}`)} ${way}`, ...behind] : behind
}

function totalsOf(of: { measures: MeasureFacts }, first: Found | undefined): Record<string, unknown> {
  return Object.fromEntries(Object.entries(of.measures).map(([name, { kind }]) => {
    if (first) return [name, kind === 'distinct' ? null : first[`sum_${name}`]]
    return [name, kind === 'rate' || kind === 'mean' ? null : 0]
  }))
}

async function askDistinct<K extends KeyFacts, M extends MeasureFacts>(db: QueryExecutorProvider, of: Measured<K, M>, { measures, rows }: ReportSource<K, M>, totals: Record<string, unknown>): Promise<void> {
  const parts = Object.entries<RawBuilder<unknown> | undefined>(measures).flatMap(([name, part]) => (part && of.measures[name]?.kind === 'distinct' && name in totals ? [sql`(${part})::float8 as ${sql.ref(name)}`] : []))
  if (parts.length === 0) return
  const found = await sql<Found>`select ${sql.join(parts)} ${rows}`.execute(db)
  Object.assign(totals, found.rows[0])
}

async function addLabels<K extends KeyFacts, M extends MeasureFacts>({ labels = {} }: ReportSource<K, M>, rows: Found[]): Promise<void> {
  for (const [name, label] of Object.entries<{ of: string; names: (ids: string[]) => Promise<ReadonlyMap<string, string>> } | undefined>(labels)) {
    if (!label) continue
    const ids = [...new Set(rows.flatMap(row => (row[label.of] === null ? [] : [String(row[label.of])])))]
    const names = await label.names(ids)
    for (const row of rows) row[name] = names.get(String(row[label.of])) ?? null
  }
}

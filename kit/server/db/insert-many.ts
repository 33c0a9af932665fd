import { CompiledQuery } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import { prepareAs } from './kysely-driver.ts'

/** What becomes of a row that is there already: `set` takes these columns from the new row, `fill` only where they hold nothing; without any the old row stays. */
export type OnConflict = { columns?: readonly string[]; set?: readonly string[]; fill?: readonly string[] }

type Row = Readonly<Record<string, unknown>>
/** A statement but for its rows: columns whose value all rows share come first and travel once. */
type Shape = { head: string; tail: string; shared: readonly unknown[]; own: readonly string[] }
type Prepared = { name: string; text: string }

/** Rows of one statement: enough that the way to the server and back does not count, few enough that its plan stays small; what is left over goes in the smaller ones. */
const widths = [100, 25]
/** Every session keeps the plans of what it was told to prepare; shapes beyond these are planned each time. */
const most_prepared = 128
const prepared = new Map<string, Prepared>()

/**
 * Inserts rows as statements of many values, which both engines and a distributed table take; at most 100 rows a statement, so that a server
 * reads and plans a shape once and not once for thousands of cells. A column without any value is left out, a value that all rows share travels once.
 * A cell that is undefined or absent, and every cell of a column left out, takes the column's default; so give a nullable column no other
 * default than null. Several statements: call it inside a transaction, rows that others refer to first.
 */
export async function insertMany(db: QueryExecutorProvider, table: string, rows: readonly Row[], conflict?: OnConflict): Promise<void> {
  if (rows.length === 0) return
  const shape = shapeOf(table, rows, conflict)
  for (let from = 0; from < rows.length; ) {
    const width = widths.find(many => many <= rows.length - from) ?? rows.length - from
    await db.getExecutor().executeQuery(statementOf(shape, rows.slice(from, from + width)))
    from += width
  }
}

function shapeOf(table: string, rows: readonly Row[], conflict?: OnConflict): Shape {
  const columns = columnsOf(rows)
  const first = rows[0]
  const [shared, own] = [columns.filter(column => isShared(rows, column)), columns.filter(column => !isShared(rows, column))]
  const head = `insert into ${quoted(table)} (${[...shared, ...own].map(quoted).join(', ')}) values `
  return { head, tail: conflict ? onConflict(table, conflict) : '', shared: shared.map(column => first?.[column]), own }
}

/** The columns in which some row has a value. */
function columnsOf(rows: readonly Row[]): string[] {
  const named = new Set<string>()
  for (const row of rows) for (const column in row) if (row[column] !== null && row[column] !== undefined) named.add(column)
  return [...named]
}

function isShared(rows: readonly Row[], column: string): boolean {
  return rows.length > 1 && rows.every(row => row[column] === rows[0]?.[column])
}

function statementOf(shape: Shape, rows: readonly Row[]): CompiledQuery {
  const is_whole = widths.includes(rows.length) && rows.every(row => shape.own.every(column => row[column] !== undefined))
  const known = is_whole ? preparedFor(shape, rows) : undefined
  const values = [...shape.shared, ...rows.flatMap(row => shape.own.flatMap(column => (row[column] === undefined ? [] : [row[column]])))]
  const query = CompiledQuery.raw(known?.text ?? textOf(shape, rows), values)
  if (known) prepareAs(query, known.name)
  return query
}

function preparedFor(shape: Shape, rows: readonly Row[]): Prepared | undefined {
  const key = `${rows.length} ${shape.shared.length} ${shape.head}${shape.tail}`
  const known = prepared.get(key)
  if (known || prepared.size >= most_prepared) return known
  const made = { name: `insert_many_${prepared.size}`, text: textOf(shape, rows) }
  prepared.set(key, made)
  return made
}

function textOf({ head, tail, shared, own }: Shape, rows: readonly Row[]): string {
  const constant = shared.map((_value, at) => `$${at + 1}`)
  let last = shared.length
  const lines = rows.map(row => `(${[...constant, ...own.map(column => (row[column] === undefined ? 'default' : `$${(last += 1)}`))].join(', ')})`)
  return `${head}${lines.join(', ')}${tail}`
}

function onConflict(table: string, { columns, set = [], fill = [] }: OnConflict): string {
  const target = columns ? ` (${columns.map(quoted).join(', ')})` : ''
  const taken = set.map(name => `${quoted(name)} = excluded.${quoted(name)}`)
  const filled = fill.map(name => `${quoted(name)} = coalesce(${quoted(table)}.${quoted(name)}, excluded.${quoted(name)})`)
  const changes = [...taken, ...filled]
  return ` on conflict${target} ${changes.length === 0 ? 'do nothing' : `do update set ${changes.join(', ')}`}`
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

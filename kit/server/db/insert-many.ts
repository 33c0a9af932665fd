import { CompiledQuery } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import { columnTypes } from './column-types.ts'
import type { ColumnType } from './column-types.ts'
import { propertyOf } from './database-error.ts'
import { prepareAs } from './kysely-driver.ts'
import { arrayText } from './value-codec.ts'

/**
 * What becomes of a row that is there already: `set` takes these columns from the new row, `fill` only where they hold nothing; without any the
 * old row stays. It stays also when the two differ in one of `same`, when they are equal in all of `differ`, or when the new one is no larger in `newer`.
 */
export type OnConflict = { columns?: readonly string[]; set?: readonly string[]; fill?: readonly string[]; same?: readonly string[]; differ?: readonly string[]; newer?: string }

type Row = Readonly<Record<string, unknown>>
/** A column to write, and what the database calls its type. */
type Column = ColumnType & { name: string }
/** Rows behind one another that leave out the same columns. */
type Run = { rows: Row[]; left_out: readonly Column[] }

/** Rows of one statement: enough that the way to the server and back does not count, few enough that others get their turn. */
const most_rows = 200
/** Behind the fence a Citus cluster takes an insert from a question only when it returns something or says what becomes of conflicts. */
const returning = ' returning 1'
/** Every session keeps the plans of what it was told to prepare; statements beyond these are planned each time. */
const most_prepared = 128
const prepared = new Map<string, string>()

/**
 * Inserts rows as statements of many values, which both engines and a distributed table take: an array a column, so that any number of rows is the
 * same statement, which a server reads and plans once. A cell that is undefined or absent is null, and the column's default where it may not be
 * null; so give a nullable column no other default than null. Several statements: call it inside a transaction, rows that others refer to first.
 */
export async function insertMany(db: QueryExecutorProvider, table: string, rows: readonly Row[], conflict?: OnConflict): Promise<void> {
  for (const statement of await statementsOf(db, table, rows, conflict ? onConflict(table, conflict) : returning)) await db.getExecutor().executeQuery(statement)
}

/** The same. @returns of every row that is new or changed the value of a column, as text */
export async function insertReturning(db: QueryExecutorProvider, table: string, rows: readonly Row[], column: string, conflict?: OnConflict): Promise<string[]> {
  const tail = `${conflict ? onConflict(table, conflict) : ''} returning ${quoted(column)}::text as value`
  const written: string[] = []
  for (const statement of await statementsOf(db, table, rows, tail)) {
    const answer = await db.getExecutor().executeQuery(statement)
    written.push(...answer.rows.map(row => String(propertyOf(row, 'value'))))
  }
  return written
}

async function statementsOf(db: QueryExecutorProvider, table: string, rows: readonly Row[], tail: string): Promise<CompiledQuery[]> {
  if (rows.length === 0) return []
  const columns = columnsOf(rows, table, await columnTypes(db, table))
  return runsOf(rows, columns).flatMap(({ rows: own, left_out }) => {
    const given = columns.filter(column => !left_out.includes(column))
    const text = `${textOf(table, given)}${tail}`
    return Array.from({ length: Math.ceil(own.length / most_rows) }, (_, at) => statementOf(text, given, own.slice(at * most_rows, (at + 1) * most_rows)))
  })
}

/** The columns that some row names. */
function columnsOf(rows: readonly Row[], table: string, types: ReadonlyMap<string, ColumnType>): Column[] {
  const named = new Set<string>()
  for (const row of rows) for (const column in row) if (row[column] !== undefined) named.add(column)
  return [...named].map(name => {
    const type = types.get(name)
    if (!type) throw new Error(`table ${table} has no column ${name}`)
    return { name, ...type }
  })
}

function runsOf(rows: readonly Row[], columns: readonly Column[]): Run[] {
  const lacks = (row: Row, { name }: Column) => row[name] === undefined || row[name] === null
  const choosy = columns.filter(column => column.not_null && rows.some(row => lacks(row, column)))
  if (choosy.length === 0) return [{ rows: [...rows], left_out: [] }]
  const runs: Run[] = []
  for (const row of rows) {
    const left_out = choosy.filter(column => lacks(row, column))
    const last = runs.at(-1)
    if (last?.left_out.length === left_out.length && left_out.every(column => last.left_out.includes(column))) last.rows.push(row)
    else runs.push({ rows: [row], left_out })
  }
  return runs
}

function textOf(table: string, columns: readonly Column[]): string {
  // An array of arrays would come apart: such cells travel as text.
  const arrays = columns.map(({ type, is_array }, at) => `$${at + 1}::${is_array ? 'text' : quoted(type)}[]`)
  const cells = columns.map(({ type, is_array }, at) => (is_array ? `c${at}::${quoted(type)}` : `c${at}`))
  const names = columns.map((_column, at) => `c${at}`)
  return `insert into ${quoted(table)} (${columns.map(({ name }) => quoted(name)).join(', ')}) select ${cells.join(', ')} from unnest(${arrays.join(', ')}) u(${names.join(', ')})`
}

function statementOf(text: string, columns: readonly Column[], rows: readonly Row[]): CompiledQuery {
  const query = CompiledQuery.raw(text, columns.map(({ name, is_array }) => rows.map(row => (is_array ? arrayText(row[name]) : row[name]))))
  const name = nameOf(text)
  if (name !== undefined) prepareAs(query, name)
  return query
}

function nameOf(text: string): string | undefined {
  const known = prepared.get(text)
  if (known !== undefined || prepared.size >= most_prepared) return known
  const name = `insert_many_${prepared.size}`
  prepared.set(text, name)
  return name
}

function onConflict(table: string, { columns, set = [], fill = [], ...only }: OnConflict): string {
  const target = columns ? ` (${columns.map(quoted).join(', ')})` : ''
  const taken = set.map(name => `${quoted(name)} = excluded.${quoted(name)}`)
  const filled = fill.map(name => `${quoted(name)} = coalesce(${quoted(table)}.${quoted(name)}, excluded.${quoted(name)})`)
  const changes = [...taken, ...filled]
  if (changes.length === 0) return ` on conflict${target} do nothing`
  const tests = testsOf(table, only)
  return ` on conflict${target} do update set ${changes.join(', ')}${tests.length === 0 ? '' : ` where ${tests.join(' and ')}`}`
}

function testsOf(table: string, { same = [], differ = [], newer }: Pick<OnConflict, 'same' | 'differ' | 'newer'>): string[] {
  const [old, fresh] = [(name: string) => `${quoted(table)}.${quoted(name)}`, (name: string) => `excluded.${quoted(name)}`]
  const changed = differ.length === 0 ? [] : [`(${differ.map(old).join(', ')}) is distinct from (${differ.map(fresh).join(', ')})`]
  return [...same.map(name => `${old(name)} = ${fresh(name)}`), ...changed, ...(newer === undefined ? [] : [`${old(newer)} < ${fresh(newer)}`])]
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

import type { Known } from './known.ts'
import { bodyOf, holds, lists, namesOf, textOf, walk } from './tree.ts'
import type { Tree } from './tree.ts'

/** Types whose text depends on settings of the session: reading or writing one is stable, not immutable. */
const unsteady_types = new Set(['date', 'timestamp', 'timestamptz', 'timetz', 'regclass', 'regtype', 'regproc'])
const text_types = new Set(['text', 'varchar', 'bpchar', 'name'])

/** The parts of an expression that are not immutable, outside its sub-selects. */
export function unsteadyIn(expression: unknown, table: string, known: Known): string[] {
  return unsteadyParts(expression, table, known).map(({ what }) => what)
}

/** Those among them that are handed a column. */
export function changesIn(expression: unknown, table: string, known: Known): string[] {
  return unsteadyParts(expression, table, known).filter(({ part }) => holds(part, ['ColumnRef'])).map(({ what }) => what)
}

function unsteadyParts(expression: unknown, table: string, known: Known): { what: string; part: unknown }[] {
  const found: { what: string; part: unknown }[] = []
  walk(expression, (kind, part) => {
    if (kind === 'SubLink' || kind === 'RangeSubselect' || kind === 'RangeFunction') return false
    const what = unsteadyName(kind, part, table, known)
    if (what !== undefined) found.push({ what, part })
    return undefined
  })
  return found
}

function unsteadyName(kind: string, part: Tree, table: string, known: Known): string | undefined {
  if (kind === 'SQLValueFunction') return 'the clock'
  if (kind === 'FuncCall') {
    const name = namesOf(part, 'funcname').at(-1) ?? ''
    // `at time zone`, which is immutable for a moment; for a time of day alone it is not.
    if (name === 'timezone') return undefined
    return known.changing.has(`${name}/${lists(part, 'args').length}`) || variadic.has(name) ? `${name}()` : undefined
  }
  if (kind === 'TypeCast') return castName(part, table, known)
  if (kind === 'A_Expr') return shiftName(part)
  return undefined
}

/** Functions of any number of arguments that are stable: the catalogue knows them with one. */
const variadic = new Set(['concat', 'concat_ws', 'format', 'jsonb_build_object', 'json_build_object', 'jsonb_build_array', 'json_build_array'])

function castName(cast: Tree, table: string, known: Known): string | undefined {
  const type = namesOf(cast['typeName'], 'names').at(-1) ?? ''
  const column = namesOf(bodyOf(cast['arg'], 'ColumnRef'), 'fields').at(-1)
  const columns = known.tables.get(table)
  const is_same = column !== undefined && columns?.columns.get(column) === type
  if (is_same || !holds(cast['arg'], ['ColumnRef', 'FuncCall', 'SQLValueFunction'])) return undefined
  if (unsteady_types.has(type)) return `::${type}`
  if (!text_types.has(type)) return undefined
  return columnsIn(cast['arg']).some(name => columns?.unstable.has(name)) ? `${column ?? '…'}::${type}` : undefined
}

function columnsIn(expression: unknown): string[] {
  const names: string[] = []
  walk(expression, (kind, part) => {
    if (kind === 'ColumnRef') names.push(namesOf(part, 'fields').at(-1) ?? '')
    return undefined
  })
  return names
}

/** A moment and an interval: adding them asks for the zone of the session. */
function shiftName(part: Tree): string | undefined {
  const operator = namesOf(part, 'name').at(-1)
  if (operator !== '+' && operator !== '-') return undefined
  const is_interval = [part['lexpr'], part['rexpr']].some(side => {
    const call = namesOf(bodyOf(side, 'FuncCall'), 'funcname').at(-1)
    return call === 'make_interval' || namesOf(textType(side), 'names').at(-1) === 'interval'
  })
  return is_interval ? `${operator} interval` : undefined
}

function textType(side: unknown): unknown {
  const cast = bodyOf(side, 'TypeCast')
  return cast && textOf(cast, 'kind') === '' ? cast['typeName'] : undefined
}

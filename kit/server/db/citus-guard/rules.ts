import { changesIn, unsteadyIn } from './changing.ts'
import type { Known } from './known.ts'
import { boundOf, levelsOf } from './levels.ts'
import type { Level } from './levels.ts'
import { bodyOf, fieldOf, holds, lists, namesOf, textOf, walk, wrapped } from './tree.ts'
import type { Tree } from './tree.ts'

/** A statement that goes to the rows of every school on purpose says so where it is sent. */
export const all_schools = '/* all schools */'

/** What Citus refuses or sends to every worker. `rule` names it, `what` the part of the statement. */
export type Breach = { rule: string; what: string }

type Asked = { kind: string; body: Tree; statement: Tree; levels: readonly Level[]; known: Known; is_marked: boolean }

const outer_joins = new Set(['JOIN_LEFT', 'JOIN_RIGHT', 'JOIN_FULL'])
const changes = new Set(['InsertStmt', 'UpdateStmt', 'DeleteStmt'])

/** What is wrong with one statement. One that is marked `all schools`, in its text or by the caller, needs no school. */
export function breachesOf(statement: Tree, text: string, known: Known, mark = ''): Breach[] {
  const [kind, body] = wrapped(statement) ?? []
  if (!kind || !body) return []
  const asked: Asked = { kind, body, statement, levels: levelsOf(statement), known, is_marked: `${text}${mark}`.includes(all_schools) }
  if (![...asked.levels.flatMap(({ sources }) => sources.map(({ table }) => table)), ...targetsIn(statement)].some(table => placeOf(asked, table))) return []
  const reads_schools = asked.levels.some(({ sources }) => sources.some(({ table }) => placeOf(asked, table) === 'school'))
  const found: Breach[] = []
  walk(statement, (inner, part) => {
    if (changes.has(inner)) found.push(...ofChange({ ...asked, kind: inner, body: part }))
    if (inner === 'JoinExpr') found.push(...ofJoin(part))
    if (inner === 'SelectStmt' && reads_schools) found.push(...ofLock(part))
    if (inner === 'FuncCall') found.push(...ofFunction(part, known))
    return undefined
  })
  return [...found, ...ofSchools(asked), ...ofEmptySelect(asked)]
}

/** Tables of schools that a level reads without saying whose. */
function ofSchools({ levels, known, is_marked }: Asked): Breach[] {
  if (is_marked) return []
  return levels.flatMap(level => {
    const bound = boundOf(level)
    const loose = level.sources.filter(({ alias, table }) => known.tables.get(table)?.place === 'school' && !bound.has(alias))
    return loose.map(({ alias, table }) => ({ rule: 'a table of schools is bound by school_id = $n itself', what: alias === table ? table : `${table} ${alias}` }))
  })
}

function ofChange(asked: Asked): Breach[] {
  const { kind, body, known } = asked
  const target = targetOf(body)
  const place = placeOf(asked, target)
  if (place !== 'school' && place !== 'shared') return []
  const returning = unsteadyIn(body['returningClause'], target, known)
  return [
    ...returning.map(what => ({ rule: 'returning holds columns and immutable functions only', what })),
    ...(kind === 'InsertStmt' ? ofInsert(body, target, known, place) : ofUpdate(body, target, known)),
    ...(place === 'shared' && kind !== 'InsertStmt' ? ofShared(asked) : []),
  ]
}

function ofInsert(body: Tree, target: string, known: Known, place: 'school' | 'shared'): Breach[] {
  const select = bodyOf(body['selectStmt'], 'SelectStmt')
  const conflict = body['onConflictClause']
  const is_bare = place === 'school' && select && lists(select, 'valuesLists').length === 0 && !conflict && !body['returningClause']
  const has_question = lists(select, 'valuesLists').some(row => holds(row, ['SubLink']))
  return [
    ...(is_bare ? [{ rule: 'insert … select has returning or on conflict', what: target }] : []),
    ...(has_question ? [{ rule: 'values hold no sub-select', what: target }] : []),
    ...unsteadyIn([fieldOf(conflict, 'targetList'), fieldOf(conflict, 'whereClause')], target, known).map(what => ({ rule: 'do update and its where hold immutable functions only', what })),
    ...moves(lists(conflict, 'targetList'), target, place),
  ]
}

function ofUpdate(body: Tree, target: string, known: Known): Breach[] {
  const parts = [lists(body, 'targetList'), body['whereClause'], body['fromClause']]
  const choices: Breach[] = []
  walk(parts, (kind, part) => {
    if (kind === 'SubLink' || kind === 'RangeSubselect') return false
    if (kind !== 'CaseExpr' && kind !== 'CoalesceExpr') return undefined
    choices.push(...unsteadyIn(part, target, known).map(what => ({ rule: 'case and coalesce of an update hold immutable functions only', what })))
    return false
  })
  return [
    ...choices,
    ...changesIn(parts, target, known).map(what => ({ rule: 'an update calls no stable function on a column', what })),
    ...moves(lists(body, 'targetList'), target, 'school'),
  ]
}

function moves(targets: unknown[], target: string, place: string): Breach[] {
  const moved = place === 'school' && targets.some(one => textOf(bodyOf(one, 'ResTarget'), 'name') === 'school_id')
  return moved ? [{ rule: 'a row stays with its school', what: target }] : []
}

function ofShared({ levels, known, body }: Asked): Breach[] {
  const target = targetOf(body)
  const other = levels.flatMap(({ sources }) => sources).find(({ table }) => known.tables.get(table)?.place === 'school')
  return other ? [{ rule: 'a shared table is not changed by a question to a table of schools', what: `${target} by ${other.table}` }] : []
}

function ofJoin(join: Tree): Breach[] {
  if (!outer_joins.has(textOf(join, 'jointype'))) return []
  return conjuncts(join['quals'])
    .filter(one => !isTrue(one) && !holds(one, ['ColumnRef', 'SubLink']))
    .map(() => ({ rule: 'on of an outer join has no constant test', what: textOf(bodyOf(join['rarg'], 'RangeVar'), 'relname') }))
}

function ofLock(select: Tree): Breach[] {
  if (lists(select, 'lockingClause').length === 0) return []
  let asks = false
  walk(select, (kind, part) => {
    if (kind === 'SubLink') asks ||= isCorrelated(part['subselect'])
    return undefined
  })
  return asks ? [{ rule: 'for update asks nothing of other tables for each row: lock first, ask after', what: 'for update' }] : []
}

/** Whether a sub-select names a column of the statement around it. */
function isCorrelated(query: unknown): boolean {
  const own = new Set<string>()
  const named = new Set<string>()
  walk(query, (kind, part) => {
    const alias = textOf(part['alias'], 'aliasname') || (kind === 'RangeVar' ? textOf(part, 'relname') : '')
    if (alias) own.add(alias)
    const fields = kind === 'ColumnRef' ? namesOf(part, 'fields') : []
    if (fields.length > 1) named.add(fields.at(-2) ?? '')
    return undefined
  })
  return [...named].some(name => !own.has(name))
}

function ofFunction(call: Tree, { reading }: Known): Breach[] {
  const name = textOf(fieldOf(lists(call, 'funcname').at(-1), 'String'), 'sval')
  return reading.has(name) ? [{ rule: 'a statement calls no function that reads tables', what: name }] : []
}

/** `exists (select from …)` of a question that goes to several shards. */
function ofEmptySelect({ statement, is_marked, levels, known }: Asked): Breach[] {
  if (!is_marked || !levels.some(({ sources }) => sources.some(({ table }) => known.tables.get(table)?.place === 'school'))) return []
  const found: Breach[] = []
  walk(statement, (kind, part) => {
    const is_empty = kind === 'SelectStmt' && part['op'] === 'SETOP_NONE' && lists(part, 'targetList').length === 0 && lists(part, 'valuesLists').length === 0
    if (is_empty) found.push({ rule: 'a question to all schools selects a column', what: 'select from' })
    return undefined
  })
  return found
}

function conjuncts(condition: unknown): unknown[] {
  const all = bodyOf(condition, 'BoolExpr')
  if (all && all['boolop'] === 'AND_EXPR') return lists(all, 'args').flatMap(conjuncts)
  return condition === undefined ? [] : [condition]
}

function isTrue(condition: unknown): boolean {
  return fieldOf(fieldOf(bodyOf(condition, 'A_Const'), 'boolval'), 'boolval') === true
}

/** The tables that a statement changes, in its `with` too. */
function targetsIn(statement: Tree): string[] {
  const targets: string[] = []
  walk(statement, (kind, part) => {
    if (changes.has(kind)) targets.push(targetOf(part))
    return undefined
  })
  return targets
}

function targetOf(body: Tree): string {
  return textOf(body['relation'], 'relname')
}

function placeOf({ known }: Pick<Asked, 'known'>, table: string): 'school' | 'shared' | 'local' | undefined {
  return known.tables.get(table)?.place
}

import { bodyOf, fieldOf, holds, isTree, lists, namesOf, textOf, walk, wrapped } from './tree.ts'
import type { Tree } from './tree.ts'

/** A table as one level of a statement names it. */
type Source = { alias: string; table: string }
/** One `select`, `update` or `delete` of a statement, without those inside it: its tables, and what makes a column `school_id` equal to what. */
export type Level = { sources: Source[]; bound: Set<string>; linked: [string, string][] }

/** Every unqualified `school_id` of a level with several sources. */
const unqualified = ''

/** The levels of a statement, sub-selects, arms of unions and queries of its `with` among them. */
export function levelsOf(statement: Tree): Level[] {
  const levels: Level[] = []
  readQuery(statement, new Set(), levels)
  return levels
}

/** The aliases of a level whose `school_id` is a parameter or a constant, by itself or by the equality with another one of the same level. */
export function boundOf({ sources, bound, linked }: Level): Set<string> {
  const all = new Set(bound.has(unqualified) ? [...bound, ...sources.map(({ alias }) => alias)] : bound)
  for (let grew = true; grew; ) {
    const before = all.size
    for (const [one, other] of linked) if (all.has(one) || all.has(other)) all.add(one).add(other)
    grew = all.size > before
  }
  return all
}

function readQuery(wrapping: unknown, outer_names: ReadonlySet<string>, levels: Level[]): void {
  const [kind, body] = wrapped(wrapping) ?? []
  if (kind === 'DeclareCursorStmt' || kind === 'ExplainStmt') return readQuery(fieldOf(body, 'query'), outer_names, levels)
  if (!body || !['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt'].includes(kind ?? '')) return
  const queries = lists(fieldOf(body, 'withClause'), 'ctes').map(one => bodyOf(one, 'CommonTableExpr'))
  const names = new Set([...outer_names, ...queries.map(one => textOf(one, 'ctename'))])
  for (const query of queries) readQuery(fieldOf(query, 'ctequery'), names, levels)
  if (kind === 'SelectStmt') readSelect(body, names, levels)
  else readChange(kind ?? '', body, names, levels)
}

function readSelect(body: Tree, names: ReadonlySet<string>, levels: Level[]): void {
  const [left, right] = [fieldOf(body, 'larg'), fieldOf(body, 'rarg')]
  if (left && right) return [left, right].forEach(arm => readQuery({ SelectStmt: arm }, names, levels))
  readLevel(body, names, levels, [])
}

function readChange(kind: string, body: Tree, names: ReadonlySet<string>, levels: Level[]): void {
  if (kind !== 'InsertStmt') return readLevel(body, names, levels, [body['relation']])
  readQuery(body['selectStmt'], names, levels)
  readLevel({ rest: [body['onConflictClause'], body['returningClause']] }, names, levels, [])
}

function readLevel(body: Tree, names: ReadonlySet<string>, levels: Level[], targets: unknown[]): void {
  const level: Level = { sources: [], bound: new Set(), linked: [] }
  const addSource = (range: unknown) => {
    const table = textOf(range, 'relname')
    if (fieldOf(range, 'schemaname') === undefined && names.has(table)) return
    level.sources.push({ alias: textOf(fieldOf(range, 'alias'), 'aliasname') || table, table })
  }
  targets.forEach(addSource)
  const { withClause: _read_already, ...rest } = body
  walk(rest, (kind, part) => {
    if (kind === 'LockingClause') return false
    if (kind === 'RangeVar') addSource(part)
    if (kind === 'JoinExpr') readCondition(part['quals'], level)
    if (kind === 'RangeSubselect') readQuery(part['subquery'], names, levels)
    if (kind === 'SubLink') readQuery(part['subselect'], names, levels)
    return kind !== 'RangeVar' && kind !== 'RangeSubselect' && kind !== 'SubLink'
  })
  readCondition(body['whereClause'], level)
  levels.push(level)
}

function readCondition(condition: unknown, level: Level): void {
  const all = bodyOf(condition, 'BoolExpr')
  if (all && all['boolop'] === 'AND_EXPR') return lists(all, 'args').forEach(one => readCondition(one, level))
  const test = bodyOf(condition, 'A_Expr')
  if (!test || test['kind'] !== 'AEXPR_OP' || namesOf(test, 'name').at(-1) !== '=') return
  const [left, right] = [bodyOf(test['lexpr'], 'RowExpr'), bodyOf(test['rexpr'], 'RowExpr')]
  if (!left || !right) return readEquality(test['lexpr'], test['rexpr'], level)
  lists(left, 'args').forEach((one, at) => readEquality(one, lists(right, 'args')[at], level))
}

function readEquality(one: unknown, other: unknown, level: Level): void {
  const [left, right] = [schoolOf(one), schoolOf(other)]
  if (left !== undefined && right !== undefined) level.linked.push([left, right])
  else if (left !== undefined && isValue(other)) level.bound.add(left)
  else if (right !== undefined && isValue(one)) level.bound.add(right)
}

/** The alias of a column `school_id`. */
function schoolOf(part: unknown): string | undefined {
  const names = namesOf(bodyOf(part, 'ColumnRef'), 'fields')
  return names.at(-1) === 'school_id' ? (names.at(-2) ?? unqualified) : undefined
}

function isValue(part: unknown): boolean {
  return isTree(part) && !holds(part, ['ColumnRef', 'FuncCall', 'SubLink'])
}

import { loadModule, parseSync } from 'libpg-query'

/** A part of a parsed statement as libpg-query writes it: `{ Kind: { field: … } }`, or the bare fields where the grammar allows one kind only. */
export type Tree = Readonly<Record<string, unknown>>

/** Makes `parse` usable; the parser is WebAssembly and is loaded once. */
export const loadParser = loadModule

/** The statements of a text. Throws what PostgreSQL would say of its syntax. */
export function parse(text: string): Tree[] {
  return lists({ ...parseSync(text) }, 'stmts').map(one => fieldOf(one, 'stmt')).filter(isTree)
}

export function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The kind of a wrapped part and its fields; undefined for bare fields. */
export function wrapped(value: unknown): [kind: string, body: Tree] | undefined {
  if (!isTree(value)) return undefined
  const [first] = Object.entries(value)
  return first && /^[A-Z]/.test(first[0]) && isTree(first[1]) ? [first[0], first[1]] : undefined
}

export function fieldOf(tree: unknown, name: string): unknown {
  return isTree(tree) ? tree[name] : undefined
}

/** The fields of a part when it is of this kind. */
export function bodyOf(tree: unknown, kind: string): Tree | undefined {
  const body = fieldOf(tree, kind)
  return isTree(body) ? body : undefined
}

export function lists(tree: unknown, name: string): unknown[] {
  const value = fieldOf(tree, name)
  return Array.isArray(value) ? value : []
}

export function textOf(tree: unknown, name: string): string {
  const value = fieldOf(tree, name)
  return typeof value === 'string' ? value : ''
}

/** The strings of a list of names: of a column, a function, an operator, a type. */
export function namesOf(tree: unknown, list: string): string[] {
  return lists(tree, list).map(part => textOf(fieldOf(part, 'String'), 'sval')).filter(Boolean)
}

/** Goes through a tree; a visit that answers false is not gone into. */
export function walk(value: unknown, visit: (kind: string, body: Tree) => boolean | undefined): void {
  if (Array.isArray(value)) return value.forEach(one => walk(one, visit))
  if (!isTree(value)) return
  for (const [name, part] of Object.entries(value)) {
    if (/^[A-Z]/.test(name) && isTree(part) && visit(name, part) === false) continue
    walk(part, visit)
  }
}

/** Whether a part of one of these kinds is in the tree; sub-selects are not gone into unless they are asked for. */
export function holds(value: unknown, kinds: readonly string[]): boolean {
  let found = false
  walk(value, kind => {
    found ||= kinds.includes(kind)
    return found || kind === 'SubLink' ? false : undefined
  })
  return found
}

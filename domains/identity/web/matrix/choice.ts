import type { MatrixModule, MatrixOp } from '@campus/identity/contract'

/** The codes a role is to have. */
export type Choice = ReadonlySet<string>
export type CodeChange = { grant: string[]; revoke: string[] }
export type Tick = 'all' | 'some' | 'none'

/** What the role has now. */
export function choiceOf(modules: readonly MatrixModule[]): Choice {
  return new Set(opsOf(modules).filter(op => op.granted).map(op => op.code))
}

/** Every cell of the matrix. */
export function opsOf(modules: readonly MatrixModule[]): MatrixOp[] {
  return modules.flatMap(module => module.ops)
}

/**
 * Gives or takes the given cells. Every other verb of a noun brings its view along, and losing the view loses the rest (chapter 10 R8);
 * a cell that is locked stays as it is, and so does what would have to move with one.
 */
export function turned(modules: readonly MatrixModule[], choice: Choice, codes: readonly string[], on: boolean): Choice {
  const next = new Set(choice)
  const all = opsOf(modules)
  for (const op of all.filter(one => codes.includes(one.code))) {
    const family = all.filter(one => one.noun === op.noun)
    const moved = on ? family.filter(one => one === op || one.verb === 'view') : family.filter(one => one === op || op.verb === 'view')
    const others = moved.filter(one => next.has(one.code) !== on)
    if (others.some(one => !one.grantable)) continue
    for (const one of others) if (on) next.add(one.code); else next.delete(one.code)
  }
  return next
}

/** Why a cell cannot be turned; null when it can. */
export function cellLock(modules: readonly MatrixModule[], choice: Choice, op: MatrixOp): string | null {
  if (!op.grantable) return op.locked ?? '不能修改'
  const on = !choice.has(op.code)
  if (turned(modules, choice, [op.code], on).has(op.code) === on) return null
  return on ? '需先有查看权限，而您不能授予它' : '同一行还有您不能修改的权限，查看权限需保留'
}

/** How much of some cells is given. */
export function tickOf(ops: readonly MatrixOp[], choice: Choice): Tick {
  const given = ops.filter(op => choice.has(op.code)).length
  if (given === 0) return 'none'
  return given === ops.length ? 'all' : 'some'
}

/** What turning a row or a module does: everything is given unless all that can be given is. */
export function turnedAll(modules: readonly MatrixModule[], choice: Choice, ops: readonly MatrixOp[]): Choice {
  const free = ops.filter(op => op.grantable)
  const codes = free.map(op => op.code)
  const given = turned(modules, choice, codes, true)
  const adds = codes.some(code => given.has(code) && !choice.has(code))
  return adds ? given : turned(modules, choice, codes, false)
}

/** What a choice adds to the role and takes from it. */
export function changeOf(modules: readonly MatrixModule[], choice: Choice): CodeChange {
  const ops = opsOf(modules)
  return {
    grant: ops.filter(op => choice.has(op.code) && !op.granted).map(op => op.code),
    revoke: ops.filter(op => !choice.has(op.code) && op.granted).map(op => op.code),
  }
}

/** A change laid over a newer state of the role: what was chosen stays chosen as far as it may. */
export function laidOver(modules: readonly MatrixModule[], { grant, revoke }: CodeChange): Choice {
  return turned(modules, turned(modules, choiceOf(modules), revoke, false), grant, true)
}

/** Cells given only because another one of their row needs to be seen. */
export function impliedBy(modules: readonly MatrixModule[], { grant }: CodeChange): Set<string> {
  const ops = opsOf(modules)
  const views = ops.filter(op => op.verb === 'view' && grant.includes(op.code))
  return new Set(views.filter(view => ops.some(op => op.noun === view.noun && op !== view && grant.includes(op.code))).map(view => view.code))
}

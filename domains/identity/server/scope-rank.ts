import { scope_names } from '@campus/identity/contract'
import type { Dimension, ScopeKind } from './role.queries.ts'

/** The kinds of scope that reach no further than one, whoever holds them (chapter 10 R7). */
const within: Readonly<Record<ScopeKind, readonly ScopeKind[]>> = {
  all: ['all', 'own', 'own_below', 'class_teacher', 'teaching', 'custom', 'self', 'none'],
  own_below: ['own', 'own_below', 'custom', 'self', 'none'],
  own: ['own', 'custom', 'self', 'none'],
  class_teacher: ['class_teacher', 'custom', 'self', 'none'],
  teaching: ['teaching', 'custom', 'self', 'none'],
  custom: ['custom', 'self', 'none'],
  self: ['self', 'none'],
  none: ['none'],
}

/** What somebody with a scope may give to others, as far as the kind tells; of `custom` the ids are compared too. */
export function grantableKinds(held: ScopeKind, dimension: Dimension): ScopeKind[] {
  return within[held].filter(kind => kind in scope_names[dimension])
}

/** Whether a scope reaches no further than another. A kind that says nothing in its dimension counts as it would elsewhere. */
export function isWithin(held: ScopeKind, kind: ScopeKind): boolean {
  return within[held].includes(kind)
}

import { matrix_columns, permissionName } from '@campus/identity/contract'
import type { MatrixColumn, PermissionName } from '@campus/identity/contract'

export type CodeChange = { grant: readonly string[]; revoke: readonly string[] }
/** What a role has after a change, and what that adds and takes away, in alphabetical order. */
export type ChangedCodes = { next: ReadonlySet<string>; granted: string[]; revoked: string[] }

/**
 * Seeing is part of doing (chapter 10 R8): granting a verb grants `noun.view` where that code exists, revoking the view revokes every other verb
 * of the noun. Codes the product no longer knows drop out without a word.
 * @returns null for a change that grants and revokes the same code
 */
export function changedCodes(current: ReadonlySet<string>, { grant, revoke }: CodeChange, known: ReadonlySet<string>): ChangedCodes | null {
  const had = [...current].filter(code => known.has(code))
  const wanted = new Set(withViews(grant, known))
  const views = new Set(revoke.filter(code => code === viewOf(code)))
  const unwanted = new Set([...revoke, ...had.filter(code => views.has(viewOf(code)))])
  if ([...unwanted].some(code => wanted.has(code))) return null
  const next = new Set([...had.filter(code => !unwanted.has(code)), ...wanted])
  return {
    next,
    granted: [...next].filter(code => !current.has(code)).toSorted(),
    revoked: had.filter(code => !next.has(code)).toSorted(),
  }
}

/** The codes with the view of each noun, where there is one. */
export function withViews(codes: readonly string[], known: ReadonlySet<string>): string[] {
  return [...new Set([...codes, ...codes.map(viewOf).filter(code => known.has(code))])]
}

function viewOf(code: string): string {
  return code.replace(/[^.]+$/, 'view')
}

const columns = Object.keys(matrix_columns)

/** Every code in words, in the order of the matrix: modules and nouns by name, verbs by column. */
export function namedCodes(codes: Iterable<string>): PermissionName[] {
  const named = [...codes].map(code => permissionName(code) ?? unnamed(code))
  return named.toSorted((a, b) => {
    return a.module.localeCompare(b.module) || a.noun.localeCompare(b.noun) || columns.indexOf(a.column) - columns.indexOf(b.column) || a.code.localeCompare(b.code)
  })
}

/** A code without words is shown as it is; a test of the whole product fails on it. */
function unnamed(code: string): PermissionName {
  const [module = '', ...rest] = code.split('.')
  const column: MatrixColumn = 'other'
  const verb = rest.at(-1) ?? ''
  const noun = [module, ...rest.slice(0, -1)].join('.')
  return { code, module, module_name: module, noun, noun_name: noun, verb, verb_name: verb, column }
}

import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'

/**
 * Does the dated row named `alias` hold on the day? Compares the plain columns, which keep their indexes under row-level
 * security; the range column is for exclusion constraints alone.
 */
export function validOn(alias: string, day: string): RawBuilder<boolean> {
  const from = sql.ref(`${alias}.valid_from`)
  const to = sql.ref(`${alias}.valid_to`)
  return sql<boolean>`(${from} <= ${day}::date and (${to} is null or ${to} > ${day}::date))`
}

/** Is the column one of these ids? One array parameter, however many ids. */
export function oneOf(column: string, ids: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(column)} = any(${[...ids]}::bigint[])`
}

/** Is the column in the list of a query? Hashed once whatever the planner believes: `coalesce` keeps it from becoming a join. */
export function isIn(column: string, query: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`coalesce(${sql.ref(column)} in (${query}), false)`
}

/** Does the text column begin with the prefix? Two comparisons, which use an index under row-level security; the column is collated "C". */
export function beginsWith(column: string, prefix: string): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(column)} >= ${prefix} and ${sql.ref(column)} < ${afterPrefix(prefix)})`
}

/** The least text after every text with the prefix, in code point order. */
function afterPrefix(prefix: string): string {
  const signs = [...prefix]
  const last = signs.pop()?.codePointAt(0) ?? 0x10ffff
  // Surrogates are no characters; the next one after them begins at U+E000.
  const next = last + 1 >= 0xd800 && last + 1 <= 0xdfff ? 0xe000 : last + 1
  return signs.join('') + (next > 0x10ffff ? '' : String.fromCodePoint(next))
}

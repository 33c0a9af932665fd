import type { QueryExecutorProvider } from 'kysely'
import { asIdentity, batches } from './db.ts'
import type { Dimension } from './role.queries.ts'

/** Everything one source knows of one person and kind; an empty list ends it. `valid_to` is exclusive, null = open. */
export type ScopeDeclaration = {
  user_id: string
  dimension: Dimension
  kind: 'class_teacher' | 'teaching' | 'delegated' | 'manager'
  facts: readonly { id: string; valid_from: Date; valid_to?: Date | null }[]
}

/**
 * Declares duties, assignments, delegations or managed places of people. What the source declared before for the same person,
 * dimension and kind is replaced, past intervals included: the source gives the whole history it stands for.
 */
export async function declareScope(db: QueryExecutorProvider, school_id: number, source: string, declared: readonly ScopeDeclaration[]): Promise<void> {
  const own = asIdentity(db)
  for (const { user_id, dimension, kind } of declared) {
    await own
      .deleteFrom('scope_fact')
      .where('school_id', '=', school_id)
      .where('user_id', '=', user_id)
      .where('dimension', '=', dimension)
      .where('kind', '=', kind)
      .where('source', '=', source)
      .execute()
  }
  const rows = declared.flatMap(({ facts, ...whose }) => facts.map(fact => ({ school_id, source, ...whose, ...fact })))
  for (const batch of batches(rows)) await own.insertInto('scope_fact').values(batch).execute()
}

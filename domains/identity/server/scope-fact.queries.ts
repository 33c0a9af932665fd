import { insertMany } from '@kit/server/db'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import { asIdentity } from './db.ts'
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
  for (const same of Map.groupBy(declared, ({ dimension, kind }) => `${dimension} ${kind}`).values()) {
    const [first] = same
    if (first) await forget(db, school_id, source, first, same.map(one => one.user_id))
  }
  const rows = declared.flatMap(({ facts, ...whose }) => facts.map(fact => ({ school_id, source, ...whose, ...fact })))
  await insertMany(db, 'scope_fact', rows)
}

async function forget(db: QueryExecutorProvider, school_id: number, source: string, { dimension, kind }: ScopeDeclaration, user_ids: readonly string[]): Promise<void> {
  await asIdentity(db)
    .deleteFrom('scope_fact')
    .where('school_id', '=', school_id)
    .where(sql<boolean>`user_id = any(${[...user_ids]}::bigint[])`)
    .where('dimension', '=', dimension)
    .where('kind', '=', kind)
    .where('source', '=', source)
    .execute()
}

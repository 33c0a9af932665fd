import { commonErrors, fail } from '@kit/contract'
import type { ChannelDesk, Ctx } from '@kit/server/http'
import { sql } from 'kysely'
import type { QueryExecutorProvider, RawBuilder } from 'kysely'

/** The places an identity may see: all, or everything at and below these paths. */
export type PlaceScope = 'all' | readonly string[]

/**
 * The row scope of the acting identity in the dimension of places: all, the places of its role, the places it looks after today, each with everything below.
 * Every `within: place` goes through here (chapter 30 §1.1, 90 §2).
 */
export async function placeScope<DB>(ctx: Ctx<DB>): Promise<PlaceScope> {
  ctx.scoped()
  return visiblePlaces(ctx)
}

/** The same for what is told without a request. */
export async function visiblePlaces({ db, school_id, me }: Pick<ChannelDesk, 'db' | 'school_id' | 'me'>): Promise<PlaceScope> {
  const { kind, ids, facts } = me.scopes.place
  if (kind === 'all') return 'all'
  const managed = facts.filter(fact => fact.kind === 'manager').map(fact => fact.id)
  return pathsOf(db, school_id, kind === 'custom' ? [...ids, ...managed] : managed)
}

async function pathsOf(db: QueryExecutorProvider, school_id: number, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ node_path: string }>`select node_path from place where school_id = ${school_id} and place_id = any(${[...ids]}::bigint[])`.execute(db)
  return rows.map(row => row.node_path)
}

/** Does the path column lie in the scope? Everything below a path lies between it and the same text with its last slash turned into 0, the next sign. */
export function inPlaces(column: string, scope: PlaceScope): RawBuilder<boolean> {
  if (scope === 'all') return sql<boolean>`true`
  const path = sql.ref(column)
  return sql<boolean>`exists (select from unnest(${[...scope]}::text[]) r(root) where ${path} >= r.root and ${path} < left(r.root, -1) || '0')`
}

/** Does a path lie in the scope? */
export function isInPlaces(node_path: string, scope: PlaceScope): boolean {
  return scope === 'all' || scope.some(root => node_path.startsWith(root))
}

/** @throws Refusal 404, the same as for an id that does not exist */
export function requireInPlaces(node_path: string, scope: PlaceScope): void {
  if (!isInPlaces(node_path, scope)) throw fail(commonErrors.notFound)
}

import type { CompiledQuery, QueryExecutorProvider, QueryResult } from 'kysely'
import { prepareAs } from './kysely-driver.ts'

/**
 * Runs a statement that every session keeps under a name: it is read once and no longer planned each time. For what is asked for each device and each message; one text a name, for ever, and none whose plan
 * hangs on the values it is asked with.
 */
export function runKept<T>(db: QueryExecutorProvider, name: string, query: CompiledQuery<T>): Promise<QueryResult<T>> {
  prepareAs(query, name)
  return db.getExecutor().executeQuery(query)
}

import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { Dialect, QueryExecutorProvider } from 'kysely'

const driver = new DummyDriver()
const dialect: Dialect = {
  createDriver: () => driver,
  createAdapter: () => new PostgresAdapter(),
  createQueryCompiler: () => new PostgresQueryCompiler(),
  createIntrospector: db => new PostgresIntrospector(db),
}

/** The transaction of another domain, typed to the caller's own tables: same connection, same commit. */
export function asTables<T>(db: QueryExecutorProvider): Kysely<T> {
  return new Kysely<T>({ config: { dialect }, dialect, driver, executor: db.getExecutor() })
}

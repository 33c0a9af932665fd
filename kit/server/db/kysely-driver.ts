import type { AsyncLocalStorage } from 'node:async_hooks'
import {
  AbortedTransactionError, CompiledQuery, DefaultConnectionProvider, DefaultQueryExecutor, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler,
} from 'kysely'
import type { DatabaseConnection, Dialect, Driver, KyselyProps, TransactionSettings } from 'kysely'
import { constraintOf } from './database-error.ts'
import type { Guard } from './citus-guard/guard.ts'
import type { Role, Session, SessionSource } from './session.ts'
import type { Flow } from './tenant-flow.ts'

/** A session on loan to one Kysely connection; `ended` refuses statements that nobody awaited before the commit, `begun` is the answer to the begin of its transaction. */
type Lease = { session: Session; role: Role; ended: boolean; broken: boolean; begun?: Promise<unknown> }

const COUNTED_COMMANDS = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])
const scripts = new WeakSet<CompiledQuery>()
const prepared = new WeakMap<CompiledQuery, string>()

/** Has a statement kept by the session that runs it: the next one of this name is not read and planned again. One text a name, for ever. */
export function prepareAs(query: CompiledQuery, name: string): void {
  prepared.set(query, name)
}

/** Runs several statements in one message through an owner handle. Kysely has no call for it; its single statements stay in the protocol that refuses a second one. */
export async function runScript(db: Kysely<unknown>, sql: string): Promise<void> {
  const script = CompiledQuery.raw(sql)
  scripts.add(script)
  await db.executeQuery(script)
}

/**
 * What a Kysely handle over `source` is made of; `new Kysely<T>(parts)` costs nothing, so every caller gets its own table types without a cast.
 * @param guard judges every statement, in tests
 */
export function kyselyParts(source: SessionSource, role: Role, flows: AsyncLocalStorage<Flow>, guard?: Guard): KyselyProps {
  const driver = createDriver(source, role, flows, guard)
  // The adapter allows several connections: with `false` Kysely queues by itself and a nested use hangs instead of failing.
  const adapter = new PostgresAdapter()
  const compiler = new PostgresQueryCompiler()
  const dialect: Dialect = {
    createDriver: () => driver,
    createAdapter: () => adapter,
    createQueryCompiler: () => compiler,
    createIntrospector: (db) => new PostgresIntrospector(db),
  }
  const executor = new DefaultQueryExecutor(compiler, adapter, new DefaultConnectionProvider(driver))
  return { config: { dialect }, driver, executor, dialect }
}

/**
 * Runs fn with a handle over the connection of a transaction whose statements do not wait for one another's answers, for an engine that takes
 * them in turn: while one part of the work computes, another's statements run.
 */
export function pipelined<T, R>(parts: KyselyProps, transaction: Kysely<T>, fn: (db: Kysely<T>) => Promise<R>): Promise<R> {
  const { dialect } = parts
  return transaction.getExecutor().provideConnection((connection) => {
    const executor = new DefaultQueryExecutor(dialect.createQueryCompiler(), dialect.createAdapter(), { provideConnection: (consume) => consume(connection) })
    return fn(new Kysely<T>({ ...parts, executor }))
  })
}

function createDriver(source: SessionSource, role: Role, flows: AsyncLocalStorage<Flow>, guard: Guard | undefined): Driver {
  const leases = new WeakMap<DatabaseConnection, Lease>()
  const leaseOf = (connection: DatabaseConnection): Lease => {
    const lease = leases.get(connection)
    if (!lease) throw new Error('this connection was not opened here')
    return lease
  }
  return {
    init: async () => {},
    destroy: async () => {},
    async acquireConnection() {
      const lease: Lease = { session: await source.acquire(role), role, ended: false, broken: false }
      const connection = connectionOf(lease, guard)
      leases.set(connection, lease)
      return connection
    },
    beginTransaction: (connection, settings) => begin(leaseOf(connection), flows.getStore(), settings),
    commitTransaction: (connection) => commit(leaseOf(connection)),
    rollbackTransaction: (connection) => rollback(leaseOf(connection)),
    async releaseConnection(connection) {
      const lease = leaseOf(connection)
      lease.ended = true
      await lease.session.release(lease.broken)
    },
  }
}

async function begin(lease: Lease, flow: Flow | undefined, settings: TransactionSettings): Promise<void> {
  if (lease.role === 'app' && flow?.begin === undefined) throw new Error('a transaction of the app role needs a school')
  const statement = lease.role === 'app' ? flow?.begin : undefined
  // The first statement goes out behind it and does not wait for its answer: one round trip less. Who asks first hears what went wrong.
  lease.begun = lease.session.exec(statement ?? plainBegin(settings))
  lease.begun.catch(() => {
    lease.broken = true
  })
}

function plainBegin({ isolationLevel, accessMode }: TransactionSettings): string {
  return ['begin', isolationLevel && `isolation level ${isolationLevel}`, accessMode].filter(Boolean).join(' ')
}

async function commit(lease: Lease): Promise<void> {
  lease.ended = lease.role === 'app'
  await lease.begun
  // After a failed statement PostgreSQL answers COMMIT with ROLLBACK: a caller that swallowed the error must not believe its rows are kept.
  if ((await lease.session.exec('commit')) === 'ROLLBACK') throw new AbortedTransactionError()
}

async function rollback(lease: Lease): Promise<void> {
  lease.ended = lease.role === 'app'
  try {
    await lease.session.exec('rollback')
  } catch {
    // The error that led here is the one to report; the session is thrown away.
    lease.broken = true
  }
}

function connectionOf(lease: Lease, guard: Guard | undefined): DatabaseConnection {
  return {
    async executeQuery(query) {
      if (lease.ended) throw new Error('the transaction has ended: a statement was not awaited inside it')
      try {
        if (scripts.has(query)) return await runOwnerScript(lease, query.sql)
        const [{ rows, command, affected }] = await Promise.all([lease.session.query(query.sql, query.parameters, prepared.get(query)), lease.begun])
        await guard?.(lease.session, lease.role, query.sql)
        return { rows, numAffectedRows: COUNTED_COMMANDS.has(command) ? BigInt(affected ?? 0) : undefined }
      } catch (error) {
        // A database error was made where the answer arrived; here the stack still knows who asked.
        if (error instanceof Error && constraintOf(error)) Error.captureStackTrace(error)
        throw error
      }
    },
    streamQuery: () => {
      throw new Error('streaming is not supported: read pages by keyset')
    },
  }
}

async function runOwnerScript(lease: Lease, sql: string): Promise<{ rows: [] }> {
  if (lease.role !== 'owner') throw new Error('only the owner role runs scripts')
  await lease.session.exec(sql)
  return { rows: [] }
}

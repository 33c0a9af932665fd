import pg from 'pg'
import { connectionError, propertyOf } from './database-error.ts'
import type { OpenOptions } from './open-options.ts'
import { listenOn } from './postgres-listen.ts'
import { SESSION_SETTINGS } from './session.ts'
import { createNames } from './statement-names.ts'
import type { Outcome, Role, Session, SessionSource } from './session.ts'
import { encodeParameters, pgTypes } from './value-codec.ts'

const OLDEST_SERVER = 150_000
const CONNECT_TIMEOUT_MS = 10_000
const STATEMENT_TIMEOUT_MS = 60_000
const IDLE_IN_TRANSACTION_MS = 60_000

/** Opens a pool of app sessions and, on first use, one of owner sessions. Throws when the server is too old or the app role could step over the fence. */
export async function openPostgres(url: string, options: OpenOptions): Promise<{ source: SessionSource; app_role: string }> {
  const report = options.on_error ?? (() => {})
  const app = createPool(url, report, {
    max: options.pool_size ?? 10,
    pipeline: true,
    statement_timeout: options.statement_timeout_ms ?? STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  })
  try {
    const app_role = await checkServer(app)
    return { app_role, source: createSource(app, { url, owner_url: options.owner_url }, report) }
  } catch (error) {
    await app.end()
    throw error
  }
}

/** Statements that are asked again and again, of all sessions. */
const nameOf = createNames()

function createSource(app: pg.Pool, { url, owner_url }: { url: string; owner_url: string | undefined }, report: (error: Error) => void): SessionSource {
  let owner: pg.Pool | undefined
  const poolOf = (role: Role): pg.Pool => {
    if (role === 'app') return app
    if (owner_url === undefined) throw new Error('no owner connection configured: DATABASE_OWNER_URL is needed for migrations and partitions')
    owner ??= createPool(owner_url, report, { max: 2 })
    return owner
  }
  return {
    acquire: (role) => acquire(poolOf(role), role),
    listen: (channel, ear) => listenOn(url, channel, ear, report),
    async close() {
      await Promise.all([app.end(), owner?.end()])
    },
  }
}

function createPool(connectionString: string, report: (error: Error) => void, config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    application_name: 'smart-campus',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    types: pgTypes,
    options: SESSION_SETTINGS.map(([name, value]) => `-c ${name}=${value}`).join(' '),
    ...config,
  })
  // Without a listener on the pool and on every client, a server that goes away ends this process.
  pool.on('error', report)
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

async function checkServer(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query(`
    select current_setting('server_version_num')::int as version, current_user as role, r.rolsuper or r.rolbypassrls as unfenced,
      exists (select from pg_class c where c.relowner = r.oid and c.relkind in ('r', 'p', 'v')) as owns_tables
    from pg_roles r where r.rolname = current_user`)
  const { version, role, unfenced, owns_tables } = rows[0]
  if (version < OLDEST_SERVER) throw new Error(`the database server is too old: PostgreSQL 15 or newer is needed, found ${version}`)
  if (unfenced) throw new Error(`role ${role} of DATABASE_URL is a superuser or bypasses row-level security: use the app role`)
  if (owns_tables) throw new Error(`role ${role} of DATABASE_URL owns tables: use the app role, and the owner role for DATABASE_OWNER_URL only`)
  return String(role)
}

async function acquire(pool: pg.Pool, role: Role): Promise<Session> {
  const client = await pool.connect().catch((error: unknown) => {
    throw withState(error, '08001')
  })
  const died: unknown[] = []
  const onError = (error: Error): void => void died.push(error)
  client.on('error', onError)
  const explain = (error: unknown): unknown => withState(error, '08006', died[0])
  return {
    query: (text, values, name) => runQuery(client, { text, values, name }).catch((error: unknown) => { throw explain(error) }),
    exec: (text) => runScript(client, text).catch((error: unknown) => { throw explain(error) }),
    async release(broken) {
      client.off('error', onError)
      // Owner sessions are not reused: what a migration set or locked must not reach the next one.
      client.release(broken || died.length > 0 || role === 'owner')
    },
  }
}

async function runQuery(client: pg.PoolClient, { text, values, name }: { text: string; values: readonly unknown[]; name: string | undefined }): Promise<Outcome> {
  // The extended protocol takes exactly one statement, also without parameters; the published types do not know queryMode.
  const query = { text, name: name ?? nameOf(text), values: encodeParameters(values), queryMode: 'extended' }
  const { rows, rowCount, command } = await client.query(query)
  return { rows, affected: rowCount, command }
}

async function runScript(client: pg.PoolClient, text: string): Promise<string> {
  // For several statements pg answers a list, which its published types do not know either.
  const results: pg.QueryResult[] = [await client.query(text)].flat()
  return results.at(-1)?.command ?? ''
}

/** pg reports a lost connection as an Error without a code: give it the state of the error that killed the session, else a connection state. */
function withState(error: unknown, code: '08001' | '08006', cause: unknown = error): unknown {
  if (!(error instanceof Error) || propertyOf(error, 'code') !== undefined) return error
  if (!/connection|timeout exceeded|not queryable/i.test(error.message)) return error
  const known = propertyOf(cause, 'code')
  const lost = connectionError(error.message, code, cause)
  return typeof known === 'string' ? Object.assign(lost, { code: known }) : lost
}

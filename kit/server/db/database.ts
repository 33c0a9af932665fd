import { Kysely, sql } from 'kysely'
import { kyselyParts, pipelined, runScript } from './kysely-driver.ts'
import { APP_ROLE } from './roles.ts'
import type { Guard } from './citus-guard/guard.ts'
import type { OpenOptions } from './open-options.ts'
import type { Ear, SessionSource } from './session.ts'
import { createFlows, inFlow, refuseNested, tenantFlow } from './tenant-flow.ts'

/** The two engines: the embedded default and a real server (PostgreSQL ≥ 15). */
export type Engine = 'pglite' | 'postgres'

/** The one handle type; inside a tenant transaction it is a Transaction<T>. */
export type Db<T = unknown> = Kysely<T>

export type Database = {
  engine: Engine
  /** Name of the role of `tenant`: owns nothing, no superuser, row-level security applies. */
  app_role: string
  /**
   * Runs fn in one transaction with SET LOCAL app.school_id (begin and set as one message). school_id 0 = platform. Throws at once when the same flow already has one open.
   * read_only uses `begin read only`; pipelined: statements of parts that run side by side do not wait for one another's answers.
   */
  tenant<T, R>(school_id: number, fn: (db: Kysely<T>) => Promise<R>, options?: { read_only?: boolean; pipelined?: boolean }): Promise<R>
  /** Owner handle for migrations, partitions and backups only: one session, no transaction of its own. Needs owner_url on PostgreSQL. */
  owner<R>(fn: (db: Kysely<unknown>) => Promise<R>): Promise<R>
  /** Raw SQL of several statements as owner; they run as one transaction unless the text says otherwise. */
  owner_exec(sql: string): Promise<void>
  /**
   * Hears what committed transactions say by `pg_notify(channel, payload)` (at most 8,000 bytes), in whichever process they ran; what is rolled
   * back is never heard. One session of its own, which is replaced when it is lost. Answers the stop.
   */
  listen(channel: string, ear: Ear): Promise<() => Promise<void>>
  /** Resolves when the app role can run a statement. */
  ping(): Promise<void>
  /** The whole embedded database as a tar file for `OpenOptions.snapshot`; throws on PostgreSQL. */
  snapshot(): Promise<Uint8Array>
  /** Waits for open transactions, then closes. */
  close(): Promise<void>
}

/**
 * Opens the database. Throws an Error of one clear line when nothing is configured, the data directory is in use, the server is older than
 * PostgreSQL 15, or the app role is a superuser, bypasses row-level security or owns tables.
 */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  // Each engine is loaded only when it is used: the embedded one costs memory, the other one a pool.
  if (options.url !== undefined) {
    const { openPostgres } = await import('./postgres-pool.ts')
    const { source, app_role } = await openPostgres(options.url, options)
    return assemble('postgres', app_role, source, await guardOf())
  }
  if (options.data_dir === undefined) throw new Error('no database configured: give a url or a data directory')
  const { openPglite } = await import('./pglite-client.ts')
  const { source } = await openPglite(options.data_dir, options)
  return assemble('pglite', APP_ROLE, source, await guardOf())
}

/** Tests judge every statement by the rules of Citus (`CAMPUS_CITUS_GUARD`: `fail`, or a file that collects what breaks them); the parser is no part of the product. */
async function guardOf(): Promise<Guard | undefined> {
  const asked = process.env.CAMPUS_CITUS_GUARD
  if (!asked) return undefined
  const { createGuard } = await import('./citus-guard/guard.ts')
  return createGuard(asked === 'fail' ? undefined : asked)
}

function assemble(engine: Engine, app_role: string, source: SessionSource, guard: Guard | undefined): Database {
  const flows = createFlows()
  const app = kyselyParts(source, 'app', flows, guard)
  const owner = new Kysely<unknown>(kyselyParts(source, 'owner', flows, guard))
  const asOwner = async <R>(fn: (db: Kysely<unknown>) => Promise<R>): Promise<R> => {
    refuseNested(flows, 'owner()')
    return inFlow(flows, { open: true, what: 'owner()' }, () => owner.connection().execute(fn))
  }
  return {
    engine,
    app_role,
    async tenant<T, R>(school_id: number, fn: (db: Kysely<T>) => Promise<R>, { read_only = false, pipelined: is_pipelined = false } = {}) {
      refuseNested(flows, 'tenant()')
      const work = is_pipelined ? (db: Kysely<T>) => pipelined(app, db, fn) : fn
      return inFlow(flows, tenantFlow(school_id, read_only), () => new Kysely<T>(app).transaction().execute(work))
    },
    owner: asOwner,
    owner_exec: (script) => asOwner((db) => runScript(db, script)),
    listen: (channel, ear) => source.listen(channel, ear),
    async ping() {
      refuseNested(flows, 'ping()')
      await sql`select 1`.execute(new Kysely<unknown>(app))
    },
    async snapshot() {
      refuseNested(flows, 'snapshot()')
      if (!source.snapshot) throw new Error('snapshots exist on the embedded engine only: use pg_dump')
      return source.snapshot()
    },
    async close() {
      refuseNested(flows, 'close()')
      await source.close()
    },
  }
}

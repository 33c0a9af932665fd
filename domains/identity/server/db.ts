import type { SchoolViews } from '@campus/school/server'
import { asTables } from '@kit/server/db'
import { implementFor } from '@kit/server/http'
import type { App, Ctx } from '@kit/server/http'
import type { Kysely, QueryExecutorProvider } from 'kysely'
import type { IdentityTables, IdentityViews } from './tables.gen.ts'

/** Tables and views the identity domain may name. */
export type IdentityDb = IdentityTables & IdentityViews & SchoolViews
export type IdentityHandle = Kysely<IdentityDb>
export type IdentityCtx = Ctx<IdentityDb>

/** One transaction on behalf of an identity: of a request, or of a job of his. */
export type IdentityStep = Pick<IdentityCtx, 'app' | 'db' | 'school_id' | 'me' | 'now'>

/** Runs one short transaction of its own in a school (0 = the installation): `pre.own` and `database.tenant` both fit. */
export type Own = <R>(school_id: number, fn: (db: IdentityHandle) => Promise<R>) => Promise<R>

/** What work outside a transaction needs. */
export type Desk = { app: App; own: Own; now: Date }

export const implement = implementFor<IdentityDb>()

/** The transaction of another domain, typed to identity's tables. */
export function asIdentity(db: QueryExecutorProvider): IdentityHandle {
  return asTables<IdentityDb>(db)
}

/** Rows in portions that fit one multi-row insert. */
export function batches<T>(rows: readonly T[], size = 500): T[][] {
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, at) => rows.slice(at * size, (at + 1) * size))
}

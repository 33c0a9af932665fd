import { implementFor } from '@kit/server/http'
import type { Ctx } from '@kit/server/http'
import type { Kysely } from 'kysely'
import type { JobsTables, JobsViews } from './tables.gen.ts'

/** Any set of tables and views a domain may name. */
export type Tables = Record<string, Record<string, unknown>>

/** What identity publishes of memberships; a job stops when its own has ended. */
type IdentityNow = { identity_now_v: { school_id: number; role_no: string } }

/** Tables and views the jobs domain may name. */
export type JobsDb = JobsTables & JobsViews & IdentityNow
export type JobsCtx = Ctx<unknown>

/**
 * Handlers get the bare handle, because one transaction serves this domain's tables and those of whichever domain filled a
 * port; `ours` names this domain's part of it.
 */
export const implement = implementFor<unknown>()

/** The handle as this domain sees it. */
export function ours(db: Kysely<unknown>): Kysely<JobsDb> {
  return db.withTables<JobsDb>()
}

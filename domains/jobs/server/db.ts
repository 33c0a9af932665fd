import { implementFor } from '@kit/server/http'
import type { Ctx } from '@kit/server/http'
import type { Kysely } from 'kysely'
import type { JobsTables, JobsViews } from './tables.gen.ts'

/** Tables and views the jobs domain may name; of identity's it reads identity_now_v, in one statement of the runner. */
export type JobsDb = JobsTables & JobsViews
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

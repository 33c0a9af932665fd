import { jobsErrors } from '@campus/jobs/contract'
import type { Boot } from '@kit/server/http'
import type { Kysely, QueryExecutorProvider } from 'kysely'
import type { JobRun, StepResult } from '../job-kind.ts'
import { thawIdentity } from './frozen-identity.ts'
import { addProgress, describeJob, lockHeld } from './job.queries.ts'
import type { Holder, openJob } from './job.queries.ts'
import { JobStop } from './job-stop.ts'

export type OpenedJob = NonNullable<Awaited<ReturnType<typeof openJob>>>

/** Signs from the runner to the run. */
export type RunSigns = { closing: boolean; lost: boolean }

/** The object a kind works with; see JobRun. */
export function makeRun(boot: Boot, row: OpenedJob, signs: RunSigns): JobRun {
  const { app, database } = boot
  const { school_id, job_no, attempts, params, created_by } = row
  const key: Holder = { school_id, job_no, attempts }
  const me = thawIdentity(row.identity)
  const held = async <DB, R>(fn: (db: Kysely<DB>) => Promise<R>): Promise<R> => {
    heed(signs)
    return database.tenant<DB, R>(school_id, async db => {
      await enter(db, key, me.is_super)
      return fn(db)
    })
  }
  const step = <DB>(fn: (db: Kysely<DB>) => Promise<StepResult>) =>
    held<DB, void>(async db => {
      const { done, failed = 0 } = await fn(db)
      await addProgress(db, key, done, failed)
    })
  const read = async <DB, R>(fn: (db: Kysely<DB>) => Promise<R>): Promise<R> => {
    heed(signs)
    return database.tenant<DB, R>(school_id, fn, { read_only: true })
  }
  return {
    school_id, job_no, params, created_by, app, me, step, read,
    committed: { done: row.done, failed: row.failed },
    cancelled: () => database.tenant<unknown, boolean>(school_id, async db => !(await lockHeld(db, key))),
    stage: (stage, total) => held(db => describeJob(db, key, total === undefined ? { stage } : { stage, total })),
    result: (result_file, result_name) => held(db => describeJob(db, key, { result_file, result_name })),
    refuse(msg) {
      throw new JobStop('refused', msg)
    },
  }
}

function heed(signs: RunSigns): void {
  if (signs.lost) throw new JobStop('lost')
  if (signs.closing) throw new JobStop('closing')
}

/** Locks the job row, so that two runs of one job can never commit side by side, and asks whether to go on. */
async function enter(db: QueryExecutorProvider, key: Holder, is_super: boolean): Promise<void> {
  const held = await lockHeld(db, key)
  if (!held) throw new JobStop('lost')
  if (!held.school_works) throw new JobStop('paused')
  if (!is_super && !held.role_lives) throw new JobStop('role_ended', jobsErrors.roleEnded.msg)
}

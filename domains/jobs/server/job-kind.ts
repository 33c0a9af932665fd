import { Port } from '@kit/server/http'
import type { App, Me } from '@kit/server/http'
import type { Kysely } from 'kysely'

/** What one step did: items that are settled with this commit. */
export type StepResult = { done: number; failed?: number }

/** The facts of a job that its kind may read. Shape of `params`: whatever enqueueJob was given, after JSON. */
export type JobFacts = { school_id: number; job_no: string; params: unknown; created_by: string }

/**
 * One running job, given to its kind. It acts as the identity that started it, with the codes and scopes of that moment (J1).
 * Every method ends the run (by throwing, nothing to catch) when the job was cancelled, its identity ended, the process stops
 * or another process has taken over.
 */
export type JobRun = JobFacts & {
  app: App
  me: Me
  /** progress that earlier attempts committed; a resumed job goes on from there */
  committed: { done: number; failed: number }
  /**
   * One transaction of the job's school that commits work and progress together: `done` counts committed items only and
   * never goes back. Nothing but SQL may be awaited inside.
   */
  step<DB>(fn: (db: Kysely<DB>) => Promise<StepResult>): Promise<void>
  /** A short read-only transaction of the job's school. */
  read<DB, R>(fn: (db: Kysely<DB>) => Promise<R>): Promise<R>
  /** True when somebody asked to cancel; for long stretches without a step, which then return. */
  cancelled(): Promise<boolean>
  /** Names the stage shown beside the progress bar; `total` is the number of items of the whole job. */
  stage(text: string, total?: number): Promise<void>
  /** Names the file that the job leaves for download (a key of app.files) and the name it is downloaded under. */
  result(file_key: string, file_name: string): Promise<void>
  /** Ends the job as failed with a sentence for the user; work of committed steps stays. `throw fail(…)` does the same. */
  refuse(msg: string): never
}

export type JobEnd = 'succeeded' | 'partly' | 'failed' | 'cancelled'

/** A kind of work that takes time. `run` may be called again after a crash and must go on from what is committed. */
export type JobKind = {
  kind: string
  /** its end is no news by itself: whoever waits for it sees it, and it leaves no line in an inbox */
  is_quiet?: true
  run(job: JobRun): Promise<void>
  /** Runs in the transaction that ends the job, whichever way; `msg` is the sentence of a failure. Cancelling a queued job comes here too. */
  ended?(db: Kysely<unknown>, job: JobFacts, end: { state: JobEnd; msg: string | null; now: Date }): Promise<void>
}

/** Filled by every domain that has jobs. */
export const jobKindPort = new Port<JobKind>('jobs.job_kind')

/** A short piece of the due list that is no job: no progress, nobody waits for it (expiry, clean-up). */
export type WorkKind = {
  kind: string
  /**
   * Runs in one transaction of the school, which takes the piece off the list too: what it writes is written once. The answer, if any, runs
   * after the commit (files); then the piece stays on the list until that is done.
   */
  run(db: Kysely<unknown>, due: Due): Promise<(() => Promise<void>) | void>
  /** Seconds before each further attempt; without it two, a minute apart. */
  waits?: readonly number[]
  /** Runs in the transaction that drops the piece after its last attempt. */
  gaveUp?(db: Kysely<unknown>, due: Due, error: unknown): Promise<void>
}

/** A piece of the due list as its kind sees it. */
export type Due = { school_id: number; ref: string; now: Date; app: App }

/** Filled by every domain that has due work. */
export const workKindPort = new Port<WorkKind>('jobs.work_kind')

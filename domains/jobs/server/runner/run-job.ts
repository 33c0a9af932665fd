import { randomUUID } from 'node:crypto'
import { jobsEvents } from '@campus/jobs/contract'
import { Refusal } from '@kit/contract'
import { isDatabaseDown } from '@kit/server/db'
import { publish } from '@kit/server/event'
import type { Boot } from '@kit/server/http'
import { jobKindPort } from '../job-kind.ts'
import type { JobEnd, JobKind } from '../job-kind.ts'
import { endJob, openJob, requeueJob } from './job.queries.ts'
import type { Ending, JobKey } from './job.queries.ts'
import { makeRun } from './job-run.ts'
import type { OpenedJob, RunSigns } from './job-run.ts'
import { JobStop } from './job-stop.ts'
import { dropWork, putBack } from './work.queries.ts'
import type { Claim } from './work.queries.ts'

/** Attempts in a row that may commit nothing. */
const max_fruitless = 3
const internal = '系统异常，请稍后重试'
const too_often = '任务多次中断，请重新提交'

/** One claimed job from opening to its end, to its next attempt, or back to the queue when the process closes. */
export async function runJob(boot: Boot, claim: Claim, signs: RunSigns): Promise<void> {
  const key = { school_id: claim.school_id, job_no: claim.ref, attempts: claim.attempts }
  if (claim.fruitless > max_fruitless) return endRun(boot, claim, ending(boot, 'failed', too_often))
  const row = await boot.database.tenant<unknown, OpenedJob | undefined>(claim.school_id, db => openJob(db, key, boot.app.clock.now()))
  if (!row) return dropWork(boot.database, claim)
  const kind = kindOf(boot, row.kind)
  if (!kind) return endRun(boot, claim, ending(boot, 'failed', internal))
  try {
    await kind.run(makeRun(boot, row, signs))
    await endRun(boot, claim, ending(boot, 'succeeded', null))
  } catch (error) {
    await afterFailure(boot, claim, error)
  }
}

/** Ends a job outside any run; see endJob. Calls the kind's `ended` and tells whoever listens, in the same transaction. */
export async function endWithKind(boot: Pick<Boot, 'app'>, db: Parameters<typeof endJob>[0], key: JobKey, end: Ending): Promise<boolean> {
  const row = await endJob(db, key, end)
  if (!row) return false
  const { school_id, job_no, title, created_by } = row
  const kind = kindOf(boot, row.kind)
  const state = row.state === 'partly' ? 'partly' : end.state
  await kind?.ended?.(db, { school_id, job_no, params: row.params, created_by }, { state, msg: end.msg, now: end.now })
  const facts = { job_no, kind: row.kind, title, state, user_id: created_by, has_result: row.result_file !== null, is_told: state !== 'cancelled' && kind?.is_quiet !== true }
  await publish({ app: boot.app, db, school_id, now: end.now }, jobsEvents.finished, facts)
  return true
}

function kindOf({ app }: Pick<Boot, 'app'>, name: string): JobKind | undefined {
  return jobKindPort.all(app).find(({ kind }) => kind === name)
}

function ending({ app }: Boot, state: JobEnd, msg: string | null, error_id: string | null = null): Ending {
  return { state, msg, error_id, now: app.clock.now() }
}

async function endRun(boot: Boot, claim: Claim, end: Ending): Promise<void> {
  const key = { school_id: claim.school_id, job_no: claim.ref }
  await boot.database.tenant<unknown, void>(claim.school_id, async db => {
    await endWithKind(boot, db, key, end)
  })
  await dropWork(boot.database, claim)
}

async function afterFailure(boot: Boot, claim: Claim, error: unknown): Promise<void> {
  // A refusal says the same however often it is asked.
  if (error instanceof Refusal) return endRun(boot, claim, ending(boot, 'failed', error.message, error.failure.id))
  if (!(error instanceof JobStop)) return tryAgain(boot, claim, error)
  switch (error.reason) {
    case 'lost':
      return
    case 'closing':
    case 'paused':
      return giveBack(boot, claim, { seconds: 0, counted: false })
    case 'role_ended':
    case 'refused':
      return endRun(boot, claim, ending(boot, 'failed', error.message))
  }
}

async function tryAgain(boot: Boot, claim: Claim, error: unknown): Promise<void> {
  const error_id = randomUUID()
  boot.app.log.error({ err: error, error_id, job_no: claim.ref, attempts: claim.attempts }, 'job failed')
  const counted = !isDatabaseDown(error)
  if (!counted || claim.fruitless < max_fruitless) return giveBack(boot, claim, { seconds: claim.fruitless, counted })
  return endRun(boot, claim, ending(boot, 'failed', internal, error_id))
}

async function giveBack(boot: Boot, claim: Claim, after: { seconds: number; counted: boolean }): Promise<void> {
  const key = { school_id: claim.school_id, job_no: claim.ref, attempts: claim.attempts }
  await boot.database.tenant<unknown, void>(claim.school_id, db => requeueJob(db, key))
  await putBack(boot.database, claim, after)
}

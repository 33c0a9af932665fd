import { AsyncLocalStorage } from 'node:async_hooks'
import type { Boot } from '@kit/server/http'
import type { Runner } from '../desk.ts'
import { job_work } from '../enqueue.ts'
import { workKindPort } from '../job-kind.ts'
import type { RunSigns } from './job-run.ts'
import { max_attempts, runJob } from './run-job.ts'
import { claimWork, dropWork, freeLeases, prolong, putBack } from './work.queries.ts'
import type { Claim } from './work.queries.ts'

const slots = 2
const poll_ms = 1000
const beat_ms = 5000
/** The caller's transaction commits after it woke us: look again while it does. */
const looks_ms = [10, 60, 250]

/** Starts this process's worker: at most two pieces of due work at once, whatever school they belong to. */
export async function startRunner(boot: Boot): Promise<Runner> {
  const kinds = [job_work, ...workKindPort.all(boot.app).map(({ kind }) => kind)]
  const running = new Set<Promise<void>>()
  const signs = new Set<RunSigns>()
  let closing = false
  let pump: Promise<void> | null = null
  let again = false

  const begin = (claim: Claim) => {
    const sign: RunSigns = { closing, lost: false }
    signs.add(sign)
    const piece = runPiece(boot, claim, sign).finally(() => {
      running.delete(piece)
      signs.delete(sign)
      look()
    })
    running.add(piece)
  }
  const fill = async () => {
    do {
      again = false
      while (!closing && running.size < slots) {
        const claim = await claimWork(boot.database, kinds, boot.app.clock.now())
        if (!claim) break
        begin(claim)
      }
    } while (again && !closing)
  }
  const look = () => {
    again = true
    if (closing || pump) return
    pump = fill()
      .catch((error: unknown) => boot.app.log.warn({ err: error }, 'due work could not be read'))
      .finally(() => (pump = null))
  }

  if (boot.database.engine === 'pglite') await freeLeases(boot.database)
  const timer = setInterval(look, poll_ms)
  // Callers wake us from inside their own transaction, whose asynchronous flow our own transactions must not inherit.
  const outside = AsyncLocalStorage.snapshot()
  look()
  return {
    wake: () => outside(() => looks_ms.forEach(ms => setTimeout(look, ms).unref())),
    async stop() {
      closing = true
      clearInterval(timer)
      for (const sign of signs) sign.closing = true
      await pump
      await Promise.all(running)
    },
  }
}

/** One claimed piece with its heartbeat; never throws. */
async function runPiece(boot: Boot, claim: Claim, sign: RunSigns): Promise<void> {
  const beat = setInterval(() => void keepLease(boot, claim, sign), beat_ms)
  try {
    if (claim.kind === job_work) await runJob(boot, claim, sign)
    else await runWork(boot, claim)
  } catch (error) {
    // The lease runs out and the piece is taken again.
    boot.app.log.error({ err: error, kind: claim.kind, ref: claim.ref }, 'due work failed')
  } finally {
    clearInterval(beat)
  }
}

async function keepLease(boot: Boot, claim: Claim, sign: RunSigns): Promise<void> {
  try {
    if (!(await prolong(boot.database, claim))) sign.lost = true
  } catch (error) {
    boot.app.log.warn({ err: error, ref: claim.ref }, 'heartbeat failed')
  }
}

async function runWork(boot: Boot, claim: Claim): Promise<void> {
  const { app, database } = boot
  const { school_id, ref } = claim
  const work = workKindPort.all(app).find(({ kind }) => kind === claim.kind)
  if (!work || claim.attempts > max_attempts) return dropWork(database, claim)
  try {
    const after = await database.tenant<unknown, void | (() => Promise<void>)>(school_id, db => work.run(db, { school_id, ref, now: app.clock.now(), app }))
    await after?.()
    await dropWork(database, claim)
  } catch (error) {
    app.log.error({ err: error, kind: claim.kind, ref }, 'due work failed')
    await putBack(database, claim, { seconds: 60, counted: true })
  }
}

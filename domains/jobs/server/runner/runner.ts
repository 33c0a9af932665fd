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

/** The worker's own state. */
type Bench = {
  boot: Boot
  kinds: readonly string[]
  running: Map<Promise<void>, RunSigns>
  closing: boolean
  /** somebody asked to look while we were looking */
  again: boolean
  looking: Promise<void> | null
}

/** Starts this process's worker: at most two pieces of due work at once, whatever school they belong to. */
export async function startRunner(boot: Boot): Promise<Runner> {
  const kinds = [job_work, ...workKindPort.all(boot.app).map(({ kind }) => kind)]
  const bench: Bench = { boot, kinds, running: new Map(), closing: false, again: false, looking: null }
  if (boot.database.engine === 'pglite') await freeLeases(boot.database)
  const timer = setInterval(() => look(bench), poll_ms)
  // Callers wake us from inside their own transaction, whose asynchronous flow our own transactions must not inherit.
  const outside = AsyncLocalStorage.snapshot()
  look(bench)
  return {
    wake: () => outside(() => looks_ms.forEach(ms => setTimeout(() => look(bench), ms).unref())),
    async stop() {
      bench.closing = true
      clearInterval(timer)
      await bench.looking
      for (const signs of bench.running.values()) signs.closing = true
      await Promise.all(bench.running.keys())
    },
  }
}

function look(bench: Bench): void {
  bench.again = true
  if (bench.closing || bench.looking) return
  bench.looking = fill(bench)
    .catch((error: unknown) => bench.boot.app.log.warn({ err: error }, 'due work could not be read'))
    .finally(() => {
      bench.looking = null
      if (bench.again && bench.running.size < slots) look(bench)
    })
}

/** Takes due work until every slot is full or nothing is due. */
async function fill(bench: Bench): Promise<void> {
  const { boot, kinds, running } = bench
  while (bench.again && !bench.closing && running.size < slots) {
    bench.again = false
    const claim = await claimWork(boot.database, kinds, boot.app.clock.now())
    if (!claim) continue
    bench.again = true
    begin(bench, claim)
  }
}

function begin(bench: Bench, claim: Claim): void {
  const signs: RunSigns = { closing: false, lost: false }
  const piece = runPiece(bench.boot, claim, signs).finally(() => {
    bench.running.delete(piece)
    look(bench)
  })
  bench.running.set(piece, signs)
}

/** One claimed piece with its heartbeat; never throws. */
async function runPiece(boot: Boot, claim: Claim, signs: RunSigns): Promise<void> {
  const beat = setInterval(() => void keepLease(boot, claim, signs), beat_ms)
  try {
    if (claim.kind === job_work) await runJob(boot, claim, signs)
    else await runWork(boot, claim)
  } catch (error) {
    // The lease runs out and the piece is taken again.
    boot.app.log.error({ err: error, kind: claim.kind, ref: claim.ref }, 'due work failed')
  } finally {
    clearInterval(beat)
  }
}

async function keepLease(boot: Boot, claim: Claim, signs: RunSigns): Promise<void> {
  try {
    if (!(await prolong(boot.database, claim))) signs.lost = true
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

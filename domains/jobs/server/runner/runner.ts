import { AsyncLocalStorage } from 'node:async_hooks'
import type { Boot } from '@kit/server/http'
import type { Runner } from '../desk.ts'
import { job_work } from '../enqueue.ts'
import { workKindPort } from '../job-kind.ts'
import type { RunSigns } from './job-run.ts'
import { runJob } from './run-job.ts'
import { runWork } from './run-work.ts'
import { claimWork, freeLeases, prolong } from './work.queries.ts'
import type { Claim } from './work.queries.ts'

const slots = 2
const poll_ms = 1000
const beat_ms = 5000
/** Longer than a transaction may hold the embedded engine's one session. */
const silent_ms = 20_000
/** The caller's transaction commits after it woke us: look again while it does. */
const looks_ms = [10, 60, 250]

/** The state of one worker; jobs and short work have one each, so that a message never waits for two long imports. */
type Bench = {
  boot: Boot
  kinds: readonly string[]
  run: (boot: Boot, claim: Claim, signs: RunSigns) => Promise<void>
  running: Map<Promise<void>, RunSigns>
  closing: boolean
  /** somebody asked to look while we were looking */
  again: boolean
  looking: Promise<void> | null
  /** when the due list was read last, on the clock of the process */
  read_at: number
}

/** Starts this process's workers: at most two jobs and two short pieces at once, whatever school they belong to. */
export async function startRunner(boot: Boot): Promise<Runner> {
  if (boot.database.engine === 'pglite') await freeLeases(boot.database)
  const short = workKindPort.all(boot.app).map(({ kind }) => kind)
  const benches = [openBench(boot, [job_work], runJob), openBench(boot, short, runWork)]
  const lookAll = () => benches.forEach(look)
  const timer = setInterval(lookAll, poll_ms)
  // Callers wake us from inside their own transaction, whose asynchronous flow our own transactions must not inherit.
  const outside = AsyncLocalStorage.snapshot()
  lookAll()
  return {
    wake: () => outside(() => looks_ms.forEach(ms => setTimeout(lookAll, ms).unref())),
    async stop() {
      clearInterval(timer)
      await Promise.all(benches.map(closeBench))
    },
    isAlive: () => benches.every(bench => !bench.closing && performance.now() - bench.read_at < silent_ms),
  }
}

function openBench(boot: Boot, kinds: Bench['kinds'], run: Bench['run']): Bench {
  return { boot, kinds, run, running: new Map(), closing: false, again: false, looking: null, read_at: performance.now() }
}

async function closeBench(bench: Bench): Promise<void> {
  bench.closing = true
  endRunning(bench)
  await bench.looking
  // The look may have begun another piece.
  endRunning(bench)
  await Promise.all(bench.running.keys())
}

/** Tells every running piece to stop after its step. */
function endRunning({ running }: Bench): void {
  for (const signs of running.values()) signs.closing = true
}

function look(bench: Bench): void {
  bench.again = true
  if (bench.closing || bench.looking) return
  bench.looking = fill(bench)
    .then(() => {
      bench.read_at = performance.now()
    })
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
    // A long backlog is read piece by piece: a worker that goes through one is at work.
    bench.read_at = performance.now()
    if (!claim) continue
    bench.again = true
    begin(bench, claim)
  }
}

function begin(bench: Bench, claim: Claim): void {
  const signs: RunSigns = { closing: false, lost: false }
  const piece = runPiece(bench, claim, signs).finally(() => {
    bench.running.delete(piece)
    look(bench)
  })
  bench.running.set(piece, signs)
}

/** One claimed piece with its heartbeat; never throws. */
async function runPiece({ boot, run }: Bench, claim: Claim, signs: RunSigns): Promise<void> {
  const beat = setInterval(() => void keepLease(boot, claim, signs), beat_ms)
  try {
    await run(boot, claim, signs)
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

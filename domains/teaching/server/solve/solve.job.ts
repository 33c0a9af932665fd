import { Worker } from 'node:worker_threads'
import { asTables } from '@kit/server/db'
import type { JobKind, JobRun } from '@campus/jobs/server'
import { z } from 'zod'
import type { TeachingDb } from '../db.ts'
import { requireVersion } from '../timetable/version.queries.ts'
import { SolveChanges } from '@campus/teaching/contract'
import { loadProblem } from './load.ts'
import type { Problem } from './load.ts'
import type { SolveTask } from './solve-worker.ts'

export const solve_job = 'teaching_solve'
const Params = z.object({
  run_id: z.string(), version_id: z.string(), seconds: z.number(), seed: z.number(), keep: z.enum(['locked', 'placed', 'changes']),
    changes: SolveChanges.default({ away: [], rooms: [] }),
})
/** The best timetable of a run: slot by lesson (`place_id` only where the run changes the room), and why others are missing. */
export const Best = z.object({
  cells: z.array(z.object({ lesson_id: z.string(), weekday: z.number().nullable(), section: z.number().nullable(),
    place_id: z.string().nullable().optional() })), reasons: z.array(z.string()),
})
export type Best = z.output<typeof Best>
const Progress = z.object({ kind: z.enum(['progress', 'done']), seconds: z.number(), hard: z.number(), soft: z.number(), moves: z.number(), at: z.array(z.number()).optional(), unplaced: z.number().optional(), reasons: z.array(z.string()).optional() })
type Progress = z.output<typeof Progress>

const [running, finished, failed] = [0, 1, 2] as const
const memory_mb = 1024
const poll_ms = 700
const most_points = 600

/** Searches a timetable in a thread of its own; the draft is not touched until somebody takes the result (chapter 50 §3.8). */
export const solveJob: JobKind = {
  kind: solve_job,
  async run(job) {
    const { run_id, version_id, seconds, seed, keep, changes } = Params.parse(job.params)
    const problem = await job.read<TeachingDb, Problem>(async db =>
      loadProblem(db, job.school_id, await requireVersion(db, job.school_id, version_id), { keep, changes }))
    await job.stage('正在排课', seconds)
    const flag = new SharedArrayBuffer(4)
    const worker = new Worker(new URL('./solve-worker.ts', import.meta.url), {
      workerData: { model: problem.model, seed, seconds, stop: flag } satisfies SolveTask, execArgv: [],
        resourceLimits: { maxOldGenerationSizeMb: memory_mb },
    })
    try {
      await follow(job, { run_id, worker, flag, problem, committed: job.committed.done })
    } finally {
      await worker.terminate()
    }
  },
  async ended(db, job, { state }) {
    if (state === 'succeeded' || state === 'partly') return
    const { run_id } = Params.parse(job.params)
    await asTables<TeachingDb>(db).updateTable('solve_run').set({ state: failed }).where('school_id', '=', job.school_id).where('id', '=', run_id).where('state', '=', running).execute()
  },
}

type Following = { run_id: string; worker: Worker; flag: SharedArrayBuffer; problem: Problem; committed: number }

/** Writes how the search gets on about once a second, passes a stop on, and leaves the best at the end. */
async function follow(job: JobRun, { run_id, worker, flag, problem, committed }: Following): Promise<void> {
  const seen: { latest: Progress | null; error: Error | null } = { latest: null, error: null }
  worker.on('message', message => { seen.latest = Progress.parse(message) })
  worker.on('error', error => { seen.error = error })
  const curve: [number, number, number][] = []
  let counted = committed
  for (;;) {
    await new Promise(resolve => setTimeout(resolve, poll_ms))
    if (seen.error) throw seen.error
    const { latest } = seen
    if (await job.cancelled()) Atomics.store(new Int32Array(flag), 0, 1)
    if (!latest) continue
    curve.push([Math.round(latest.seconds * 10) / 10, latest.hard, latest.soft])
    const done = Math.max(0, Math.floor(latest.seconds) - counted)
    counted += done
    await job.step<TeachingDb>(async db => {
      const is_done = latest.kind === 'done'
      const best = is_done ? { best: JSON.stringify(bestOf(problem, latest)), placed: problem.model.own - (latest.unplaced ?? 0),
        unplaced: latest.unplaced ?? 0, state: finished } : {}
      const { stop_asked } = await db.updateTable('solve_run').set({ hard: latest.hard, soft: latest.soft, moves: String(latest.moves), curve: JSON.stringify(curve.slice(-most_points)), ...best })
        .where('school_id', '=', job.school_id).where('id', '=', run_id).returning('stop_asked').executeTakeFirstOrThrow()
      if (stop_asked) Atomics.store(new Int32Array(flag), 0, 1)
      return { done }
    })
    if (latest.kind === 'done') return
  }
}

function bestOf({ model, rooms }: Problem, { at = [], reasons = [] }: Progress): Best {
  const cells = model.meets.slice(0, model.own).map(({ id }, n) => {
    const slot = model.slots[at[n] ?? -1]
    const room = rooms.get(id)
    return { lesson_id: id, weekday: slot?.weekday ?? null, section: slot?.section ?? null, ...(room === undefined ? {}
      : { place_id: room }) }
  })
  return { cells, reasons }
}

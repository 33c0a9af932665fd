import { ruleErrors, Run } from '@campus/attendance/contract'
import type { recomputeApi } from '@campus/attendance/contract'
import { countDays } from '@campus/calendar/contract'
import { enqueueJob } from '@campus/jobs/server'
import type { JobKind, JobRun } from '@campus/jobs/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { asTables } from '@kit/server/db'
import { sql } from 'kysely'
import { z } from 'zod'
import type { AttendanceCtx, AttendanceDb, Db } from '../db.ts'
import { engine_version } from './digest.ts'
import type { Marked } from './dirty.ts'
import { dayAfter } from './group.ts'
import { allShards } from './people.ts'
import { recomputeUnit } from './unit.ts'
import type { Difference, Mode } from './unit.ts'

const recompute_job = 'attend_recompute'
const [most_days, most_kept] = [400, 500] as const
const Params = z.object({ run_id: z.string(), date_from: z.string(), date_to: z.string(), mode: z.enum(['normal', 'force', 'verify']) })
const Diff = z.array(z.object({
  lesson_date: z.string(), user_id: z.string(), expect_kind: z.number(), occurrence_id: z.string(), from_state: z.number().nullable(),
  to_state: z.number().nullable(),
}))
const Shown = Run.extend({ created_at: z.date().transform(at => at.toISOString()) })

/** Judges days again as a job; one run of a school at a time. @throws Refusal 409 running, 422 dryRunRange */
export async function startRun(
  ctx: AttendanceCtx, { date_from, date_to, mode }: Input<typeof recomputeApi.start>,
): Promise<Reply<typeof recomputeApi.start>> {
  const { db, school_id, now, me } = ctx
  const days = countDays(date_from, date_to)
  if (days < 1 || days > most_days) throw fail(ruleErrors.dryRunRange, { params: { n: most_days } })
  const row = { school_id, date_from, date_to, mode, state: 'queued', created_at: now, created_by: me.user_id }
  const made = await db.insertInto('attend_run').values(row)
    .onConflict(on => on.column('school_id').where('state', 'in', ['queued', 'running']).doNothing()).returning('run_id').executeTakeFirst()
  if (!made) throw fail(ruleErrors.running)
  const title = `考勤重算 ${date_from}至${date_to}`
  const job_no = await enqueueJob(
    ctx, { kind: recompute_job, title, params: { run_id: made.run_id, date_from, date_to, mode }, lane: recompute_job }
  )
  await db.updateTable('attend_run').set({ job_no }).where('school_id', '=', school_id).where('run_id', '=', made.run_id).execute()
  ctx.note({ target_kind: 'attendance.recompute', target_id: made.run_id, target_name: title, job_no, after: { mode } })
  return { run: (await requireRun(db, school_id, made.run_id)).run }
}

/** How far a run is, and the first differences of a verification. @throws Refusal 404 */
export async function readRun({ db, school_id }: AttendanceCtx, run_id: string): Promise<Reply<typeof recomputeApi.read>> {
  return requireRun(db, school_id, run_id)
}

async function requireRun(db: Db, school_id: number, run_id: string): Promise<Reply<typeof recomputeApi.read>> {
  const row = await db.selectFrom('attend_run').selectAll().where('school_id', '=', school_id).where('run_id', '=', run_id)
    .executeTakeFirst()
  if (!row) throw fail(commonErrors.notFound)
  return { run: Shown.parse(row), diff: Diff.parse(row.diff) }
}

/** Unit by unit, each in one transaction: a crash goes on behind the last one, a cancel ends between two (chapter 55 §3.14). */
export const recomputeJob: JobKind = {
  kind: recompute_job,
  async run(job) {
    const asked = Params.parse(job.params)
    const units = await job.read<AttendanceDb, { date: string; shard: string }[]>(db => unitsOf(db, job.school_id, asked))
    await job.stage('正在重算考勤', units.length)
    await setRun(job, asked.run_id, { state: 'running', units_total: units.length })
    const clean = asked.mode === 'normal' ? await job.read<AttendanceDb, Set<string>>(db => cleanUnits(db, job.school_id, asked)) : new Set()
    const isClean = (unit: Marked) => clean.has(`${unit.date}/${unit.shard}`)
    for (let at = job.committed.done; at < units.length;) {
      if (await job.cancelled()) return
      const next = units.findIndex((unit, place) => place >= at && !isClean(unit))
      const skipped = (next < 0 ? units.length : next) - at
      const unit = units[at]
      if (!unit) return
      at += Math.max(1, skipped)
      await job.step<AttendanceDb>(async db => {
        if (skipped > 0) return passOver(db, job.school_id, asked.run_id, skipped)
        const { differences } = await recomputeUnit(
          { app: job.app, db, school_id: job.school_id, now: job.app.clock.now() }, unit, asked.mode, asked.run_id
        )
        await noteUnit(db, job.school_id, asked, unit.date, differences)
        return { done: 1 }
      })
    }
  },
  async ended(handle, job, { state }) {
    const { run_id } = Params.parse(job.params)
    const ends: Readonly<Record<string, string>> = { succeeded: 'done', partly: 'done', cancelled: 'cancelled' }
    await asTables<AttendanceDb>(handle).updateTable('attend_run').set({ state: ends[state] ?? 'failed' })
      .where('school_id', '=', job.school_id).where('run_id', '=', run_id).execute()
  },
}

async function unitsOf(
  db: Db, school_id: number, { date_from, date_to }: { date_from: string; date_to: string }
): Promise<{ date: string; shard: string }[]> {
  const units: { date: string; shard: string }[] = []
  for (let date = date_from; date <= date_to; date = dayAfter(date)) for (const shard of await allShards(db, school_id, date)) units.push({ date, shard })
  return units
}

/** Settled units that nothing has touched since they were judged: whatever changes an input marks its unit (chapter 55 §3.16). */
async function cleanUnits(db: Db, school_id: number, { date_from, date_to }: { date_from: string; date_to: string }): Promise<Set<string>> {
  const rows = await db.selectFrom('attend_unit').select(['lesson_date', 'shard']).where('school_id', '=', school_id)
    .where('lesson_date', '>=', date_from).where('lesson_date', '<=', date_to).where('dirty', '=', false)
    .where('state', 'in', ['settled', 'sealed']).where('input_hash', 'is not', null).where('engine_version', '=', engine_version).execute()
  return new Set(rows.map(row => `${row.lesson_date}/${row.shard}`))
}

async function passOver(db: Db, school_id: number, run_id: string, count: number): Promise<{ done: number }> {
  await db.updateTable('attend_run').set({ units_done: sql<number>`units_done + ${count}::int` }).where('school_id', '=', school_id)
    .where('run_id', '=', run_id).execute()
  return { done: count }
}

async function setRun(job: JobRun, run_id: string, facts: { state: string; units_total: number }): Promise<void> {
  await job.step<AttendanceDb>(async db => {
    await db.updateTable('attend_run').set(facts).where('school_id', '=', job.school_id).where('run_id', '=', run_id).execute()
    return { done: 0 }
  })
}

async function noteUnit(
  db: Db, school_id: number, { run_id, mode }: { run_id: string; mode: Mode }, lesson_date: string, differences: readonly Difference[]
): Promise<void> {
  const told = mode !== 'verify' ? [] : differences.slice(0, most_kept).map(({ user_id, expect_kind, occurrence_id, before, after }) => ({
    lesson_date, user_id, expect_kind, occurrence_id, from_state: before?.state ?? null, to_state: after?.state ?? null,
  }))
  const diff = told.length === 0
    ? {}
    : { diff: sql<string>`case when jsonb_array_length(diff) < ${most_kept} then diff || ${JSON.stringify(told)}::jsonb else diff end` }
  await db.updateTable('attend_run')
    .set({ ...diff, units_done: sql<number>`units_done + 1`, changed: sql<number>`changed + ${differences.length}` })
    .where('school_id', '=', school_id).where('run_id', '=', run_id).execute()
}

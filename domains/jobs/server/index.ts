import { join } from 'node:path'
import { batch_view_all } from '@campus/jobs/contract'
import type { Boot, DomainServer } from '@kit/server/http'
import { deskPort } from './desk.ts'
import { applyJob } from './import/apply.job.ts'
import { importCleanUp } from './import/clean-up.ts'
import { importRoutes } from './import/import.routes.ts'
import { parseJob } from './import/parse.job.ts'
import { undoJob } from './import/undo.job.ts'
import { createSheetCache } from './import/sheet-cache.ts'
import { jobKindPort, workKindPort } from './job-kind.ts'
import { jobRoutes } from './job.routes.ts'
import { jobExpiry } from './job.service.ts'
import { daily, planDaily } from './runner/daily.ts'
import { startRunner } from './runner/runner.ts'

export { addWork } from './due-work.ts'
export type { DueWork } from './due-work.ts'
export { enqueueJob } from './enqueue.ts'
export type { JobStarter, NewJob } from './enqueue.ts'
export { importTemplate, importTemplatePort, missingCells } from './import-template.ts'
export type {
  AnyTemplate, AppliedRow, ApplyRow, ApplyStep, Cells, Checked, ImportTemplate, ImportUndo, Issue, Judgement, ParsedRow, ReadStep, SingleKey, TemplateColumn, Touch, UndoRow,
} from './import-template.ts'
export { jobKindPort, workKindPort } from './job-kind.ts'
export type { JobEnd, JobFacts, JobKind, JobRun, StepResult, WorkKind } from './job-kind.ts'
export type { JobsTables, JobsViews } from './tables.gen.ts'

/** Jobs, the due list and Excel imports of every domain. */
export const jobsServer: DomainServer = {
  name: 'jobs',
  migrations: join(import.meta.dirname, 'migrations'),
  routes: [...jobRoutes, ...importRoutes],
  codes: [batch_view_all],
  seed: (db, { school_id }, app) => planDaily(db, school_id, app.clock.now()),
  compose({ app, database }: Boot) {
    deskPort.fill(app, { database, sheets: createSheetCache(), runner: null })
    for (const kind of [parseJob, applyJob, undoJob]) jobKindPort.fill(app, kind)
    for (const kind of [...importCleanUp, jobExpiry, daily]) workKindPort.fill(app, kind)
  },
  async start(boot) {
    const runner = await startRunner(boot)
    deskPort.one(boot.app).runner = runner
    return () => runner.stop()
  },
}

import { join } from 'node:path'
import { batch_view_all, job_view_all, jobsEvents } from '@campus/jobs/contract'
import { schoolStopPort } from '@campus/school/server'
import { exportJobPort } from '@kit/server/excel'
import { dueEventPort, timerKindPort, timerPort } from '@kit/server/event'
import { badgePort } from '@kit/server/http'
import type { App, Boot, DomainServer } from '@kit/server/http'
import { sealedPort } from '@kit/server/secrets'
import { deskPort } from './desk.ts'
import { addEachWork, addWork } from './due-work.ts'
import { sweepExports } from './export/export.files.ts'
import { exportJob, startExport } from './export/export.job.ts'
import { sealedQuery } from './export/export.query.ts'
import { applyJob } from './import/apply.job.ts'
import { importCleanUp } from './import/clean-up.ts'
import { importRoutes } from './import/import.routes.ts'
import { waitingBatches } from './import/batch.badges.ts'
import { parseJob } from './import/parse.job.ts'
import { undoJob } from './import/undo.job.ts'
import { createSheetCache } from './import/sheet-cache.ts'
import { jobKindPort, workKindPort } from './job-kind.ts'
import { servedJobChannel } from './job.channel.ts'
import { jobRoutes } from './job.routes.ts'
import { jobExpiry, tellPaused } from './job.service.ts'
import { daily, planDaily } from './runner/daily.ts'
import { event_work, eventWork } from './runner/event-work.ts'
import { startRunner } from './runner/runner.ts'

export { addWork } from './due-work.ts'
export type { DueWork } from './due-work.ts'
export { enqueueJob } from './enqueue.ts'
export type { JobStarter, NewJob } from './enqueue.ts'
export { exportFile } from './export/export.files.ts'
export { holdImports } from './import/hold.ts'
export { importTemplate, importTemplatePort, missingCells } from '@kit/server/excel'
export type {
  AnyTemplate, AppliedRow, ApplyRow, ApplyStep, Cells, Checked, ImportTemplate, ImportUndo, Issue, Judgement, ParsedRow, ReadStep, SingleKey, ImportColumn as TemplateColumn, Touch, UndoRow,
} from '@kit/server/excel'
export { startSheet } from './import/upload.service.ts'
export { eraseLines } from './import/erase-lines.ts'
export { templateFile } from './import/import.service.ts'
export { checkLine, importLines, judgeLines, linesColumns } from './import/direct.ts'
export type { DirectBatch, DirectVerdict } from './import/direct.ts'
export { jobKindPort, workKindPort } from './job-kind.ts'
export type { JobEnd, JobFacts, JobKind, JobRun, StepResult, WorkKind } from './job-kind.ts'
export type { JobsTables, JobsViews } from './tables.gen.ts'

/** Whether this process still does due work; a part of its readiness. */
export function isWorking(app: App): boolean {
  return deskPort.one(app).runner?.isAlive() ?? false
}

/** Jobs, the due list and Excel imports of every domain. */
export const jobsServer: DomainServer = {
  name: 'jobs',
  migrations: join(import.meta.dirname, 'migrations'),
  routes: [...jobRoutes, ...importRoutes],
  codes: [batch_view_all, job_view_all],
  events: Object.values(jobsEvents),
  channels: [servedJobChannel],
  seed: (db, { school_id }, app) => planDaily(db, school_id, app.clock.now()),
  compose({ app, database }: Boot) {
    deskPort.fill(app, { database, sheets: createSheetCache(), runner: null })
    for (const kind of [parseJob, applyJob, undoJob, exportJob]) jobKindPort.fill(app, kind)
    for (const kind of [...importCleanUp, jobExpiry, daily, eventWork]) workKindPort.fill(app, kind)
    exportJobPort.fill(app, startExport)
    schoolStopPort.fill(app, tellPaused)
    sealedPort.fill(app, sealedQuery)
    badgePort.fill(app, waitingBatches)
    dueEventPort.fill(app, async (db, due) => {
      await addEachWork(db, due.map(line => ({ ...line, kind: event_work })))
      deskPort.one(app).runner?.wake()
    })
    timerPort.fill(app, async (db, due) => {
      await addWork(db, due)
      deskPort.one(app).runner?.wake()
    })
  },
  async start(boot) {
    await sweepExports(boot.app, boot.database.engine === 'pglite')
    for (const kind of timerKindPort.all(boot.app)) workKindPort.fill(boot.app, kind)
    const runner = await startRunner(boot)
    deskPort.one(boot.app).runner = runner
    return () => runner.stop()
  },
}

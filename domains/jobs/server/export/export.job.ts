import { rm } from 'node:fs/promises'
import { listExportPort, sheetName, sheetOf, writeRowsFile } from '@kit/server/excel'
import type { ExportWish, ListDesk, OpenedList } from '@kit/server/excel'
import { z } from 'zod'
import { enqueueJob } from '../enqueue.ts'
import type { JobStarter } from '../enqueue.ts'
import type { JobKind, JobRun } from '../job-kind.ts'
import { exportFile } from './export.files.ts'
import { openQuery, sealQuery } from './export.query.ts'

const export_kind = 'list_export'
/** Result files of people live a day (decision 26). */
const people_hours = 24

const Wanted = z.object({ list: z.string(), query_enc: z.string(), reason: z.string() })

/** Starts the export of a list that is too long to be answered at once; what was searched for is sealed, since it may be a name or a number. */
export function startExport(ctx: JobStarter, { name, title, query, reason, total, is_about_people }: ExportWish): Promise<string> {
  const params = { list: name, query_enc: sealQuery(ctx, query), reason } satisfies z.input<typeof Wanted>
  return enqueueJob(ctx, { kind: export_kind, title: `导出${title}`, params, total, ...(is_about_people ? { keep_hours: people_hours } : {}) })
}

/** Writes the list as the acting identity sees it, page by page. An attempt after a crash writes the sheet anew. */
export const exportJob: JobKind = {
  kind: export_kind,
  async run(job) {
    const { list: name, query_enc, reason } = Wanted.parse(job.params)
    const list = listExportPort.all(job.app).find(one => one.name === name)
    if (!list) throw new Error(`no list is called ${name}`)
    const now = job.app.clock.now()
    const desk: ListDesk = { app: job.app, me: job.me, school_id: job.school_id, now, read: fn => job.read(fn) }
    const opened = await list.open(desk, openQuery(job, query_enc))
    await job.stage('写入表格', opened.total)
    const { file_key, path } = await exportFile(job)
    await writeRowsFile(path, { ...sheetOf(opened, { me: job.me, now, reason }), rows: countedRows(job, opened) })
    await job.result(file_key, sheetName(opened.title, now)).catch(async (error: unknown) => {
      await rm(path, { force: true })
      throw error
    })
  },
}

/** The rows, with the progress of each page; what an earlier attempt has counted is not counted again. */
async function* countedRows(job: JobRun, opened: OpenedList): AsyncGenerator<string[]> {
  let written = 0
  for await (const page of opened.pages()) {
    yield* page
    const counted = Math.max(written, job.committed.done)
    written += page.length
    await job.step<unknown>(async () => ({ done: Math.max(0, written - counted) }))
  }
}

import type { JobKind } from '@campus/jobs/server'
import type { ReadSheet } from '@kit/server/excel'
import { asTables } from '@kit/server/db'
import { z } from 'zod'
import type { TeachingDb } from '../db.ts'
import { Asked, import_job, importSheets } from './table-import.service.ts'

const Params = z.object({ import_id: z.string() })
const Sheets = z.array(z.custom<ReadSheet>())
const [done, failed] = [1, 2] as const
const most_words = 200

/** Checks the sheets of an import against its draft, and writes them when that was asked for; step and progress are committed together. */
export const tableImportJob: JobKind = {
  kind: import_job,
  async run(job) {
    const { import_id } = Params.parse(job.params)
    if (job.committed.done > 0) return
    await job.stage('核对课表')
    await job.step<TeachingDb>(async db => {
      const { school_id, me } = job
      const row = await db.selectFrom('table_import').select(['version_id', 'params', 'sheets']).where('school_id', '=', school_id)
        .where('id', '=', import_id).executeTakeFirstOrThrow()
      const result = await importSheets({ db, school_id, me, now: job.app.clock.now() }, row.version_id, Asked.parse(row.params),
        Sheets.parse(row.sheets))
      await db.updateTable('table_import').set({ state: done, result: JSON.stringify(result), step_seq: result.imported
        ? result.rev : null, sheets: '[]' })
        .where('school_id', '=', school_id).where('id', '=', import_id).execute()
      return { done: 2 }
    })
  },
  async ended(db, job, { state, msg }) {
    if (state === 'succeeded' || state === 'partly') return
    await asTables<TeachingDb>(db).updateTable('table_import').set({ state: failed, error: (msg ?? '').slice(0, most_words), sheets: '[]' })
      .where('school_id', '=', job.school_id).where('id', '=', Params.parse(job.params).import_id).where('state', '=', 0).execute()
  },
}

import { ours } from '../db.ts'
import type { WorkKind } from '../job-kind.ts'
import { changeBatch, findBatch } from './batch.queries.ts'

/** A dry run nobody applied for seven days is past: what it said no longer means anything. */
const expire: WorkKind = {
  kind: 'import_expire',
  async run(db, { school_id, ref }) {
    await changeBatch(db, { school_id, batch_no: ref }, ['parsed'], { state: 'expired' })
  },
}

/** After 180 days the rows and the file of a batch go; its figures stay. */
const drop: WorkKind = {
  kind: 'import_drop',
  async run(db, { school_id, ref, app }) {
    const batch = await findBatch(db, { school_id, batch_no: ref }, null)
    if (!batch) return
    await ours(db).deleteFrom('import_row').where('school_id', '=', school_id).where('batch_no', '=', ref).execute()
    return () => app.files.discard(app.files.pathOf(batch.file_key))
  },
}

/** A file that was kept for a request which then made no batch. */
const orphan: WorkKind = {
  kind: 'import_orphan',
  async run(db, { school_id, ref, app }) {
    const used = await ours(db).selectFrom('import_batch').select('batch_no').where('school_id', '=', school_id).where('file_key', '=', ref).executeTakeFirst()
    if (used) return
    return () => app.files.discard(app.files.pathOf(ref))
  },
}

/** Due work that keeps imports from piling up. */
export const importCleanUp: readonly WorkKind[] = [expire, drop, orphan]

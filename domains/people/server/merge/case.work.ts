import { addWork } from '@campus/jobs/server'
import type { WorkKind } from '@campus/jobs/server'
import { asTables } from '@kit/server/db'
import { consume } from '@kit/server/event'
import type { QueryExecutorProvider } from 'kysely'
import { z } from 'zod'
import { addDays, schoolDay, schoolTime } from '../day.ts'
import type { PeopleDb } from '../db.ts'
import { scanDuplicates } from './case.scan.ts'

const scan_at = '02:30'
const work_kind = 'people_duplicates'
const apply_job = 'import_apply'

/** Puts the next nightly look for duplicates of a school on the due list: at 02:30 in Asia/Shanghai. */
export async function planScan(db: QueryExecutorProvider, school_id: number, now: Date): Promise<void> {
  const today = schoolDay(now)
  const ref = now < schoolTime(today, scan_at) ? today : addDays(today, 1)
  await addWork(db, { school_id, kind: work_kind, ref, due_at: schoolTime(ref, scan_at) })
}

/** Looks for duplicates every night and after each import (chapter 20 rule 20). */
export const duplicateScan: WorkKind = {
  kind: work_kind,
  async run(db, { school_id, now }) {
    await planScan(db, school_id, now)
    await scanDuplicates(asTables<PeopleDb>(db), school_id, schoolDay(now), now)
  },
}

/** After an import has written people, duplicates are looked for at once. */
export const scanAfterImport = consume('people.look_for_duplicates', 'job.job.finished', z.object({ job_no: z.string(), kind: z.string() }), async ({ db, school_id, now }, { job_no, kind }) => {
  if (kind === apply_job) await addWork(db, { school_id, kind: work_kind, ref: `after ${job_no}`, due_at: now })
})

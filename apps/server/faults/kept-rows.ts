import { loadConfig } from '@kit/server/config'
import type { Database } from '@kit/server/db'
import { sql } from 'kysely'
import { openConfigured } from '../boot.ts'
import { test_settings } from '../testing/database.ts'

export type KeptPupils = { pupils: number; numbers: number; applied: number; targets: number; archived: number; archived_once: number }

/** Opens the database of stopped servers for one look. */
export async function look<R>(settings: Record<string, string>, fn: (database: Database) => Promise<R>): Promise<R> {
  const database = await openConfigured(loadConfig({ ...test_settings, ...settings }))
  try {
    return await fn(database)
  } finally {
    await database.close()
  }
}

/** What an import left: pupils, their numbers, rows settled, the persons these name, and the archive's lines about them. */
export async function countPupils(database: Database, school_id: number, batch_no: string): Promise<KeptPupils> {
  const { rows } = await database.tenant<unknown, { rows: KeptPupils[] }>(school_id, db =>
    sql<KeptPupils>`
      select s.pupils, s.numbers, r.applied, r.targets, a.archived, a.archived_once
      from (select count(*)::int as pupils, count(distinct student_no)::int as numbers from student where school_id = ${school_id}) s,
        (select count(*)::int as applied, count(distinct target_id)::int as targets from import_row
          where school_id = ${school_id} and batch_no = ${batch_no} and outcome = 'applied') r,
        (select count(*)::int as archived, count(distinct person_id)::int as archived_once from archive_log
          where school_id = ${school_id} and batch_no = ${batch_no} and person_kind = 1) a`.execute(db),
  )
  const [found] = rows
  if (!found) throw new Error('no counts')
  return found
}

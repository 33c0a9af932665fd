import { asTables } from '@kit/server/db'
import type { App } from '@kit/server/http'
import type { QueryExecutorProvider } from 'kysely'
import { raisePast } from '../abnormal/raise.ts'
import type { AccessDb } from '../db.ts'
import type { PassDb } from './db.ts'
import { readPasses } from './read-journal.ts'
import { unreadKeys } from './turnover.service.ts'

/**
 * Reads what the journal has of a day that was, a thousand records at a time, and once all are there what is abnormal about them, for a
 * school that is made with a past: nobody is told. @returns how many were new
 */
export async function readPastPasses(
  { app, db: handle, school_id, now }: { app: App; db: QueryExecutorProvider; school_id: number; now: Date },
  day: string,
): Promise<number> {
  const db = asTables<PassDb>(handle)
  const { length } = await readPasses({ app, db, school_id, now }, await unreadKeys({ db, school_id }, day, day), true)
  if (length === 0) await raisePast({ app, db: asTables<AccessDb>(handle), school_id, now }, day)
  return length
}

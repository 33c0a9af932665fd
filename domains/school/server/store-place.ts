import { asTables } from '@kit/server/db'
import type { QueryExecutorProvider } from 'kysely'
import type { SchoolDb } from './db.ts'

/** Where a school keeps its files; no view tells it (no reply of another domain may hold bucket or region). */
export type StorePlace = { oss_type: number; oss_bucket: string | null; oss_region: string | null }

/** The kind of store, bucket and region of a school, for the domain of files. */
export async function readStorePlace(db: QueryExecutorProvider, school_id: number): Promise<StorePlace | null> {
  const found = await asTables<SchoolDb>(db).selectFrom('school_config').select(['oss_type', 'oss_bucket', 'oss_region']).where('school_id', '=', school_id).executeTakeFirst()
  return found ?? null
}

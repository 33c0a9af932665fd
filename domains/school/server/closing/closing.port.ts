import { Port } from '@kit/server/http'
import type { QueryExecutorProvider } from 'kysely'

/** What a school leaves in the stores; kept by a higher domain, which comes here. */
export type SchoolFiles = {
  /** files whose bytes are still there, in the transaction of the school */
  count(db: QueryExecutorProvider, school_id: number): Promise<number>
  /** Takes the bytes of some files away and says so, each for itself; what is gone already is no error. `failed`: a store would not. */
  removeSome(school_id: number, most: number): Promise<{ removed: number; failed: number }>
  /** Takes away what lies in the embedded store without being a file of its own: results of jobs, sheets of imports, smaller pictures. */
  removeRest(school_id: number): Promise<void>
}

/** Filled by files. */
export const schoolFilesPort = new Port<SchoolFiles>('school.files')

/** What has work of a school that stops with it, and says what: `3个任务暂停，启用后继续`. */
export type SchoolStop = (db: QueryExecutorProvider, school_id: number) => Promise<string>

/** Filled by jobs. */
export const schoolStopPort = new Port<SchoolStop>('school.stop')

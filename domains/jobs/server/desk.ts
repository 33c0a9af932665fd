import { Port } from '@kit/server/http'
import type { Database } from '@kit/server/db'
import type { SheetCache } from './import/sheet-cache.ts'

/** The worker of one process. */
export type Runner = {
  /** looks for due work now and shortly after, when the caller's transaction will have been committed */
  wake(): void
  /** takes nothing more, waits for the current step of every running job, gives the jobs back; may be asked twice */
  stop(): Promise<void>
  /** false once the due list could not be read for a while: nothing that takes time would be done any more */
  isAlive(): boolean
}

/** What the parts of this domain share in one running app; `runner` while it is started. */
export type Desk = { database: Database; sheets: SheetCache; runner: Runner | null }

/** Filled once by this domain's own compose step. */
export const deskPort = new Port<Desk>('jobs.desk')

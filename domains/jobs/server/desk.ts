import { Port } from '@kit/server/http'
import type { Database } from '@kit/server/db'
import type { SheetCache } from './import/sheet-cache.ts'

/** What the parts of this domain share in one running app. */
export type Desk = {
  database: Database
  sheets: SheetCache
  /** looks for due work now; set while the runner runs */
  wake(): void
}

/** Filled once by this domain's own compose step. */
export const deskPort = new Port<Desk>('jobs.desk')

import type { Database } from '@kit/server/db'
import { allMigrations } from '../boot.ts'
import { missingMigrations } from '../schema-state.ts'

/** @throws Error in one line when the schema is not up to date; asked as the app role, so that nobody needs the owner's address for it */
export async function refuseUninstalled(database: Database): Promise<void> {
  const missing = await missingMigrations(database, await allMigrations())
  if (missing.length > 0) throw new Error('the database is not up to date: run "npm run cli -- migrate up" first')
}

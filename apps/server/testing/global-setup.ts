import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { prepareTemplates } from './database.ts'

/** Migrates one database per engine before the first test; every test file starts from a copy. */
export async function setup(): Promise<() => Promise<void>> {
  const file = join(import.meta.dirname, `../../../.tmp/snapshot-${process.pid}.tar`)
  await prepareTemplates(file, process.env.CAMPUS_TEST_PG_ADMIN_URL)
  process.env.CAMPUS_TEST_SNAPSHOT = file
  return () => rm(file, { force: true })
}

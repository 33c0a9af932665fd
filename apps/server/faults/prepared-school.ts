import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureDemo } from '../demo/index.ts'
import { demo_schools } from '../demo/accounts.ts'
import { startTestApp } from '../testing/index.ts'

/** The school with classes in which the fault tests work. */
export const school_id = demo_schools.main

/** Settings of a data directory on disk with the demo schools in it, and the token of somebody who may do everything in the main one. */
export type Prepared = { settings: Record<string, string>; token: string; remove(): Promise<void> }

/** Makes it in this process and lets go of it, so that server processes can take over. */
export async function prepareSchool(settings: Record<string, string> = {}): Promise<Prepared> {
  const data_dir = settings.CAMPUS_DATA_DIR ?? (await mkdtemp(join(tmpdir(), 'campus-fault-')))
  const own = { ...settings, CAMPUS_DATA_DIR: data_dir }
  const app = await startTestApp({ settings: own })
  try {
    await ensureDemo(app.running)
    const { token } = await app.as({ school_id, codes: 'all' })
    return { settings: own, token, remove: () => rm(data_dir, { recursive: true, force: true }) }
  } finally {
    await app.close()
  }
}

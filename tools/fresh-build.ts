import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** Runs once before tests that start the server as a process: what they start is built of the sources as they are now, also when a single file is run. */
export function setup(): void {
  const run = spawnSync(process.execPath, [join(import.meta.dirname, 'bootstrap.mjs'), 'server'], { stdio: 'inherit' })
  if (run.status !== 0) throw new Error('The server could not be built; see above.')
}

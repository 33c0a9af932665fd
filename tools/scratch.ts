import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const memory = '/dev/shm'
/** What a run was seen to hold at most, twice over. */
const needed_bytes = 8 * 1024 ** 3

/** Where this machine keeps what lives as long as one test run: in memory when there is room, else among the temporary files. Pure, so that it can be tested. */
export function chooseScratch(free_in_memory: number | undefined, temporary: string): string {
  return free_in_memory !== undefined && free_in_memory >= needed_bytes ? memory : temporary
}

/**
 * Makes the folder of temporary files of a run and names it in TMPDIR, for this process and all that it starts. A database of a test is
 * a copy of two thousand files: on a disk that takes a second, in memory a twentieth of one.
 * @returns how to delete it
 */
export function makeScratch(): () => void {
  const free = existsSync(memory) ? statfsSync(memory) : undefined
  const folder = mkdtempSync(join(chooseScratch(free && free.bavail * free.bsize, tmpdir()), 'campus-test-'))
  // PostgreSQL runs as a user of its own and has to get through.
  chmodSync(folder, 0o755)
  process.env.TMPDIR = folder
  return () => rmSync(folder, { recursive: true, force: true })
}

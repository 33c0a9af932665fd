import { spawnSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const mebi = 1024 * 1024
const programs = { attach: 'mount', detach: 'umount' } as const

/** A file system of its own that can be filled to the last byte. */
export type SmallDisk = { path: string; fill(leave_mb: number): Promise<void>; free(): void; remove(): Promise<void> }

/**
 * Mounts a file system in memory of that size; without root it takes the folder of CAMPUS_TEST_SMALL_DISK, which must lie on a small file system.
 * @throws Error in one sentence when there is neither
 */
export async function mountSmallDisk(size_mb: number): Promise<SmallDisk> {
  const lent = process.env.CAMPUS_TEST_SMALL_DISK
  const path = lent ?? (await mkdtemp(join(tmpdir(), 'campus-disk-')))
  if (lent === undefined) {
    const run = spawnSync(programs.attach, ['-t', 'tmpfs', '-o', `size=${size_mb}m,mode=700`, 'tmpfs', path], { encoding: 'utf8' })
    if (run.status !== 0) {
      await rm(path, { recursive: true, force: true })
      throw new Error(`This test fills a disk: run it as root, or name an empty folder on a file system of about ${size_mb} MB in CAMPUS_TEST_SMALL_DISK (mount said: ${run.stderr || run.error?.message}).`)
    }
  }
  const filler = join(path, 'filler')
  return {
    path,
    async fill(leave_mb) {
      const { bavail, bsize } = await statfs(path)
      if (bavail * bsize > 4 * size_mb * mebi) throw new Error(`${path} has far more than ${size_mb} MB free: it is not the small disk this test fills.`)
      pour(filler, Math.max(0, bavail * bsize - leave_mb * mebi))
    },
    free: () => rmSync(filler, { force: true }),
    async remove() {
      rmSync(filler, { force: true })
      if (lent !== undefined) return
      spawnSync(programs.detach, ['--lazy', path])
      await rm(path, { recursive: true, force: true })
    },
  }
}

/** Writes so many bytes, or as many as there is room for. */
function pour(file: string, bytes: number): void {
  const block = Buffer.alloc(64 * 1024)
  const opened = openSync(file, 'a')
  try {
    for (let left = bytes; left > 0; left -= block.length) writeSync(opened, block, 0, Math.min(left, block.length))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  } finally {
    closeSync(opened)
  }
}

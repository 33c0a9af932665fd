import { readdir, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { App } from '@kit/server/http'
import type { JobRun } from '../job-kind.ts'

const purpose = 'export'
const unfinished = '.partial'
/** Nobody writes an export without a pause of that length: what has not grown since was left by a process that died. */
const longest_pause_ms = 3_600_000

/** Where this attempt of a job writes its file; what earlier attempts left behind when their process died is removed. */
export async function exportFile({ app, school_id, job_no }: JobRun, extension = '.xlsx'): Promise<{ file_key: string; path: string }> {
  const { path: free } = await app.files.reserve(school_id, purpose, extension)
  const folder = dirname(free)
  for (const name of await readdir(folder)) if (name.startsWith(job_no)) await app.files.discard(join(folder, name))
  const name = `${job_no}.${basename(free)}`
  return { file_key: `${school_id}/${purpose}/${name}`, path: join(folder, name) }
}

/** Removes unfinished exports of dead processes, also of jobs that nobody will try again. `alone`: no other process shares the store. */
export async function sweepExports({ files, log }: Pick<App, 'files' | 'log'>, alone: boolean): Promise<void> {
  const root = dirname(files.pathOf('0'))
  for (const school of await readdir(root)) {
    const folder = join(root, school, purpose)
    const names = await readdir(folder).catch(() => [])
    for (const name of names.filter(one => one.endsWith(unfinished))) {
      const path = join(folder, name)
      if (!alone && !(await isOld(path))) continue
      await rm(path, { force: true })
      log.warn({ file: name }, 'an unfinished export of a process that died was removed')
    }
  }
}

async function isOld(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null)
  return found !== null && Date.now() - found.mtimeMs > longest_pause_ms
}

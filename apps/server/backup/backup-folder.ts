import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '@kit/server/config'
import { z } from 'zod'
import { readManifest } from './archive.ts'

const finished = /^campus-\d{8}-\d{6}$/
const unfinished = /^campus-\d{8}-\d{6}\.unfinished$/
const state_file = 'last-run.json'

/** How the schedule's last backup ended, and when one last succeeded; instants in RFC 3339. */
export const BackupState = z.object({
  ended_at: z.string(),
  is_ok: z.boolean(),
  /** one line of what went wrong */
  error: z.string().nullable(),
  /** name of the last good backup in CAMPUS_BACKUP_DIR */
  last_success: z.string().nullable(),
  last_success_at: z.string().nullable(),
  rows: z.number().int().nullable(),
  /** `restored`: into memory and compared; `read`: against its checksums */
  proof: z.enum(['restored', 'read']).nullable(),
})
export type BackupState = z.output<typeof BackupState>

/** Where the schedule puts its backups. */
export function backupDir(config: Config): string {
  return config.CAMPUS_BACKUP_DIR ?? join(config.CAMPUS_DATA_DIR, 'backup')
}

/** How the last scheduled backup ended, for whoever looks after the installation; null when none has run yet or the record cannot be read. */
export async function readBackupState(config: Config): Promise<BackupState | null> {
  const text = await readFile(join(backupDir(config), state_file), 'utf8').catch(() => null)
  if (text === null) return null
  try {
    return BackupState.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/** Keeps how a run ended. */
export async function writeBackupState(dir: string, state: BackupState): Promise<void> {
  const draft = join(dir, `${state_file}.new`)
  await writeFile(draft, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 })
  await rename(draft, join(dir, state_file))
}

/** The folder in which a backup is written; it has its own name only once it is proved. What a killed run left is removed. */
export async function openUnfinished(dir: string, stamp: string): Promise<{ path: string; finish(): Promise<string> }> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  for (const name of await readdir(dir)) if (unfinished.test(name)) await rm(join(dir, name), { recursive: true, force: true })
  const name = `campus-${stamp}`
  const path = join(dir, `${name}.unfinished`)
  return {
    path,
    async finish() {
      if (existsSync(join(dir, name))) throw new Error(`${name} is there already`)
      await rename(path, join(dir, name))
      return name
    },
  }
}

/** Removes the oldest backups of the schedule beyond `keep`; whatever it did not make itself stays. Answers the names. */
export async function removeOldest(dir: string, keep: number): Promise<string[]> {
  const names = (await readdir(dir)).filter(name => finished.test(name)).toSorted()
  const own: string[] = []
  for (const name of names) if (await isScheduled(join(dir, name))) own.push(name)
  const old = own.slice(0, Math.max(0, own.length - keep))
  for (const name of old) await rm(join(dir, name), { recursive: true, force: true })
  return old
}

async function isScheduled(folder: string): Promise<boolean> {
  const manifest = await readManifest(folder).catch(() => null)
  return manifest?.origin === 'schedule'
}

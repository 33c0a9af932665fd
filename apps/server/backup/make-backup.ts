import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:fs'
import { cp, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Boot } from '@kit/server/http'
import { z } from 'zod'
import { backupDir, openUnfinished, removeOldest } from './backup-folder.ts'
import { stampOf } from './next-time.ts'

const script = fileURLToPath(new URL('./run-backup.ts', import.meta.url))
const Made = z.object({ rows: z.number().int(), proof: z.enum(['restored', 'read']) })

export type Environment = Record<string, string | undefined>
export type MadeBackup = z.output<typeof Made> & { name: string; removed: string[] }

/**
 * Makes and proves one backup while the server runs, then removes the oldest beyond CAMPUS_BACKUP_KEEP.
 * @throws Error when it cannot be written, differs when restored, or `signal` ends it; nothing half-made stays
 */
export async function makeBackup(boot: Boot, env: Environment, signal: AbortSignal): Promise<MadeBackup> {
  const { config, clock } = boot.app
  const dir = backupDir(config)
  const { path, finish } = await openUnfinished(dir, stampOf(clock.now()))
  const copy = join(config.CAMPUS_DATA_DIR, 'backup-copy')
  try {
    const settings = await sourceOf(boot, env, copy)
    const made = await runChild([path, config.CAMPUS_DATA_DIR], settings, signal)
    const name = await finish()
    return { ...made, name, removed: await removeOldest(dir, config.CAMPUS_BACKUP_KEEP) }
  } finally {
    await rm(copy, { recursive: true, force: true })
    await rm(path, { recursive: true, force: true })
  }
}

/**
 * The settings under which the child opens the database: a PostgreSQL server as it is; of the embedded engine, which only this process may
 * hold open, a copy of its directory. Nothing runs on its one session meanwhile, so the copy is what a kill -9 at that moment would leave,
 * which the engine opens without loss; everybody else waits for the copying of some files, not for the backup.
 */
async function sourceOf({ app, database }: Boot, env: Environment, copy: string): Promise<Environment> {
  const settings = { ...env, CAMPUS_BACKUP_AT: undefined }
  if (database.engine === 'postgres') return settings
  await rm(copy, { recursive: true, force: true })
  await mkdir(join(copy, 'db'), { recursive: true, mode: 0o700 })
  const from = join(app.config.CAMPUS_DATA_DIR, 'db', 'pg')
  await database.owner(() => cp(from, join(copy, 'db', 'pg'), { recursive: true, mode: constants.COPYFILE_FICLONE }))
  return { ...settings, CAMPUS_DATA_DIR: copy, CAMPUS_DURABLE: '0' }
}

async function runChild(args: readonly string[], env: Environment, signal: AbortSignal): Promise<z.output<typeof Made>> {
  signal.throwIfAborted()
  const child = spawn(process.execPath, [script, ...args], { env, signal, stdio: ['pipe', 'pipe', 'pipe'] })
  const ended = once(child, 'close')
  const [said, complained] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  if (child.exitCode !== 0) throw new Error(complained.trim().split('\n').at(-1) || `the backup ended with ${child.signalCode ?? child.exitCode}`)
  return Made.parse(JSON.parse(said))
}

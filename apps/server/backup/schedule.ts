import { addWork, workKindPort } from '@campus/jobs/server'
import { meterPort } from '@kit/server/http'
import type { Boot } from '@kit/server/http'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import { backupDir, readBackupState, writeBackupState } from './backup-folder.ts'
import { makeBackup } from './make-backup.ts'
import type { Environment, MadeBackup } from './make-backup.ts'
import { nextTime } from './next-time.ts'

const kind = 'installation_backup'
const installation = 0

/**
 * The nightly backup at CAMPUS_BACKUP_AT. It stands on the installation's due list, whose lease lets one of several servers make it; a night
 * in which no server ran is made up for at the next start. Call it before the worker starts.
 * @returns the step that ends a backup under way
 */
export async function scheduleBackups(boot: Boot, env: Environment): Promise<() => Promise<void>> {
  const { app, database } = boot
  const at = app.config.CAMPUS_BACKUP_AT
  const stopped = new AbortController()
  await database.tenant<unknown, void>(installation, db => replan(db, at, app.clock.now()))
  if (at === undefined) return async () => undefined
  workKindPort.fill(app, {
    kind,
    async run(db, { now }) {
      await plan(db, at, now)
      return () => attempt(boot, env, stopped.signal)
    },
  })
  meterPort.fill(app, {
    name: 'campus_backup_last_success_seconds',
    about: 'Unix time of the last backup of the schedule that was made and proved; 0 when there is none',
    labels: [],
    read: async () => [{ labels: {}, value: Date.parse((await readBackupState(app.config))?.last_success_at ?? '1970-01-01') / 1000 }],
  })
  return async () => stopped.abort()
}

/** The time may have been changed, or the schedule switched off, since the line was written; a backup that is due stays due. */
async function replan(db: QueryExecutorProvider, at: string | undefined, now: Date): Promise<void> {
  await sql`delete from work where school_id = ${installation} and kind = ${kind} and lease_until is null and (due_at > ${now} or ${at === undefined})`.execute(db)
  if (at !== undefined) await plan(db, at, now)
}

function plan(db: QueryExecutorProvider, at: string, now: Date): Promise<void> {
  const due_at = nextTime(at, now)
  return addWork(db, { school_id: installation, kind, ref: due_at.toISOString(), due_at })
}

/** @throws whatever the backup failed with: the due list tries it again after a minute, three times in all */
async function attempt(boot: Boot, env: Environment, signal: AbortSignal): Promise<void> {
  const { log } = boot.app
  const begun = performance.now()
  try {
    const made = await makeBackup(boot, env, signal)
    await recordSuccess(boot, made)
    log.info({ ...made, seconds: Math.round((performance.now() - begun) / 1000) }, 'backup made and proved')
  } catch (error) {
    if (!signal.aborted) {
      log.error({ err: error, dir: backupDir(boot.app.config) }, 'backup failed')
      await recordFailure(boot, error).catch((cause: unknown) => log.error({ err: cause }, 'how the backup ended cannot be kept'))
    }
    throw error
  }
}

function recordSuccess({ app }: Boot, { name, rows, proof }: MadeBackup): Promise<void> {
  const now = app.clock.now().toISOString()
  return writeBackupState(backupDir(app.config), { ended_at: now, is_ok: true, error: null, last_success: name, last_success_at: now, rows, proof })
}

async function recordFailure({ app }: Boot, error: unknown): Promise<void> {
  const never = { last_success: null, last_success_at: null, rows: null, proof: null }
  const before = (await readBackupState(app.config)) ?? never
  const msg = error instanceof Error ? error.message : String(error)
  await writeBackupState(backupDir(app.config), { ...before, ended_at: app.clock.now().toISOString(), is_ok: false, error: msg })
}

import { loadConfig } from '@kit/server/config'
import type { Config } from '@kit/server/config'
import { writeBackup } from '../backup/backup.ts'
import { restoreBackup, verifyBackup } from '../backup/restore.ts'
import { openConfigured } from '../boot.ts'
import type { Environment } from './command.ts'

/** Writes a backup. The embedded engine belongs to one process: stop the server first, or back up through PostgreSQL. */
export async function backup([folder]: string[], env: Environment): Promise<void> {
  if (!folder) throw new Error('usage: backup <folder>')
  const config = loadConfig(env)
  const database = await openConfigured(config)
  try {
    const manifest = await writeBackup(database, config.CAMPUS_DATA_DIR, folder)
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    process.stdout.write(`${folder}: ${manifest.tables.length} tables, ${rows} rows, ${manifest.schools.length} schools\n`)
  } finally {
    await database.close()
  }
}

/** Restores, or with --verify restores into memory only and compares every table. */
export async function restore(args: string[], env: Environment): Promise<void> {
  const folder = args.find(arg => !arg.startsWith('--'))
  if (!folder) throw new Error('usage: restore [--verify] <folder>')
  const manifest = args.includes('--verify') ? await verifyBackup(folder) : await restoreHere(loadConfig(env), folder)
  process.stdout.write(`${folder}: every table equals the backup of ${manifest.made_at}\n`)
}

async function restoreHere(config: Config, folder: string) {
  const database = await openConfigured(config)
  try {
    return await restoreBackup(database, config.CAMPUS_DATA_DIR, folder)
  } finally {
    await database.close()
  }
}

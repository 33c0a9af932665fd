import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigError, loadConfig } from '@kit/server/config'
import { openDatabase } from '@kit/server/db'
import { writeBackup } from '../backup/backup.ts'
import { restoreBackup } from '../backup/restore.ts'
import { openConfigured } from '../boot.ts'
import type { Environment } from './command.ts'

/**
 * Moves the embedded database of the data directory into the empty PostgreSQL database of DATABASE_URL; files and secrets stay where they are.
 * Every table is compared afterwards; the embedded database is left untouched.
 */
export async function moveToPostgres(_args: string[], env: Environment): Promise<void> {
  const config = loadConfig(env)
  if (config.DATABASE_URL === undefined || config.DATABASE_OWNER_URL === undefined) throw new ConfigError('set DATABASE_URL and DATABASE_OWNER_URL of the empty target')
  const folder = await mkdtemp(join(tmpdir(), 'campus-move-'))
  try {
    const source = await openDatabase({ data_dir: join(config.CAMPUS_DATA_DIR, 'db') })
    await writeBackup(source, config.CAMPUS_DATA_DIR, join(folder, 'all')).finally(() => source.close())
    const target = await openConfigured(config)
    const manifest = await restoreBackup(target, null, join(folder, 'all')).finally(() => target.close())
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    process.stdout.write(`moved ${manifest.tables.length} tables, ${rows} rows, ${manifest.schools.length} schools; every table equals the source\n`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

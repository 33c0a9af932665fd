// Run by the schedule in a process of its own, so that neither its memory nor its work burdens the server: writes one backup and proves it.
// Arguments: folder of the backup, data directory whose files belong to it. Settings say where the database is. Answers one line of JSON.
import { setPriority } from 'node:os'
import { loadConfig } from '@kit/server/config'
import { openConfigured } from '../boot.ts'
import { writeBackup } from './backup.ts'
import { proveBackup } from './restore.ts'

const gentle = 10
const [folder = '', data_dir = ''] = process.argv.slice(2)

setPriority(gentle)
// The server's end of this pipe closes with the server, however it ends.
process.stdin.once('end', () => process.kill(process.pid, 'SIGTERM')).resume().unref()

await run().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
})

async function run(): Promise<void> {
  const database = await openConfigured(loadConfig(process.env))
  const manifest = await writeBackup(database, data_dir, folder, 'schedule').finally(() => database.close())
  const proof = await proveBackup(folder)
  process.stdout.write(JSON.stringify({ rows: manifest.tables.reduce((sum, table) => sum + table.rows, 0), proof }))
}

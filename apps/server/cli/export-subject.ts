import { parseArgs } from 'node:util'
import { filesServer } from '@campus/files/server'
import { loadConfig } from '@kit/server/config'
import { makeApp, openConfigured } from '../boot.ts'
import { exportSubject } from '../subject/export-subject.ts'
import type { Environment } from './command.ts'
import { refuseUninstalled } from './installed.ts'

const shortest_reason = 2

/** Everything held about one person, for himself or for who may ask in his name. */
export async function exportSubjectCommand(args: string[], env: Environment): Promise<void> {
  const { values: { reason = '' }, positionals: [school, person, folder] } = parseArgs({ args, options: { reason: { type: 'string' } }, allowPositionals: true })
  if (school === undefined || person === undefined || folder === undefined || !/^\d+$/.test(school)) throw new Error('usage: export-subject <school> <number of the person> <new folder> --reason <who asked, and when>')
  if (reason.trim().length < shortest_reason) throw new Error('--reason is missing: say who asked and when; it stands in the journals')
  const config = loadConfig(env)
  const app = await makeApp({ config, env })
  const database = await openConfigured(config)
  try {
    await refuseUninstalled(database)
    // Files may lie in an outside store.
    filesServer.compose?.({ app, database })
    const { subject, tables, rows, files } = await exportSubject({ app, database }, { school_id: Number(school), person, reason: reason.trim() }, folder)
    process.stdout.write(`${folder}: ${subject.user_name} ${subject.user_no}, ${rows} rows of ${tables} tables, ${files} files; index.html is readable, data.json is for machines\n`)
  } finally {
    await database.close()
  }
}

import { parseArgs } from 'node:util'
import { anonymiseBackup } from '../anonymise/anonymise.ts'
import type { Environment } from './command.ts'

/** Makes a harmless copy of a backup. It never opens the installation's own database, and writes nowhere but into the folder it is told. */
export async function anonymise(args: string[], _env: Environment): Promise<void> {
  const { values: { target }, positionals: [source] } = parseArgs({ args, options: { target: { type: 'string' } }, allowPositionals: true })
  if (source === undefined || target === undefined) throw new Error('usage: anonymise <backup> --target <new folder>')
  const { kept, emptied, rows } = await anonymiseBackup(source, target)
  process.stdout.write(`${target}: a backup of ${rows} rows in ${kept} tables, with invented people; ${emptied} tables emptied. Nobody has a password: restore it into an empty database, then "campus create-admin"\n`)
}

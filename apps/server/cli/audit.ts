import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { sealFileOf, verifySchool, verifySealFile } from '@campus/audit/server'
import { loadConfig } from '@kit/server/config'
import type { Database } from '@kit/server/db'
import { loadSecrets } from '@kit/server/secrets'
import type { Secrets } from '@kit/server/secrets'
import { knownSchools } from '../known-schools.ts'
import { openConfigured } from '../boot.ts'
import type { Environment } from './command.ts'
import { refuseUninstalled } from './installed.ts'

const installation = 0

/** Says of every journal whether it is as it was sealed. @throws Error when something is not, after naming it */
export async function auditVerify(args: string[], env: Environment): Promise<void> {
  const { school, file, earlier } = parseArgs({ args, options: { school: { type: 'string' }, file: { type: 'string' }, earlier: { type: 'string' } } }).values
  const before = earlier === undefined ? undefined : await readFile(earlier, 'utf8')
  if (file !== undefined) return sayFile(await readFile(file, 'utf8'), before)
  if (before !== undefined && school === undefined) throw new Error('--earlier needs --school: a file of seals belongs to one school')
  const flaws = await withDatabase(env, async (database, secrets, keep_days) => {
    const schools = school === undefined ? [installation, ...(await knownSchools(database))] : [Number(school)]
    let count = 0
    for (const school_id of schools) count += sayReports(school_id, await verifySchool({ database, secrets, now: new Date(), keep_days }, school_id, before))
    return count
  })
  if (flaws > 0) throw new Error(`${flaws} findings: the journals are not as they were sealed`)
}

/** Writes the seals of a school into a file. */
export async function auditSeals([school, path]: string[], env: Environment): Promise<void> {
  if (school === undefined || path === undefined || !/^\d+$/.test(school)) throw new Error('usage: audit-seals <number> <file>')
  const text = await withDatabase(env, (database, secrets) => sealFileOf({ database, secrets, now: new Date() }, Number(school)))
  await writeFile(path, text)
  const { seals, fingerprint } = verifySealFile(text)
  process.stdout.write(`${seals} seals written to ${path}, signed with the key ${fingerprint}\n`)
}

async function withDatabase<R>(env: Environment, fn: (database: Database, secrets: Secrets, keep_days: number) => Promise<R>): Promise<R> {
  const config = loadConfig(env)
  const secrets = loadSecrets(config, env)
  const database = await openConfigured(config)
  try {
    await refuseUninstalled(database)
    return await fn(database, secrets, config.CAMPUS_JOURNAL_KEEP_DAYS)
  } finally {
    await database.close()
  }
}

function sayFile(text: string, earlier: string | undefined): void {
  const { school_id, seals, fingerprint, flaws } = verifySealFile(text, earlier)
  process.stdout.write(`school ${school_id}: ${seals} seals, signed with the key ${fingerprint}\n${flaws.map(flaw => `  ${flaw}\n`).join('')}`)
  if (flaws.length > 0) throw new Error(`${flaws.length} findings: the seals of this file are not as they were made`)
  process.stdout.write('intact\n')
}

function sayReports(school_id: number, reports: Awaited<ReturnType<typeof verifySchool>>): number {
  for (const { table, rows, seals, upto, jumps, findings } of reports) {
    const state = findings.length === 0 ? 'intact' : `${findings.length} findings`
    process.stdout.write(`school ${school_id} ${table}: ${rows} rows, ${seals} seals until ${upto ?? 'never'}: ${state}\n${[...jumps, ...findings].map(finding => `  ${finding}\n`).join('')}`)
  }
  return reports.reduce((sum, report) => sum + report.findings.length, 0)
}

import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { demoClasses, writeSampleSheets } from '@campus/people/server'
import { loadConfig } from '@kit/server/config'
import type { Config } from '@kit/server/config'
import { makeApp, openConfigured } from '../boot.ts'
import { askDevSocket } from '../demo/dev-socket.ts'
import { demoLines } from '../demo/index.ts'
import { issueToken } from '../demo/issue-token.ts'
import { demo_seed } from '../demo/seed.ts'
import { demoToday, schoolYearOf } from '../demo/school-year.ts'
import type { Environment } from './command.ts'

/** What the server itself puts into its data directory; nothing else in it is touched. */
const own_entries = ['db', 'files', 'upload', 'secrets.json', 'demo.json', 'dev.sock'] as const
const sample_size = { pupils: 4000, guardians: 6800 } as const
const in_use = /is in use by/

/** Prints a session token of an account's first identity, and nothing else. A running development server is asked for it. */
export async function token([account]: string[], env: Environment): Promise<void> {
  const config = developmentConfig(env, 'token')
  if (account === undefined || !/^\w{5,30}$/.test(account)) throw new Error('usage: token <account>')
  const answered = await askDevSocket(config, account)
  process.stdout.write(`${answered ?? (await ownToken(config, env, account))}\n`)
}

/** Lists the demo accounts, what each is there to show, and the password they share. */
export async function demoAccounts(_args: string[], env: Environment): Promise<void> {
  const config = developmentConfig(env, 'demo-accounts')
  if (!config.demo) throw new Error('demo-accounts: there is no demo here; set CAMPUS_PROFILE=demo')
  process.stdout.write(`${(await demoLines(config)).join('\n')}\n`)
}

/** Writes filled sheets of 4,000 pupils and their guardians, ready to be imported into the new school of the demo (account xinxiao01). */
export async function sampleSheet([folder = 'samples']: string[], env: Environment): Promise<void> {
  const school_year = schoolYearOf(demoToday({ config: loadConfig(env), clock: { now: () => new Date() } }))
  const files = await writeSampleSheets(folder, { ...sample_size, seed: demo_seed, classes: demoClasses(school_year) })
  process.stdout.write(`${files.student}\n${files.parent}\n`)
}

/** Removes the embedded database, files, secrets and demo password; refused while a server uses them. */
export async function resetData(_args: string[], env: Environment): Promise<void> {
  const config = developmentConfig(env, 'reset-data')
  if (config.DATABASE_URL !== undefined) throw new Error('reset-data removes the embedded database only: drop and create the PostgreSQL database yourself')
  await refuseInUse(config)
  for (const entry of own_entries) await rm(join(config.CAMPUS_DATA_DIR, entry), { recursive: true, force: true })
  process.stdout.write(`${config.CAMPUS_DATA_DIR}: removed\n`)
}

function developmentConfig(env: Environment, command: string): Config {
  const config = loadConfig(env)
  if (config.CAMPUS_ENV !== 'dev' && config.CAMPUS_ENV !== 'test') throw new Error(`${command}: only in development and tests (CAMPUS_ENV is ${config.CAMPUS_ENV})`)
  return config
}

async function ownToken(config: Config, env: Environment, account: string): Promise<string> {
  if (config.DATABASE_URL === undefined && !existsSync(join(config.CAMPUS_DATA_DIR, 'db'))) throw new Error(`${config.CAMPUS_DATA_DIR} holds no database: run "npm start" first`)
  const database = await openConfigured(config)
  try {
    return await issueToken({ app: await makeApp({ config, env }), database }, account)
  } finally {
    await database.close()
  }
}

/** A directory that cannot be opened for another reason is what this command is for. */
async function refuseInUse(config: Config): Promise<void> {
  const problem = await openConfigured(config).then(
    async database => database.close(),
    (error: unknown) => (error instanceof Error && in_use.test(error.message) ? error : undefined),
  )
  if (problem) throw new Error(`${problem.message}: stop the server first`)
}

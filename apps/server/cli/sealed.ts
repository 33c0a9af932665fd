import { checkSealedNumbers } from '@campus/people/server'
import { loadConfig } from '@kit/server/config'
import { loadSecrets } from '@kit/server/secrets'
import { knownSchools } from '../known-schools.ts'
import { openConfigured } from '../boot.ts'
import type { Environment } from './command.ts'

/** Says which sealed numbers the present keys open and find; with --repair mends what a lost key has cost. */
export async function checkSealed(args: string[], env: Environment): Promise<void> {
  if (args.some(arg => arg !== '--repair')) throw new Error('usage: check-sealed [--repair]')
  const config = loadConfig(env)
  const secrets = loadSecrets(config, env)
  const repair = args.includes('--repair')
  const database = await openConfigured(config)
  try {
    for (const school_id of await knownSchools(database)) {
      const found = await database.tenant(school_id, db => checkSealedNumbers(db, secrets, school_id, repair))
      process.stdout.write(`school ${school_id}: ${found.numbers} sealed numbers, ${found.misplaced} not found by their index, ${found.closed} not readable\n`)
    }
    if (repair) process.stdout.write('repaired: indexes are made anew, unreadable numbers are empty and can be entered again\n')
  } finally {
    await database.close()
  }
}

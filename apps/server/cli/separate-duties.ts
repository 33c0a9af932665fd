import { joinedDuties, partDuties } from '@campus/identity/server'
import { loadConfig } from '@kit/server/config'
import { knownSchools } from '../known-schools.ts'
import { openConfigured } from '../boot.ts'
import type { Environment } from './command.ts'
import { refuseUninstalled } from './installed.ts'

/** Says which roles and people may edit roles and read the journals; with --apply takes the journals from those roles (profile mlps3). */
export async function separateDuties(args: string[], env: Environment): Promise<void> {
  const database = await openConfigured(loadConfig(env))
  const say = (school_id: number, names: readonly string[], what: string) => process.stdout.write(names.map(name => `school ${school_id} ${name}: ${what}\n`).join(''))
  try {
    await refuseUninstalled(database)
    for (const school_id of await knownSchools(database)) {
      if (args.includes('--apply')) say(school_id, await database.tenant(school_id, db => partDuties(db, school_id)), 'no longer reads the journals')
      say(school_id, await database.tenant(school_id, db => joinedDuties(db, school_id, new Date())), 'may edit roles and read the journals')
    }
  } finally {
    await database.close()
  }
}

import { holdRule, joinedDuties } from '@campus/identity/server'
import { ConfigError } from '@kit/server/config'
import type { Config } from '@kit/server/config'
import type { Boot } from '@kit/server/http'
import { knownSchools } from './known-schools.ts'

const most_named = 10
const installation = 0

/**
 * Makes the installation's own bounds hold in every school before anybody gets in (profile mlps3): password rules are brought inside them.
 * @throws ConfigError naming roles and people that hold both duties where the profile wants them apart
 */
export async function holdInstallation({ app, database }: Boot): Promise<void> {
  const { config } = app
  if (!isStricter(config)) return
  const joined: string[] = []
  for (const school_id of [installation, ...(await knownSchools(database))]) {
    await database.tenant<unknown, void>(school_id, async db => {
      if (await holdRule(db, school_id, config)) app.log.warn({ school_id }, 'the password rule of a school was brought inside the bounds of the installation')
      if (config.CAMPUS_SEPARATE_DUTIES) joined.push(...(await joinedDuties(db, school_id, app.clock.now())).map(name => `${school_id} ${name}`))
    })
  }
  if (joined.length === 0) return
  const more = joined.length > most_named ? ` and ${joined.length - most_named} more` : ''
  throw new ConfigError(`CAMPUS_SEPARATE_DUTIES: ${joined.slice(0, most_named).join(', ')}${more} may edit roles and read the journals; part them by "campus separate-duties" or in the console`)
}

/** Most installations leave every bound where no school can be beyond it. */
function isStricter(config: Config): boolean {
  const { CAMPUS_SEPARATE_DUTIES, CAMPUS_SHORTEST_PASSWORD, CAMPUS_LONGEST_PASSWORD_DAYS, CAMPUS_LONGEST_IDLE_MINUTES, CAMPUS_MOST_LOGIN_TRIES } = config
  return CAMPUS_SEPARATE_DUTIES || CAMPUS_SHORTEST_PASSWORD > 8 || CAMPUS_LONGEST_PASSWORD_DAYS > 0 || CAMPUS_LONGEST_IDLE_MINUTES < 480 || CAMPUS_MOST_LOGIN_TRIES < 10
}

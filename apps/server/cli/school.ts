import { loadConfig } from '@kit/server/config'
import { makeApp, openConfigured } from '../boot.ts'
import { knownSchools } from '../known-schools.ts'
import { createSchool } from '../schools.ts'
import type { Environment } from './command.ts'
import { refuseUninstalled } from './installed.ts'

const largest = 2_147_483_647
const longest_name = 30

/** Makes a school (type 1) or an enterprise (type 2) with everything a new one begins with. */
export async function createSchoolCommand([id_text, school_name, type_text = '1']: string[], env: Environment): Promise<void> {
  const school_id = Number(id_text)
  if (!Number.isInteger(school_id) || school_id < 1 || school_id > largest) throw new Error('usage: create-school <number> <name> [1 school | 2 enterprise]')
  if (!school_name || school_name.length > longest_name) throw new Error(`the name has 1 to ${longest_name} signs`)
  const school_type = type_text === '2' ? 2 : 1
  const config = loadConfig(env)
  const app = await makeApp({ config, env })
  const database = await openConfigured(config)
  try {
    await refuseUninstalled(database)
    if ((await knownSchools(database)).includes(school_id)) throw new Error(`school ${school_id} exists already`)
    await createSchool({ app, database }, { school_id, school_name, school_type })
    process.stdout.write(`school ${school_id} ${school_name} is ready at /${school_id}; its administrators are made in the console by a super account\n`)
  } finally {
    await database.close()
  }
}

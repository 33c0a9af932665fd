import { followLimits, probeDevice } from '@campus/devices/server'
import { loadConfig } from '@kit/server/config'
import { openConfigured } from '../boot.ts'
import { knownSchools } from '../known-schools.ts'
import type { Environment } from './command.ts'
import { refuseUninstalled } from './installed.ts'

/** Asks a terminal that is connected what it takes, and has that be the limits of its model in every school. */
export async function device([what, device_sn]: string[], env: Environment): Promise<void> {
  if (what !== 'probe' || device_sn === undefined) throw new Error('usage: device probe <serial number>')
  const config = loadConfig(env)
  if (config.DATABASE_URL === undefined) throw new Error('the embedded database is open to the server alone: a probe needs PostgreSQL (DATABASE_URL)')
  const database = await openConfigured(config)
  try {
    await refuseUninstalled(database)
    const { model_code, limits, sentence } = await probeDevice(database, device_sn)
    process.stdout.write(`${device_sn}: ${sentence}\n${model_code}: ${JSON.stringify(limits)}\n`)
    for (const school_id of await knownSchools(database)) {
      const devices = await followLimits(database, school_id, model_code, new Date())
      if (devices > 0) process.stdout.write(`school ${school_id}: ${devices} devices of this model are worked out anew\n`)
    }
  } finally {
    await database.close()
  }
}

import { loadConfig } from '@kit/server/config'
import { secret_names } from '@kit/server/secrets'
import { makeApp, openConfigured } from '../boot.ts'
import { domains } from '../domains.ts'
import { forgetFormer, rotateKey } from '../rotation/rotation.ts'
import { serversAt } from '../rotation/rotation.queries.ts'
import type { Environment } from './command.ts'
import { refuseUninstalled } from './installed.ts'

const effects: Readonly<Record<(typeof secret_names)[number], string>> = {
  token_key: 'everybody signs in again',
  sm2_key: 'login pages that are open are loaded again; new pairs are made at once',
  data_key: 'everything sealed was sealed anew; imports and commands of before still open with the former key for 31 days, then run "campus rotate-keys --forget data_key"',
  id_index_key: 'the index of identity numbers was made anew; imports that were not confirmed are uploaded again, applied ones can no longer be undone; then run "campus rotate-keys --forget id_index_key --at-once"',
  seal_key: 'the journals go on under the new key; seals of before are checked through the hand-over, which both keys signed',
}

/** Exchanges a secret of the installation for a new one; the servers are stopped meanwhile. */
export async function rotateKeys(args: string[], env: Environment): Promise<void> {
  const name = secret_names.find(known => known === args.find(arg => !arg.startsWith('--')))
  if (!name) throw new Error(`usage: rotate-keys [--forget [--at-once]] ${secret_names.join('|')}`)
  const started = new Date()
  const config = loadConfig(env)
  const app = await makeApp({ config, env })
  const database = await openConfigured(config)
  const told = (line: string) => void process.stdout.write(`${line}\n`)
  try {
    await refuseUninstalled(database)
    const servers = await serversAt(database, started)
    if (servers > 0) throw new Error(`servers are at work on this database (${servers} sessions): stop all of them first`)
    for (const domain of domains) domain.compose?.({ app, database })
    const desk = { app, database, config, env, now: new Date(), told }
    if (args.includes('--forget')) {
      await forgetFormer(desk, name, args.includes('--at-once'))
      told(`${name}: the former key is given up`)
      return
    }
    await rotateKey(desk, name)
    told(`${name} exchanged: ${effects[name]}. Copy the new secrets file to the safe, and to every other server, before they are started`)
  } finally {
    await database.close()
  }
}

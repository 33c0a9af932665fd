import { loadConfig } from '@kit/server/config'
import { migrationStatus } from '@kit/server/db'
import { allMigrations, install, makeApp, openConfigured } from '../boot.ts'
import { domains } from '../domains.ts'
import { months_ahead_of_operator, turnAllMonths } from '../months.ts'
import type { Environment } from './command.ts'

/** `up` applies what is missing; `status` lists every migration with the time it ran. */
export async function migrateCommand([what]: string[], env: Environment): Promise<void> {
  if (what !== 'up' && what !== 'status') throw new Error('usage: migrate up|status')
  const config = loadConfig(env)
  const database = await openConfigured(config)
  try {
    if (what === 'up') {
      const app = await makeApp({ config, env })
      const applied = await install({ app, database })
      // A server without the owner's address cannot make months itself.
      await turnAllMonths({ app, database }, domains, months_ahead_of_operator)
      process.stdout.write(applied.length === 0 ? 'nothing to do\n' : `applied: ${applied.join(', ')}\n`)
      return
    }
    const rows = await migrationStatus(database, await allMigrations())
    for (const row of rows) process.stdout.write(`${row.name}  ${row.applied_at?.toISOString() ?? 'not applied'}\n`)
  } finally {
    await database.close()
  }
}

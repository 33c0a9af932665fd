import { hashPassword, resetSuperPassword, superAccounts } from '@campus/identity/server'
import type { Own } from '@campus/identity/server'
import { loadConfig } from '@kit/server/config'
import { openConfigured } from '../boot.ts'
import type { Environment } from './command.ts'
import { randomPassword } from './random-password.ts'

/** Gives a super account another one-time password; the machine's administrator stands for who the person is. */
export async function resetAdminPassword([username]: string[], env: Environment): Promise<void> {
  if (username === undefined) throw new Error('usage: reset-admin-password <username>')
  const database = await openConfigured(loadConfig(env))
  const own: Own = (school_id, fn) => database.tenant(school_id, fn)
  try {
    const password = randomPassword()
    const is_reset = await resetSuperPassword(own, username, await hashPassword(password), new Date())
    if (!is_reset) throw new Error(`${username} is no super account; there are: ${(await superAccounts(own)).join(', ') || 'none, make one with create-admin'}`)
    process.stdout.write(`account: ${username}\npassword (shown this once, to be changed at the next login): ${password}\n`)
  } finally {
    await database.close()
  }
}

import { hashPassword } from '@campus/identity/server'
import { checkAccount } from '@kit/contract/checks'
import { loadConfig } from '@kit/server/config'
import { openConfigured } from '../boot.ts'
import type { Environment } from './command.ts'
import { refuseUninstalled } from './installed.ts'
import { randomPassword } from './random-password.ts'
import { makeSuperAccount } from './super-account.ts'

/** Longest name that can be typed on the login page. */
const typed_length = 11
const longest_name = 50

/** Makes a super account on an installed database. Its password is shown once, and the first login asks for another one. */
export async function createAdmin([username, user_name = '超级管理员']: string[], env: Environment): Promise<void> {
  if (username === undefined) throw new Error('usage: create-admin <username> [name]')
  const refused = checkAccount(username)
  if (refused) throw new Error(refused)
  if (username.length > typed_length) throw new Error(`超过${typed_length}位的账号不能在登录页手工输入`)
  if (user_name.length > longest_name) throw new Error(`the name has more than ${longest_name} signs`)
  const database = await openConfigured(loadConfig(env))
  try {
    await refuseUninstalled(database)
    const password = randomPassword()
    await makeSuperAccount(database, { username, user_name, password_hash: await hashPassword(password), pwd_state: 2, pwd_set_at: new Date() })
    process.stdout.write(`account: ${username}\npassword (shown this once, to be changed at the first login): ${password}\n`)
  } finally {
    await database.close()
  }
}

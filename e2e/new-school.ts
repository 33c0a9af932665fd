import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openConfigured } from '@apps/server/testing'
import { ensureUsers, grantRole } from '@campus/identity/server'
import { loadConfig } from '@kit/server/config'

const run = promisify(execFile)
const cli = join(import.meta.dirname, '../apps/server/dist/cli.js')
const staff_kind = 2
const admin_role = 'SYS001_SchoolAdmin'

type Tables = { account: { user_id: string; username: string | null }; role: { school_id: number; role_id: string; code: string } }

/** Makes a school in which nothing is yet and gives a demo account its administration, while its server is stopped; `settings` are that server's. */
export async function openNewSchool(settings: Record<string, string>, school: { school_id: number; school_name: string; account: string }): Promise<void> {
  const { school_id, school_name, account } = school
  const { CAMPUS_CITUS_GUARD: _guard, ...own } = process.env
  const env = { ...own, CAMPUS_ENV: 'test', CAMPUS_PROFILE: 'demo', ...settings }
  await run(process.execPath, [cli, 'create-school', String(school_id), school_name], { env })
  const database = await openConfigured(loadConfig(env))
  try {
    await database.tenant<Tables, void>(school_id, async db => {
      const { user_id } = await db.selectFrom('account').select('user_id').where('username', '=', account).executeTakeFirstOrThrow()
      const { role_id } = await db.selectFrom('role').select('role_id').where('school_id', '=', school_id).where('code', '=', admin_role).executeTakeFirstOrThrow()
      await ensureUsers(db, school_id, [{ user_id, user_no: account, user_name: '新校管理员', user_kind: staff_kind }])
      await grantRole(db, school_id, [{ role_id, user_id, valid_from: new Date() }])
    })
  } finally {
    await database.close()
  }
}

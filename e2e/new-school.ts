import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ensureUsers, grantRole } from '@campus/identity/server'
import { openDatabase } from '@kit/server/db'

const run = promisify(execFile)
const cli = join(import.meta.dirname, '../apps/server/cli.ts')
const staff_kind = 2
const admin_role = 'SYS001_SchoolAdmin'

type Tables = { account: { user_id: string; username: string | null }; role: { school_id: number; role_id: string; code: string } }

/** Makes a school in which nothing is yet and gives a demo account its administration, while the server of the data directory is stopped. */
export async function openNewSchool(data_dir: string, school: { school_id: number; school_name: string; account: string }): Promise<void> {
  const { school_id, school_name, account } = school
  await run(process.execPath, [cli, 'create-school', String(school_id), school_name], { env: { ...process.env, CAMPUS_ENV: 'test', CAMPUS_PROFILE: 'demo', CAMPUS_DATA_DIR: data_dir } })
  const database = await openDatabase({ data_dir: join(data_dir, 'db') })
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

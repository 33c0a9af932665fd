import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hashPassword } from '@campus/identity/server'
import { createDepts, enrolStudents } from '@campus/people/server'
import type { NewStudent } from '@campus/people/server'
import { makeSuperAccount } from '../cli/super-account.ts'
import { startTestApp, test_schools } from '../testing/index.ts'

/** The school with pupils. */
export const school_id = test_schools.a
const from = '2026-09-01'
/** Three pupils with identity numbers. */
const numbers = ['370200202005120019', '370200202005120027', '370200202005120035']
/** A super account that can sign in, with a password of its own. */
export const superuser = { username: 'superadmin', password: 'Super@Pass26' }

/** Settings of a data directory on disk with one class of pupils and no demo data, and the token of somebody who may do everything in its school. */
export type PreparedSuper = { settings: Record<string, string>; token: string; remove(): Promise<void> }

type PeopleHandle = Parameters<typeof createDepts>[0]

/**
 * Makes it in this process and lets go of it, so that server processes can take over; `more`: pupils beside the three. `numbered`: how many have an identity
 * number, the three among them.
 */
export async function prepareSuper(more = 0, given: Record<string, string> = {}, numbered = numbers.length): Promise<PreparedSuper> {
  const data_dir = given.CAMPUS_DATA_DIR ?? (await mkdtemp(join(tmpdir(), 'campus-keys-')))
  const settings = { ...given, CAMPUS_DATA_DIR: data_dir }
  const app = await startTestApp({ settings })
  try {
    const { database } = app.running
    await database.tenant<unknown, unknown>(school_id, async db => {
      const handle: PeopleHandle = db.withTables()
      const cohort = { tree: 'student' as const, stage: '1', grade: '11', enrol_year: 2026 }
      const depts = await createDepts(handle, school_id, [
        { key: 'grade', parent: null, dept_name: '一年级', dept_type: 3, ...cohort },
        { key: 'class', parent: 'grade', dept_name: '1班', dept_type: 4, class_no: 1, ...cohort },
      ], from)
      const pupil = (at: number): NewStudent => ({ user_name: `学生${at}`, student_no: `S${at}`, enrol_month: '202609', from, dept_id: depts.get('class') ?? '' })
      const ids = Array.from({ length: numbered }, (_, at) => numbers[at] ?? `HK${at}`)
      const known = ids.map((id_no, at) => ({ ...pupil(at), id_type: '1', id_no }))
      const others = Array.from({ length: more }, (_, at) => pupil(known.length + at))
      return enrolStudents(handle, app.running.app.secrets, school_id, [...known, ...others])
    })
    const { token } = await app.as({ school_id, codes: 'all' })
    const { username, password } = superuser
    await makeSuperAccount(database, { username, user_name: '管理员', password_hash: await hashPassword(password), pwd_state: 1, pwd_set_at: new Date() })
    return { settings, token, remove: () => rm(data_dir, { recursive: true, force: true }) }
  } finally {
    await app.close()
  }
}

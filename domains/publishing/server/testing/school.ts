import type { TestApp, TestUser } from '@apps/server/testing'
import { grantRole, startSession } from '@campus/identity/server'
import type { Own } from '@campus/identity/server'
import { createDepts, enrolStudents, linkGuardians } from '@campus/people/server'

type PeopleHandle = Parameters<typeof createDepts>[0]
export type Class = { dept_id: string; pupils: string[] }

/** Two classes of a grade with three pupils each; every pupil but the last of the second class has a mother, the first two share a father. */
export async function makeClasses(app: TestApp, school_id: number, grade = '13'): Promise<{ first: Class; second: Class; mothers: string[]; father: string }> {
  const { secrets } = app.running.app
  const cohort = { tree: 'student' as const, grade, enrol_year: 2024, stage: grade.startsWith('1') ? '1' : '2' }
  return app.running.database.tenant(school_id, async (db: PeopleHandle) => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    const ids = await createDepts(db, school_id, [
      { key: 'grade', parent: root.id, dept_name: `年级${grade}`, dept_type: 3, ...cohort },
      { key: 'class 1', parent: 'grade', dept_name: `${grade}年级1班`, dept_type: 4, class_no: 1, ...cohort },
      { key: 'class 2', parent: 'grade', dept_name: `${grade}年级2班`, dept_type: 4, class_no: 2, ...cohort },
    ], '2026-09-01')
    const drafts = Array.from({ length: 6 }, (_, at) => ({ user_name: `学生${grade}${at}`, student_no: `P${grade}${at}`, sex: '1', enrol_month: '202409', dept_id: ids.get(at < 3 ? 'class 1' : 'class 2') ?? '', from: '2026-09-01' }))
    const pupils = await enrolStudents(db, secrets, school_id, drafts)
    const linked = await linkGuardians(db, secrets, school_id, [
      ...pupils.slice(0, 5).map((student_user_id, at) => ({ student_user_id, user_name: `母亲${grade}${at}`, mobile: `169${grade}00000${at}`.padEnd(11, '0'), relation: '52', is_first: true, is_guardian: true, from: '2026-09-01' })),
      ...pupils.slice(0, 2).map(student_user_id => ({ student_user_id, user_name: `父亲${grade}`, mobile: `169${grade}00009`.padEnd(11, '9'), relation: '51', is_first: false, is_guardian: true, from: '2026-09-01' })),
    ])
    return { first: { dept_id: ids.get('class 1') ?? '', pupils: pupils.slice(0, 3) }, second: { dept_id: ids.get('class 2') ?? '', pupils: pupils.slice(3) }, mothers: linked.slice(0, 5).map(id => id ?? ''), father: linked[5] ?? '' }
  })
}

const sessions = new Map<string, Promise<string>>()

/** A session of a person who is there already. */
export function sessionOf(app: TestApp, by: TestUser, user_id: string): Promise<string> {
  const key = `${app.url} ${user_id}`
  const session = sessions.get(key) ?? startOne(app, by, user_id)
  sessions.set(key, session)
  return session
}

async function startOne(app: TestApp, by: TestUser, user_id: string): Promise<string> {
  const { app: node, database } = app.running
  const { school_id, role_id } = by
  const now = app.clock.now()
  const [role_no = ''] = await database.tenant(school_id, db => grantRole(db, school_id, [{ role_id, user_id, valid_from: now }]))
  const own: Own = (id, fn) => database.tenant(id, fn)
  return (await startSession({ app: node, now, own }, { school_id, user_id, role_no, device_label: '手机', ip: '127.0.0.1' })).token
}

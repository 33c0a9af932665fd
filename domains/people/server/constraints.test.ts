import { startTestApp } from '@apps/server/testing'
import type { TestApp } from '@apps/server/testing'
import { constraintOf } from '@kit/server/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db, PeopleDb } from './db.ts'
import { createDepts } from './dept.create.ts'
import { linkGuardians } from './guardian.create.ts'
import { buildSmallSchool } from './people.builders.ts'
import type { SmallSchool } from './people.builders.ts'
import { hireStaff } from './staff.create.ts'

const school_id = 1001
let app: TestApp
let school: SmallSchool

beforeAll(async () => {
  app = await startTestApp()
  school = await inSchool(async db => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    return buildSmallSchool(db, app.running.app.secrets, school_id, root.id)
  })
})

afterAll(() => app.close())

function inSchool<R>(fn: (db: Db) => Promise<R>): Promise<R> {
  return app.running.database.tenant<PeopleDb, R>(school_id, fn)
}

/** Name of the constraint that refuses; '' when nothing does. What was written is taken back. */
async function refusal(fn: (db: Db) => Promise<unknown>): Promise<string> {
  const undo = new Error('taken back')
  try {
    await inSchool(async db => {
      await fn(db)
      throw undo
    })
  } catch (error) {
    if (error !== undo) return constraintOf(error)?.constraint ?? String(error)
  }
  return ''
}

test('20-A1 a pupil has one home class a day', async () => {
  const second = { school_id, user_id: school.pupils[0] ?? '', dept_id: school.class_2, member_kind: 'student', dept_type: 4, valid_from: '2026-10-01' }
  expect(await refusal(db => db.insertInto('dept_member').values(second).execute())).toBe('dept_member_one_class')
})

test('20-A1 a class has one head teacher a day', async () => {
  const second = { school_id, dept_id: school.class_1, user_id: school.teachers[1] ?? '', duty: 'head', valid_from: '2026-10-01' }
  expect(await refusal(db => db.insertInto('dept_duty').values(second).execute())).toBe('dept_duty_one_head')
})

test('20-A1 a pupil has one first contact a day', async () => {
  const second = { student_user_id: school.pupils[0] ?? '', user_name: '王大', mobile: '16900000009', relation: '61', is_first: true, is_guardian: true, from: school.from }
  expect(await refusal(db => linkGuardians(db, app.running.app.secrets, school_id, [second]))).toBe('guardian_link_one_first')
})

test('20-A1 a mobile belongs to one living person', async () => {
  const same = { user_name: '教师三', teacher_no: 'T3', kind: '11', join_month: '202609', mobile: '16910000001', from: school.from, depts: [] }
  expect(await refusal(db => hireStaff(db, app.running.app.secrets, school_id, [same]))).toBe('person_mobile_live')
})

test('20-A16 sibling departments of one day have different names', async () => {
  const club = { key: 'a', parent: school.office, dept_name: '兴趣组', dept_type: 99, tree: 'staff' as const }
  expect(await refusal(db => createDepts(db, school_id, [club, { ...club, key: 'b' }], school.from))).toBe('dept_version_sibling_name')
})

test('20-A16 a name that ended may be given again', async () => {
  const club = { key: 'a', parent: school.office, dept_name: '兴趣组', dept_type: 99, tree: 'staff' as const }
  expect(await refusal(async db => {
    const ids = await createDepts(db, school_id, [club], school.from)
    await db.updateTable('dept_version').set({ valid_to: '2027-09-01' }).where('school_id', '=', school_id).where('dept_id', '=', ids.get('a') ?? '').execute()
    await createDepts(db, school_id, [club], '2027-09-01')
  })).toBe('')
})

test('a pupil stands under a class, never under a grade', async () => {
  const row = { school_id, user_id: school.pupils[0] ?? '', dept_id: school.grade, member_kind: 'student', dept_type: 3, valid_from: '2030-09-01' }
  expect(await refusal(db => db.insertInto('dept_member').values(row).execute())).toBe('dept_member_pupil_in_class')
})

test('a pupil may move from one class to the next on a day', async () => {
  const user_id = school.pupils[0] ?? ''
  expect(await refusal(async db => {
    await db.updateTable('dept_member').set({ valid_to: '2026-10-01' }).where('school_id', '=', school_id).where('user_id', '=', user_id).execute()
    await db.insertInto('dept_member').values({ school_id, user_id, dept_id: school.class_2, member_kind: 'student', dept_type: 4, valid_from: '2026-10-01' }).execute()
  })).toBe('')
})

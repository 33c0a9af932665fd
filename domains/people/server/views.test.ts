import { startTestApp } from '@apps/server/testing'
import type { TestApp } from '@apps/server/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db, PeopleDb } from './db.ts'
import { buildSmallSchool } from './people.builders.ts'
import type { SmallSchool } from './people.builders.ts'

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

test('live people are pupils, staff and parents', async () => {
  const rows = await inSchool(db => db.selectFrom('live_person').select(['person_kind', 'user_name', 'user_no']).where('school_id', '=', school_id).orderBy('person_kind').orderBy('user_name').execute())
  expect(rows.map(row => row.person_kind)).toEqual([1, 1, 1, 2, 2, 3, 3, 3])
  expect(rows.find(row => row.user_name === '王志强')?.user_no).toMatch(/^P[0-9]+$/)
})

test('a live pupil has class, grade and the day he came', async () => {
  const rows = await inSchool(db => db.selectFrom('live_student').selectAll().where('school_id', '=', school_id).where('student_no', '=', '20260101').execute())
  expect(rows).toMatchObject([{ dept_id: school.class_1, dept_name: '一年级1班', grade_dept_id: school.grade, grade: '11', stage: '1', member_since: school.from, by_bus: false }])
})

test('a head teacher shows the duty and the department', async () => {
  const [row] = await inSchool(db => db.selectFrom('live_staff').selectAll().where('school_id', '=', school_id).where('teacher_no', '=', 'T1').execute())
  expect(row).toMatchObject({ primary_dept_id: school.office, dept_ids: [school.office], duties: [`head:${school.class_1}`] })
})

test('a pupil who leaves is gone from the live views, his last guardian with him, his name stays for old events', async () => {
  const left = school.pupils[2] ?? ''
  await inSchool(async db => {
    await db.updateTable('student_span').set({ valid_to: '2026-09-02', close_kind: 'OUT' }).where('school_id', '=', school_id).where('user_id', '=', left).execute()
    await db.updateTable('dept_member').set({ valid_to: '2026-09-02' }).where('school_id', '=', school_id).where('user_id', '=', left).execute()
  })
  const names = await inSchool(db => db.selectFrom('live_person').select('user_name').where('school_id', '=', school_id).execute())
  expect(names.map(row => row.user_name)).not.toContain('单小明')
  expect(names.map(row => row.user_name)).not.toContain('单大山')
  const label = await inSchool(db => db.selectFrom('person_label').selectAll().where('school_id', '=', school_id).where('user_id', '=', left).executeTakeFirstOrThrow())
  expect(label).toMatchObject({ display_name: '单小明', last_dept_name: '一年级2班', person_kind: 1, status: 'live' })
})

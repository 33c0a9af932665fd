import { join } from 'node:path'
import { constraintOf, migrate, openDatabase, readMigrations } from '@kit/server/db'
import type { Database } from '@kit/server/db'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db, PeopleDb } from './db.ts'
import { createDepts } from './dept.create.ts'
import { linkGuardians } from './guardian.create.ts'
import { hireStaff } from './staff.create.ts'
import { enrolStudents } from './student.create.ts'

const school_id = 1001
const keys = { data_key: Buffer.alloc(32, 1), id_index_key: Buffer.alloc(32, 2) }
const from = '2026-09-01'
const migrated = ['kit', 'domains/school', 'domains/identity', 'domains/people']

let database: Database
let class_1 = ''
let class_2 = ''
let pupil = ''
let teachers: string[] = []

beforeAll(async () => {
  database = await openDatabase({ data_dir: 'memory://' })
  const root = join(import.meta.dirname, '../../..')
  await migrate(database, await readMigrations(migrated.map(dir => join(root, dir, 'server/migrations'))))
  await inSchool(async db => {
    const ids = await createDepts(db, school_id, [
      { key: 'root', parent: null, dept_name: '启明实验学校', dept_type: 1, tree: 'both' },
      { key: 'grade', parent: 'root', dept_name: '一年级', dept_type: 3, tree: 'student', grade: '11', enrol_year: 2026 },
      { key: 'class 1', parent: 'grade', dept_name: '一年级1班', dept_type: 4, tree: 'student', grade: '11', enrol_year: 2026, class_no: 1 },
      { key: 'class 2', parent: 'grade', dept_name: '一年级2班', dept_type: 4, tree: 'student', grade: '11', enrol_year: 2026, class_no: 2 },
    ], from)
    class_1 = ids.get('class 1') ?? ''
    class_2 = ids.get('class 2') ?? ''
    const pupils = [{ user_name: '王子涵', sex: '1', student_no: '20260101', enrol_month: '202609', dept_id: class_1, from }]
    pupil = (await enrolStudents(db, keys, school_id, pupils))[0] ?? ''
    const staff = (no: string, mobile: string) => ({ user_name: `教师${no}`, sex: '2', teacher_no: no, kind: '11', join_month: '202609', mobile, from })
    teachers = await hireStaff(db, keys, school_id, [
      { ...staff('T1', '16910000001'), depts: [{ dept_id: class_1 }], duties: [{ dept_id: class_1, duty: 'head' }] },
      { ...staff('T2', '16910000002'), depts: [] },
    ])
    await linkGuardians(db, keys, school_id, [guardian({ user_name: '王志强', mobile: '16900000001', is_first: true })])
  })
})

afterAll(() => database.close())

function inSchool<R>(fn: (db: Db) => Promise<R>): Promise<R> {
  return database.tenant<PeopleDb, R>(school_id, fn)
}

function guardian(more: { user_name: string; mobile: string; is_first: boolean }) {
  return { student_user_id: pupil, relation: '51', is_guardian: true, from, ...more }
}

/** Name of the constraint that refuses; '' when nothing does. */
async function refusal(fn: (db: Db) => Promise<unknown>): Promise<string> {
  try {
    await inSchool(fn)
    return ''
  } catch (error) {
    return constraintOf(error)?.constraint ?? String(error)
  }
}

test('20-A1 a pupil has one home class a day', async () => {
  const second = { school_id, user_id: pupil, dept_id: class_2, member_kind: 'student', dept_type: 4, valid_from: '2026-10-01' }
  expect(await refusal(db => db.insertInto('dept_member').values(second).execute())).toBe('dept_member_one_class')
})

test('20-A1 a class has one head teacher a day', async () => {
  const second = { school_id, dept_id: class_1, user_id: teachers[1] ?? '', duty: 'head', valid_from: '2026-10-01' }
  expect(await refusal(db => db.insertInto('dept_duty').values(second).execute())).toBe('dept_duty_one_head')
})

test('20-A1 a pupil has one first contact a day', async () => {
  const second = guardian({ user_name: '李秀芳', mobile: '16900000002', is_first: true })
  expect(await refusal(db => linkGuardians(db, keys, school_id, [second]))).toBe('guardian_link_one_first')
})

test('20-A1 a mobile belongs to one living person', async () => {
  const same = { user_name: '教师T3', teacher_no: 'T3', kind: '11', join_month: '202609', mobile: '16910000001', from, depts: [] }
  expect(await refusal(db => hireStaff(db, keys, school_id, [same]))).toBe('person_mobile_live')
})

test('20-A16 sibling departments of one day have different names', async () => {
  const class_3 = { key: 'c', parent: class_1, dept_name: '兴趣组', dept_type: 99, tree: 'student' as const }
  expect(await refusal(db => createDepts(db, school_id, [class_3, { ...class_3, key: 'd' }], from))).toBe('dept_version_sibling_name')
})

test('a pupil may move from one class to the next on a day', async () => {
  expect(await refusal(async db => {
    await db.updateTable('dept_member').set({ valid_to: '2026-10-01' }).where('school_id', '=', school_id).where('user_id', '=', pupil).execute()
    await db.insertInto('dept_member').values({ school_id, user_id: pupil, dept_id: class_2, member_kind: 'student', dept_type: 4, valid_from: '2026-10-01' }).execute()
    throw new Error('rolled back')
  })).toContain('rolled back')
})

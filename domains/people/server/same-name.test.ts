import { dataOf, startTestApp } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { studentApi, studentFileApi } from '@campus/people/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PeopleDb } from './db.ts'
import { line } from './import/import.builders.ts'
import { scanDuplicates } from './merge/case.scan.ts'
import type { SmallSchool } from './people.builders.ts'
import { schoolDay } from './day.ts'
import { importer } from './testing/importer.ts'
import { openSchool } from './testing/changer.ts'

const school_id = 1001
const codes = ['people.student.view', 'people.student.edit', 'people.student.import']
const nobody = { p2_name: '', p2_relation: '', p2_mobile: '', p2_guardian: '' }
let app: TestApp
let school: SmallSchool
let clerk: TestUser

beforeAll(async () => {
  app = await startTestApp()
  school = await openSchool(app, school_id)
  clerk = await app.as({ school_id, codes })
})
afterAll(() => app.close())

const enrol = (user_name: string, student_no: string, mobile: string, parent = '古丽父') =>
  app.call(studentFileApi.create, { dept_id: school.class_2, user_name, sex: '2', student_no, parents: [{ user_name: parent, mobile, relation: '51' }] }, { token: clerk.token })
const found = async (keyword: string) => dataOf(studentApi.list, await app.call(studentApi.list, { keyword }, { token: clerk.token })).list.map(row => row.student_no)

test('a name is kept as it is typed and found by every other way to write it, and by its pinyin', async () => {
  expect((await enrol('古丽•测试', 'st418a', '16970000001')).status).toBe(200)
  expect((await enrol('Mari\u0301a　Lopez', 'ST500', '16970000002')).status).toBe(200)
  for (const typed of ['古丽·测试', '古丽・测', '丽‧测试', 'guliceshi', 'gu li·ce shi', 'ST418a', 'st41']) expect(await found(typed), typed).toEqual(['st418a'])
  for (const typed of ['María lopez', 'MARÍA', 'ｍａｒíａ', 'maria']) expect(await found(typed), typed).toEqual(['ST500'])
})

test('numbers that differ in case only are one, for pupils and staff, also between two who come at once', async () => {
  const taken = await enrol('王一', 'ST418A', '16970000003')
  expect([taken.status, taken.body.error_id]).toEqual([409, 'people.studentNoTaken'])
  const both = await Promise.all([enrol('王二', 'tw77x', '16970000004'), enrol('王三', 'TW77X', '16970000005')])
  expect(both.map(answer => answer.status).toSorted()).toEqual([200, 409])
})

test('a guardian of the same mobile whose name only looks the same joins, by form and by sheet', async () => {
  expect((await enrol('周一', 'G1', '16970000010', '阿依·木'))).toMatchObject({ status: 200 })
  expect((await enrol('周二', 'G2', '16970000010', '阿依・ 木'))).toMatchObject({ status: 200 })
  expect((await enrol('周三', 'G3', '16970000010', '阿依木')).status).toBe(409)
  const by = importer(app, clerk)
  const own = { school_roll_no: '', id_type: '护照', birthday: '20180512', p1_name: '阿依‧木', p1_mobile: '16970000010', ...nobody }
  const batch = await by.dryRun('student', [
    line({ user_name: '周四', student_no: 'G4', id_no: 'EO970001', ...own }),
    line({ user_name: '古丽・测试', student_no: 'ST418A', id_no: 'EO970002', ...own, p1_name: '古丽 父', p1_mobile: '16970000001', remark: '三好' }),
  ])
  const rows = await by.rows(batch.batch_no)
  expect(rows.map(row => [row.verdict, row.errors])).toEqual([['new', []], ['change', []]])
  expect(rows[1]?.diff.filter(({ prop }) => prop === 'user_name' || prop === 'student_no')).toEqual([])
  expect(await by.apply(batch.batch_no)).toMatchObject({ rows_applied: 2, rows_recheck: 0 })
  const { rows: kept } = await app.running.database.tenant<PeopleDb, { rows: unknown[] }>(school_id, db => sql`
    select p.user_name, s.remark from person p join student s on s.school_id = p.school_id and s.user_id = p.user_id where s.school_id = ${school_id} and s.student_no = 'st418a'`.execute(db))
  expect(kept).toEqual([{ user_name: '古丽•测试', remark: '三好' }])
})

test('two files whose names only look the same are proposed to be merged', async () => {
  const birthday = { birthday: '2019-03-04' }
  for (const [name, no] of [['买买提·江', 'M1'], ['买买提 • 江', 'M2']] as const) {
    const draft = { dept_id: no === 'M1' ? school.class_1 : school.class_2, user_name: name, sex: '1', student_no: no, ...birthday, parents: [{ user_name: '江父', mobile: `1697000003${no.slice(1)}`, relation: '51' }] }
    expect((await app.call(studentFileApi.create, draft, { token: clerk.token })).status).toBe(200)
  }
  const now = app.clock.now()
  await app.running.database.tenant<PeopleDb, number>(school_id, db => scanDuplicates(db, school_id, schoolDay(now), now))
  const { rows } = await app.running.database.tenant<PeopleDb, { rows: { signals: string[] }[] }>(school_id, db => sql<{ signals: string[] }>`select signals from merge_case where school_id = ${school_id}`.execute(db))
  expect(rows.some(row => row.signals.includes('name_birthday'))).toBe(true)
})

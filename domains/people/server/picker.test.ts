import { dataOf, startTestApp } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { pickerApi } from '@campus/people/contract'
import type { Request } from '@kit/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PeopleDb } from './db.ts'
import { buildSmallSchool } from './people.builders.ts'
import type { SmallSchool } from './people.builders.ts'

const codes = ['people.picker.use']
let app: TestApp
let school: SmallSchool
let clerk: TestUser

beforeAll(async () => {
  app = await startTestApp()
  school = await makeSchool(1001)
  await makeSchool(1002)
  clerk = await app.as({ school_id: 1001, codes })
})

afterAll(() => app.close())

async function makeSchool(school_id: number): Promise<SmallSchool> {
  const { app: running, database } = app.running
  return database.tenant<PeopleDb, SmallSchool>(school_id, async db => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    return buildSmallSchool(db, running.secrets, school_id, root.id)
  })
}

async function picked(query: Request<typeof pickerApi.teacher>, who = clerk) {
  const answer = await app.call(pickerApi.teacher, query, { token: who.token })
  return pickerApi.teacher.details.reply.parse(answer.body.data).list
}
const names = async (query: Request<typeof pickerApi.teacher>, who = clerk) => (await picked(query, who)).map(person => person.user_name)

test('a chooser shows staff with number and department, by pinyin', async () => {
  expect((await picked({})).map(({ user_name, user_no, label }) => ({ user_name, user_no, label }))).toEqual([
    { user_name: '陈晓华', user_no: 'T1', label: '教务处' },
    { user_name: '周明', user_no: 'T2', label: '教务处' },
  ])
})

test.each([
  ['晓', ['陈晓华']],
  ['zhoum', ['周明']],
  ['cxh', ['陈晓华']],
  ['T2', ['周明']],
  ['王', []],
  ['%', []],
])('the chooser is searched by %s', async (keyword, found) => {
  expect(await names({ keyword })).toEqual(found)
})

test.each([
  ['涵', ['王子涵']],
  ['wangzix', ['王子轩']],
  ['202601', ['王子涵', '王子轩']],
  ['370200202005120019', []],
  ['13900000001', []],
])('the chooser of pupils is searched by %s', async (keyword, found) => {
  const answer = await app.call(pickerApi.student, { keyword }, { token: clerk.token })
  expect(dataOf(pickerApi.student, answer).list.map(person => person.user_name).toSorted()).toEqual(found.toSorted())
})

test('20-A35 a chooser of pupils stays within the class and the school', async () => {
  const head = await app.as({ school_id: 1001, codes, scope: 'custom', scope_ids: [school.class_1] })
  const picked_by = async (who: TestUser, ids?: string) => dataOf(pickerApi.student, await app.call(pickerApi.student, { ids }, { token: who.token })).list.map(({ user_no, label }) => `${user_no} ${label}`)
  expect(await picked_by(head)).toEqual(['20260101 一年级1班', '20260102 一年级1班'])
  expect(await picked_by(head, school.pupils[2])).toEqual([])
  expect(await picked_by(await app.as({ school_id: 1002, codes }), school.pupils.join(','))).toEqual([])
})

test('the chooser is narrowed by department and by ids', async () => {
  expect(await names({ dept_id: school.office })).toEqual(['陈晓华', '周明'])
  expect(await names({ dept_id: school.grade })).toEqual([])
  expect(await names({ ids: school.teachers[1] ?? '' })).toEqual(['周明'])
})

test('20-A35 a chooser stays within the scope and the school', async () => {
  const outsider = await app.as({ school_id: 1001, codes, scope: 'custom', scope_ids: [school.grade] })
  expect(await names({}, outsider)).toEqual([])
  const insider = await app.as({ school_id: 1001, codes, scope: 'custom', scope_ids: [school.office] })
  expect(await names({}, insider)).toEqual(['陈晓华', '周明'])
  const stranger = await app.as({ school_id: 1002, codes })
  expect(await names({ ids: school.teachers.join(',') }, stranger)).toEqual([])
})

test('20-A12 who has left is in no chooser', async () => {
  await app.running.database.tenant<PeopleDb, void>(1001, async db => {
    await sql`update staff_span set valid_to = ${'2026-09-02'}::date where school_id = 1001 and user_id = ${school.teachers[1]}`.execute(db)
  })
  expect(await names({})).toEqual(['陈晓华'])
})

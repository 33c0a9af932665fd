import { dataOf, startTestApp } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { fieldApi, personApi, staffFileApi, studentFileApi } from '@campus/people/contract'
import type { Request } from '@kit/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PeopleDb } from '../db.ts'
import type { SmallSchool } from '../people.builders.ts'
import { openSchool } from '../testing/changer.ts'
import { importer } from '../testing/importer.ts'

type FieldInput = Request<typeof fieldApi.save>['list'][number]

const school_id = 1001
const codes = ['people.field.edit', 'people.student.view', 'people.student.edit', 'people.student.import', 'people.staff.view', 'people.staff.edit']
const refusal = '您所在的角色组不能修改该字段'
let app: TestApp
let school: SmallSchool
let nurse: TestUser
let clerk: TestUser

beforeAll(async () => {
  app = await startTestApp()
  school = await openSchool(app, school_id)
  await openSchool(app, 1002)
  nurse = await app.as({ school_id, codes })
  clerk = await app.as({ school_id, codes })
  const [here = ''] = await groupsOf(school_id, sql`role_id = ${nurse.role_id}`)
  const [other = ''] = await groupsOf(school_id, sql`role_group_id <> ${here}`)
  await app.running.database.tenant<PeopleDb, unknown>(school_id, db => sql`update role set role_group_id = ${other} where school_id = ${school_id} and role_id = ${clerk.role_id}`.execute(db))
  await define(1, [{ field_code: 'allergy', label: '过敏史', type: 'text', required: true, edit_by: [here] }, { field_code: 'hobby', label: '爱好', type: 'text' }])
  await define(2, [{ field_code: 'vaccine', label: '疫苗接种', type: 'text', edit_by: [here] }])
})
afterAll(() => app.close())

function groupsOf(of: number, where: ReturnType<typeof sql<boolean>>): Promise<string[]> {
  return app.running.database.tenant<PeopleDb, string[]>(of, async db => {
    const { rows } = await sql<{ id: string }>`select distinct role_group_id::text as id from role_v where school_id = ${of} and ${where} order by 1`.execute(db)
    return rows.map(row => row.id)
  })
}
const define = (field_scene: number, list: FieldInput[]) => app.call(fieldApi.save, { field_scene, list }, { token: nurse.token })
const file = async (id: string, who: TestUser) => dataOf(personApi.detail, await app.call(personApi.detail, { id }, { token: who.token }))
const may = async (id: string, who: TestUser) => (await file(id, who)).custom.map(field => [field.field_code, field.may_edit, field.value])
const errorsOf = ({ body }: Answer): unknown => (typeof body.data === 'object' && body.data !== null ? Reflect.get(body.data, 'errors') : null)

async function fill(user_id: string, ext: Record<string, string | null>, who: TestUser): Promise<Answer> {
  const { row_version } = await file(user_id, who)
  return app.call(studentFileApi.update, { user_id, row_version, ext }, { token: who.token })
}

test('a field kept to a role group is filled by its identities alone; others read it and change the rest', async () => {
  const [id = ''] = school.pupils
  expect((await fill(id, { allergy: '花生' }, nurse)).status).toBe(200)
  expect(await may(id, nurse)).toEqual([['allergy', true, '花生'], ['hobby', true, null]])
  expect(await may(id, clerk)).toEqual([['allergy', false, '花生'], ['hobby', true, null]])
  const refused = await fill(id, { allergy: '牛奶', hobby: '围棋' }, clerk)
  expect([refused.status, errorsOf(refused)]).toEqual([422, [{ field: 'ext.allergy', msg: refusal }]])
  expect((await fill(id, { allergy: '花生', hobby: '围棋' }, clerk)).status).toBe(200)
  expect(await may(id, nurse)).toEqual([['allergy', true, '花生'], ['hobby', true, '围棋']])
})

test('it is demanded of a new file only where its author may fill it', async () => {
  const draft = (student_no: string) => ({ dept_id: school.class_2, user_name: '林小雨', sex: '2', student_no, parents: [{ user_name: '林父', mobile: '16900018888', relation: '51' }] })
  expect(errorsOf(await app.call(studentFileApi.create, draft('E1'), { token: nurse.token }))).toEqual([{ field: 'ext.allergy', msg: '必填项不能为空' }])
  expect(errorsOf(await app.call(studentFileApi.create, { ...draft('E1'), ext: { allergy: '无' } }, { token: clerk.token }))).toEqual([{ field: 'ext.allergy', msg: refusal }])
  expect((await app.call(studentFileApi.create, draft('E1'), { token: clerk.token })).status).toBe(200)
})

test('a sheet changes it no more than a form, and may repeat what stands there', async () => {
  const by = importer(app, clerk)
  const own = [{ prop: 'ext.allergy', label: '过敏史' }]
  const judged = async (allergy: string) => by.rows((await by.upload('student', await by.sheet('student', [{ student_no: '20260101', 'ext.allergy': allergy }], own))).batch_no)
  expect((await judged('牛奶'))[0]?.errors.map(({ prop, msg }) => [prop, msg])).toEqual([['ext.allergy', refusal]])
  expect((await judged('花生')).map(row => [row.verdict, row.errors])).toEqual([['same', []]])
})

test('the same holds for staff; another school has other groups', async () => {
  const [user_id = ''] = school.teachers
  const { row_version } = dataOf(staffFileApi.detail, await app.call(staffFileApi.detail, { user_id }, { token: clerk.token }))
  const put = (who: TestUser) => app.call(staffFileApi.update, { user_id, row_version, ext: { vaccine: '已接种' } }, { token: who.token })
  expect(errorsOf(await put(clerk))).toEqual([{ field: 'ext.vaccine', msg: refusal }])
  expect((await put(nurse)).status).toBe(200)
  const [foreign = ''] = await groupsOf(1002, sql`true`)
  const { list } = dataOf(fieldApi.list, await app.call(fieldApi.list, { field_scene: 2 }, { token: nurse.token }))
  const lines = list.map(({ order_no: _order, used: _used, may_edit: _may, ...line }) => line)
  expect((await define(2, lines.map(line => ({ ...line, edit_by: [foreign] })))).status).toBe(404)
})

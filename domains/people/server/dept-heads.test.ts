import { dataOf } from '@apps/server/testing'
import type { TestUser } from '@apps/server/testing'
import type { Own } from '@campus/identity/server'
import { defineRole, grantRole, setRolePermissions, setRoleScope, startSession } from '@campus/identity/server'
import { studentApi } from '@campus/people/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDesk, told } from './testing/dept-desk.ts'
import type { DeptDesk } from './testing/dept-desk.ts'

let desk: DeptDesk
let chen: string
let zhou: string
/** his role whose scope follows the duty */
let role_no: string

beforeAll(async () => {
  desk = await openDesk()
  const [first = '', second = ''] = desk.school.teachers
  chen = first
  zhou = second
  role_no = await classTeacherRole(zhou)
})
afterAll(() => desk.app.close())

async function classTeacherRole(user_id: string): Promise<string> {
  const { app, database } = desk.app.running
  return database.tenant<unknown, string>(1001, async db => {
    const role_id = await defineRole(db, 1001, { code: 'CUS_HEAD', name: '班主任', group_code: 'SYS002' })
    await setRolePermissions(db, app, 1001, role_id, [...desk.codes])
    await setRoleScope(db, 1001, role_id, 'dept', 'class_teacher', [])
    const [made = ''] = await grantRole(db, 1001, [{ role_id, user_id, valid_from: desk.app.clock.now() }])
    return made
  })
}

/** 周明 signed in just now: a node remembers for a second what a session may do. */
async function zhouIn(): Promise<TestUser> {
  const { app, database } = desk.app.running
  const own: Own = (id, fn) => database.tenant(id, fn)
  const { token } = await startSession({ app, now: desk.app.clock.now(), own }, { school_id: 1001, user_id: zhou, role_no, device_label: '测试', ip: '127.0.0.1' })
  return { ...desk.registrar, token }
}

async function seen(): Promise<string[]> {
  const { token } = await zhouIn()
  return dataOf(studentApi.list, await desk.app.call(studentApi.list, {}, { token })).list.map(row => row.user_name)
}

describe('a class teacher', () => {
  test('sees the class as soon as he is named, and no longer once he is replaced', async () => {
    const { update, file, school } = desk
    expect(await seen()).toEqual([])
    expect((await update(school.class_2, { row_version: 1, head_user_id: zhou })).body.data).toEqual({ id: school.class_2, row_version: 2 })
    expect(await seen()).toEqual(['单小明'])
    expect(await file(school.class_2)).toMatchObject({ head: { user_id: zhou, user_name: '周明' }, vices: [] })
    await update(school.class_2, { row_version: 2, head_user_id: chen })
    expect(await seen()).toEqual([])
    await update(school.class_2, { row_version: 3, head_user_id: null, vice_user_ids: [zhou] })
    expect(await seen()).toEqual(['单小明'])
    expect(await file(school.class_2)).toMatchObject({ head: null, vices: [{ user_name: '周明' }] })
    await update(school.class_2, { row_version: 4, vice_user_ids: [] })
    expect(await seen()).toEqual([])
  })

  test('is nobody by leading a grade; of a class he edits that one and no other', async () => {
    const { update, school, reorder } = desk
    const { row_version } = await desk.file(school.class_2)
    await update(school.grade, { row_version: 1, head_user_id: zhou })
    expect((await desk.board()).find(grade => grade.id === school.grade)?.head).toMatchObject({ user_name: '周明' })
    expect(await seen()).toEqual([])
    await update(school.class_2, { row_version, head_user_id: zhou })
    expect(await seen()).toEqual(['单小明'])
    expect((await update(school.class_2, { row_version: row_version + 1, dept_name: '我的班' }, await zhouIn())).status).toBe(200)
    expect((await update(school.class_1, { row_version: 1, dept_name: '我的班' }, await zhouIn())).status).toBe(404)
    expect((await reorder(school.class_2, 1, await zhouIn())).status).toBe(404)
  })

  test('of a coming day does not see the class yet', async () => {
    const { opened, update, file, board, school, day } = desk
    const id = await opened(school.grade, { dept_name: '一年级5班', dept_type: 4, head_user_id: chen })
    await update(id, { row_version: 1, head_user_id: zhou, effective_on: day(7) })
    expect((await file(id)).head).toMatchObject({ user_id: chen })
    const headOf = async (on: string) => (await board(on)).flatMap(grade => grade.classes).find(one => one.id === id)?.head?.user_id
    expect([await headOf(day(6)), await headOf(day(7))]).toEqual([chen, zhou])
    const early = await update(id, { row_version: 2, head_user_id: null })
    expect(told(early)).toEqual([409, `部门自${day(7)}起已另有负责人安排，请选择${day(7)}或更晚的生效日期`])
    expect((await update(id, { row_version: 2, head_user_id: null, effective_on: day(7) })).status).toBe(200)
    expect([await headOf(day(6)), await headOf(day(7))]).toEqual([chen, undefined])
  })

  test('is one a day: of two named at once one is', async () => {
    const { opened, update, file, school } = desk
    const id = await opened(school.grade, { dept_name: '一年级6班', dept_type: 4 })
    const answers = await Promise.all([chen, zhou].map(head_user_id => update(id, { row_version: 1, head_user_id })))
    expect(answers.map(answer => answer.status).toSorted()).toEqual([200, 409])
    expect((await file(id)).head?.user_id).toBe(answers[0]?.status === 200 ? chen : zhou)
  })

  test('20-A1 two heads of one day are refused by the constraint', async () => {
    const { app, opened, school, today } = desk
    const dept_id = await opened(school.grade, { dept_name: '一年级9班', dept_type: 4, head_user_id: chen })
    type Duties = { dept_duty: { school_id: number; dept_id: string; user_id: string; duty: string; valid_from: string } }
    const second = app.running.database.tenant<Duties, unknown>(1001, db => db.insertInto('dept_duty').values({ school_id: 1001, dept_id, user_id: zhou, duty: 'head', valid_from: today }).execute())
    await expect(second).rejects.toMatchObject({ code: '23P01', constraint: 'dept_duty_one_head' })
  })

  test('is staff of the school', async () => {
    const { app, add, update, school } = desk
    const before = await app.checksum()
    const [pupil = ''] = school.pupils
    expect(told(await update(school.class_1, { row_version: 1, head_user_id: pupil }))).toEqual([422, '负责人须为本校在职教职工'])
    expect((await update(school.class_1, { row_version: 1, head_user_id: '999999999' })).status).toBe(404)
    expect((await add(school.grade, { dept_name: '一年级8班', dept_type: 4, head_user_id: pupil })).status).toBe(422)
    expect(await app.checksum()).toBe(before)
  })

  test('of two classes, named in both at once, sees both', async () => {
    const { opened, update, school } = desk
    const ids = [await opened(school.grade, { dept_name: '一年级21班', dept_type: 4 }), await opened(school.grade, { dept_name: '一年级22班', dept_type: 4 })]
    const answers = await Promise.all(ids.map(id => update(id, { row_version: 1, vice_user_ids: [zhou] })))
    expect(answers.map(answer => answer.status)).toEqual([200, 200])
    const facts = await desk.app.running.database.tenant<{ scope_fact: { school_id: number; user_id: string; id: string } }, { id: string }[]>(1001, db =>
      db.selectFrom('scope_fact').select('id').where('school_id', '=', 1001).where('user_id', '=', zhou).execute(),
    )
    expect(facts.map(fact => fact.id)).toEqual(expect.arrayContaining(ids))
  })
})

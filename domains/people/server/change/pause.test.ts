import { dataOf, startTestApp } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { changeApi, studentApi } from '@campus/people/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PeopleDb } from '../db.ts'
import { linkGuardians } from '../guardian.create.ts'
import type { SmallSchool } from '../people.builders.ts'
import { hireStaff } from '../staff.create.ts'
import { changer, dayOf, openSchool, pupilsIn, rowsOf, stateHash } from '../testing/changer.ts'
import type { Draft } from '../testing/changer.ts'

const codes = ['people.change.run', 'people.change.view', 'people.change.undo', 'people.student.view']
const day_ms = 86_400_000
type Span = { state: string; valid_from: string; valid_to: string | null; state_until: string | null; open_kind: string; close_kind: string | null }

let app: TestApp
let school: SmallSchool
let registrar: TestUser
let own: ReturnType<typeof changer>
let made = 0

beforeAll(async () => {
  app = await startTestApp()
  school = await openSchool(app, 1001)
  registrar = await app.as({ school_id: 1001, codes })
  own = changer(app, registrar)
})
afterAll(() => app.close())

/** A pupil in class 1 with a father. */
async function pupil(): Promise<string> {
  made += 1
  const [user_id = ''] = await pupilsIn(app, 1001, school.class_1, [`PA${made}`])
  const father = { student_user_id: user_id, user_name: `父亲${made}`, mobile: `1694400${String(made).padStart(4, '0')}`, relation: '51', is_first: true, is_guardian: true, from: '2026-09-01' }
  await app.running.database.tenant<PeopleDb, unknown>(1001, db => linkGuardians(db, app.running.app.secrets, 1001, [father]))
  return user_id
}

/** Somebody of the staff who is head teacher of a class. */
async function teacherOf(dept_id: string): Promise<string> {
  return app.running.database.tenant<PeopleDb, string>(1001, async db => {
    const [user_id = ''] = await hireStaff(db, app.running.app.secrets, 1001, [{ user_name: '秦老师', sex: '2', teacher_no: 'PAT1', kind: '11', join_month: '202009', from: '2026-09-01', depts: [], duties: [] }])
    await db.deleteFrom('dept_duty').where('school_id', '=', 1001).where('dept_id', '=', dept_id).execute()
    await db.insertInto('dept_duty').values({ school_id: 1001, dept_id, duty: 'head', user_id, valid_from: '2026-09-01' }).execute()
    return user_id
  })
}

const suspend = (user_id: string, until = dayOf(app, 100), on = dayOf(app)): Draft => ({ kind: 'SUSPEND', subjects: [{ user_id }], effective_on: on, until, reason: '因病治疗' })
const resume = (user_id: string, to_dept_id: string | null = null): Draft => ({ kind: 'RESUME', subjects: [{ user_id, to_dept_id }], effective_on: dayOf(app) })
const leave = (user_id: string, on = dayOf(app)): Draft => ({ kind: 'OUT', subjects: [{ user_id }], effective_on: on, reason: '迁居' })
const comeBack = (user_id: string, to_dept_id = school.class_2): Draft => ({ kind: 'RETURN', subjects: [{ user_id, to_dept_id }], effective_on: dayOf(app) })
const spans = async (user_id: string) => (await rowsOf<Span>(app, 1001, 'student_span', user_id)).map(({ state, state_until, open_kind, close_kind }) => [state, state_until, open_kind, close_kind])
const blocked = async (draft: Draft) => (await own.planned(draft)).blocks.map(block => block.title)
const listed = async (keyword: string, state?: string) => dataOf(studentApi.list, await app.call(studentApi.list, { keyword, state }, { token: registrar.token })).list
const told = ({ status, body }: Answer) => [status, body.error_id]

describe('a suspension', () => {
  test('keeps the pupil on the roll and in the class until its day, and is renewed by another one', async () => {
    const user_id = await pupil()
    expect(await own.give(suspend(user_id))).toMatchObject({ state: 'settled', effects: [{ effect_code: 'span', state: 'done' }, { effect_code: 'device_rights', state: 'skipped' }] })
    const [row] = await listed(`PA${made}`, '02')
    expect(row).toMatchObject({ state: '02', state_until: dayOf(app, 100), dept_id: school.class_1 })
    await own.give(suspend(user_id, dayOf(app, 300)))
    expect((await spans(user_id)).at(-1)).toEqual(['02', dayOf(app, 300), 'SUSPEND', null])
    expect(await blocked(comeBack(user_id))).toEqual(['该学生仍在校，不需要办理返校'])
  })

  test('needs an end after its day and within a year; who is gone is not suspended', async () => {
    const user_id = await pupil()
    expect(told(await own.preview(suspend(user_id, dayOf(app))))[0]).toBe(400)
    expect(told(await own.preview(suspend(user_id, dayOf(app, 400))))[0]).toBe(400)
    await own.give(leave(user_id))
    expect(await blocked(suspend(user_id))).toEqual(['该学生已被他人调整，请刷新后重试'])
  })

  test('ends with 复学 in the same class or in another one; taken back, everything stands as before', async () => {
    const [same, other] = [await pupil(), await pupil()]
    expect(await blocked(resume(same))).toEqual(['该学生未休学，不需要办理复学'])
    await own.give(suspend(same, dayOf(app, 50), dayOf(app, -5)))
    await own.give(suspend(other, dayOf(app, 50), dayOf(app, -5)))
    const before = await stateHash(app, 1001)
    const receipt = await own.give(resume(other, school.class_2))
    expect(receipt.effects.map(effect => [effect.effect_code, effect.state])).toEqual([['member', 'done'], ['span', 'done'], ['device_rights', 'skipped']])
    expect((await listed(`PA${made}`)).map(row => [row.state, row.dept_id])).toEqual([['01', school.class_2]])
    expect((await own.undo(receipt.command_id)).status).toBe(200)
    expect(await stateHash(app, 1001)).toEqual(before)
    const kept = await own.give(resume(same))
    expect(kept.effects.map(effect => [effect.effect_code, effect.state])).toEqual([['member', 'skipped'], ['span', 'done'], ['device_rights', 'skipped']])
    expect((await spans(same)).at(-1)).toEqual(['01', null, 'RESUME', null])
  })
})

test('two weeks before its end the class teachers are told, once; past its end nobody is resumed', async () => {
  const user_id = await pupil()
  const teacher = await teacherOf(school.class_1)
  await own.give(suspend(user_id, dayOf(app, 15)))
  const inbox = () => app.running.database.tenant(1001, async db => (await sql<{ title: string; link: string }>`
    select m.title, m.link from message m join message_person p using (school_id, message_id) where m.school_id = 1001 and p.user_id = ${teacher} and m.source = 'people'`.execute(db)).rows)
  expect(await inbox()).toEqual([])
  app.clock.advance(day_ms)
  await expect.poll(inbox, { timeout: 20_000, interval: 100 }).toEqual([{ title: '学生休学即将到期', link: '/ParentsRecord?state=02' }])
  app.clock.advance(20 * day_ms)
  registrar = await app.as({ school_id: 1001, codes })
  own = changer(app, registrar)
  await expect.poll(async () => (await listed(`PA${made}`, '02')).map(row => row.state)).toEqual(['02'])
  expect(await inbox()).toHaveLength(1)
})

describe('a return', () => {
  test('puts who had left into a class, with the guardians he had and his account; taken back he is gone again, exactly', async () => {
    const user_id = await pupil()
    await own.give(leave(user_id, dayOf(app, -10)))
    const before = await stateHash(app, 1001)
    const receipt = await own.give(comeBack(user_id))
    expect(receipt.effects.map(effect => [effect.effect_code, effect.state])).toEqual([['member', 'done'], ['span', 'done'], ['links', 'done'], ['account', 'done'], ['device_rights', 'skipped']])
    const [row] = await listed(`PA${made}`)
    expect(row).toMatchObject({ state: '01', dept_id: school.class_2, parents: [{ user_name: `父亲${made}`, is_first: true }] })
    expect((await own.undo(receipt.command_id)).status).toBe(200)
    expect(await listed(`PA${made}`)).toEqual([])
    const after = await stateHash(app, 1001)
    expect(Object.keys(after).filter(table => after[table] !== before[table] && !['account', 'account_school', 'school_user', 'role_member', 'user_off_receipt'].includes(table))).toEqual([])
  })

  test('is refused before the day of the leave', async () => {
    const user_id = await pupil()
    await own.give(leave(user_id))
    expect(await blocked({ ...comeBack(user_id), effective_on: dayOf(app, -3) })).toEqual(['该人员在生效日期之后还有变更，请先撤销后续变更或改选日期'])
  })
})

test('repeating goes a year down, skipping a year up, and nothing else', async () => {
  const user_id = await pupil()
  const to = (kind: 'REPEAT' | 'SKIP', to_dept_id = school.class_2): Draft => ({ kind, subjects: [{ user_id, from_dept_id: school.class_1, to_dept_id }], effective_on: dayOf(app), reason: '家长申请' })
  expect(await blocked(to('REPEAT'))).toEqual(['留级请选择低一年级的班级，跳级请选择高一年级的班级'])
  await app.running.database.tenant<PeopleDb, unknown>(1001, db => db.updateTable('dept').set(eb => ({ enrol_year: eb('enrol_year', '+', 1) })).where('school_id', '=', 1001).where('id', '=', school.class_2).execute())
  expect(await blocked(to('SKIP'))).toEqual(['留级请选择低一年级的班级，跳级请选择高一年级的班级'])
  const receipt = await own.give(to('REPEAT'))
  expect([receipt.kind, receipt.effects.map(effect => effect.effect_code)]).toEqual(['REPEAT', ['member', 'device_rights']])
  expect(dataOf(changeApi.detail, await own.detail(receipt.command_id)).subjects[0]?.after.dept_id).toBe(school.class_2)
})

import { dataOf, startTestApp } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { changeApi, memberApi, staffApi } from '@campus/people/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PeopleDb } from '../db.ts'
import { createDepts } from '../dept.create.ts'
import type { SmallSchool } from '../people.builders.ts'
import { hireStaff } from '../staff.create.ts'
import { changer, dayOf, openSchool, rowsOf, stateHash } from '../testing/changer.ts'

const codes = ['people.change.run', 'people.change.view', 'people.change.undo', 'people.staff.view']
const day_ms = 86_400_000
type Member = { dept_id: string; is_primary: boolean; position: string | null; valid_from: string; valid_to: string | null }
type Span = { state: string; valid_to: string | null; close_kind: string | null; reason: string | null; to_where: string | null; open_kind: string }

let app: TestApp
let school: SmallSchool
let other: SmallSchool
let registrar: TestUser
let own: ReturnType<typeof changer>
let lab = ''
let made = 0

beforeAll(async () => {
  app = await startTestApp()
  school = await openSchool(app, 1001)
  other = await openSchool(app, 1002)
  lab = await app.running.database.tenant<PeopleDb, string>(1001, async db => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', 1001).where('dept_type', '=', 1).executeTakeFirstOrThrow()
    const ids = await createDepts(db, 1001, [{ key: 'lab', parent: root.id, dept_name: '实验中心', dept_type: 5, tree: 'staff' }], school.from)
    return ids.get('lab') ?? ''
  })
  registrar = await app.as({ school_id: 1001, codes })
  own = changer(app, registrar)
})
afterAll(() => app.close())

/** A member of staff in the office; head of the class that is named. */
async function hired(more: { head?: string; from?: string } = {}): Promise<string> {
  made += 1
  const { head, from = '2026-09-01' } = more
  const row = { user_name: `教师${made}`, teacher_no: `H${made}`, kind: '11', join_month: '202609', sex: '1', from, depts: [{ dept_id: school.office, position: '干事' }], duties: head === undefined ? [] : [{ dept_id: head, duty: 'head' as const }] }
  const [id = ''] = await app.running.database.tenant<PeopleDb, string[]>(1001, db => hireStaff(db, app.running.app.secrets, 1001, [row]))
  return id
}

/** Makes somebody who can sign in a member of staff. */
async function onStaff(school_id: number, { user_id, user_no }: TestUser, dept_id: string): Promise<void> {
  await app.running.database.tenant<PeopleDb, unknown>(school_id, async db => {
    await db.insertInto('person').values({ school_id, user_id, user_name: '李可', name_py: 'like', name_initials: 'lk', sex: '1' }).execute()
    await db.insertInto('staff').values({ school_id, user_id, teacher_no: user_no, kind: '11', join_month: '202609' }).execute()
    await db.insertInto('staff_span').values({ school_id, user_id, state: '11', valid_from: '2026-09-01', open_kind: 'IN' }).execute()
    await db.insertInto('dept_member').values({ school_id, user_id, dept_id, member_kind: 'staff', dept_type: 5, valid_from: '2026-09-01' }).execute()
  })
}

const move = (user_id: string, more: { from?: string; to?: string; on?: string } = {}) => ({
  kind: 'STAFF_MOVE' as const, subjects: [{ user_id, from_dept_id: more.from ?? school.office, to_dept_id: more.to ?? lab }], effective_on: more.on ?? dayOf(app),
})
const leave = (user_id: string, successors: { dept_id: string; user_id: string }[] = [], on = dayOf(app)) => ({
  kind: 'STAFF_OUT' as const, leave_state: '05' as const, subjects: [{ user_id }], successors, effective_on: on, reason: '调往他校', to_where: '市二小',
})
const back = (user_id: string) => ({ kind: 'STAFF_RETURN' as const, subjects: [{ user_id, to_dept_id: lab }], effective_on: dayOf(app) })
const members = (user_id: string) => rowsOf<Member>(app, 1001, 'dept_member', user_id)
const spans = (user_id: string) => rowsOf<Span>(app, 1001, 'staff_span', user_id)
const refusal = ({ status, body }: Answer) => [status, body.error_id]
const listed = async (user_id: string) => {
  const { list } = dataOf(staffApi.list, await app.call(staffApi.list, { page_size: 100 }, { token: registrar.token }))
  return list.find(row => row.user_id === user_id)
}

describe('STAFF_MOVE', () => {
  test('takes position and rank along, and comes back exactly within seven days', async () => {
    const user_id = await hired()
    const before = await stateHash(app, 1001)
    const receipt = await own.give(move(user_id))
    expect(receipt).toMatchObject({ kind: 'STAFF_MOVE', state: 'settled', subjects: [{ user_no: `H${made}`, before: { dept_name: '教务处' }, after: { dept_name: '实验中心' } }] })
    expect(await members(user_id)).toMatchObject([{ dept_id: school.office, valid_to: dayOf(app) }, { dept_id: lab, is_primary: true, position: '干事', valid_to: null }])
    expect((await listed(user_id))?.depts).toMatchObject([{ dept_name: '实验中心', is_primary: true }])
    expect(Date.parse(receipt.undo_until ?? '') - Date.parse(receipt.applied_at ?? '')).toBe(7 * day_ms)
    expect((await own.undo(receipt.command_id)).status).toBe(200)
    expect(await stateHash(app, 1001)).toEqual(before)
  })

  test('by the old name of the call, from a department he is not in, is refused', async () => {
    const user_id = await hired()
    const asked = (draft: ReturnType<typeof move>) => app.call(memberApi.move, draft, { token: registrar.token })
    expect(refusal(await asked(move(user_id, { from: lab, to: school.office })))).toEqual([409, 'people.staffMoved'])
    expect(refusal(await asked(move(user_id, { to: school.office })))).toEqual([422, 'people.staffInDept'])
    expect(refusal(await asked(move(user_id, { to: school.class_1 })))).toEqual([422, 'people.staffDept'])
    expect(refusal(await asked(move(user_id, { on: dayOf(app, -31) })))).toEqual([422, 'people.backdateTooFar'])
    expect((await asked(move(user_id))).status).toBe(200)
  })

  test('of a day to come waits, holds off a second one and can be cancelled', async () => {
    const user_id = await hired()
    const receipt = await own.give(move(user_id, { on: dayOf(app, 5) }))
    expect(receipt.state).toBe('scheduled')
    expect((await listed(user_id))?.depts).toMatchObject([{ dept_name: '教务处' }])
    expect((await own.planned(move(user_id))).blocks).toMatchObject([{ code: 'people.futureChange' }])
    expect((await own.cancel(receipt.command_id)).status).toBe(200)
    expect(await members(user_id)).toMatchObject([{ dept_id: school.office, valid_to: null }])
  })
})

describe('STAFF_OUT', () => {
  test('20-A14 of a head teacher without a successor is refused, with one the class has a head from that day on', async () => {
    const user_id = await hired({ head: school.class_2 })
    const next = await hired()
    const { plan_hash, blocks } = await own.planned(leave(user_id))
    expect(blocks).toMatchObject([{ code: 'people.headNeedsSuccessor', title: '该教职工仍担任班主任，请先指定接任', user_id }])
    expect(refusal(await own.apply(leave(user_id), plan_hash))).toEqual([409, 'people.headNeedsSuccessor'])
    const before = await stateHash(app, 1001)
    const receipt = await own.give(leave(user_id, [{ dept_id: school.class_2, user_id: next }]))
    expect(receipt.effects.map(effect => [effect.effect_code, effect.state])).toEqual([['staff_member', 'done'], ['staff_span', 'done'], ['duty', 'done'], ['delegation', 'skipped'], ['staff_account', 'done'], ['whitelist', 'skipped'], ['contract', 'skipped'], ['place_manager', 'skipped'], ['device_rights', 'skipped']])
    expect((await listed(next))?.duties).toMatchObject([{ duty: 'head', dept_id: school.class_2 }])
    expect(await spans(user_id)).toMatchObject([{ valid_to: dayOf(app), close_kind: 'STAFF_OUT', reason: '调出', to_where: '市二小' }])
    expect(await listed(user_id)).toBeUndefined()
    expect((await own.undo(receipt.command_id)).status).toBe(200)
    expect(await stateHash(app, 1001)).toEqual(before)
  })

  test('ends the token of who leaves with the next call', async () => {
    const teacher = await app.as({ school_id: 1001, codes: ['people.staff.view'] })
    await onStaff(1001, teacher, school.office)
    await own.give(leave(teacher.user_id))
    expect((await app.call(staffApi.all, {}, { token: teacher.token })).status).toBe(401)
  })

  test('of the last administrator of roles is refused whole', async () => {
    const admin = await app.as({ school_id: 1002, codes: ['identity.role.edit', ...codes] })
    await onStaff(1002, admin, other.office)
    const giver = changer(app, admin)
    const { plan_hash } = await giver.planned(leave(admin.user_id))
    expect(refusal(await giver.apply(leave(admin.user_id), plan_hash))).toEqual([409, 'identity.lastAdmin'])
    expect((await app.call(staffApi.all, {}, { token: admin.token })).status).toBe(200)
  })

  test('of somebody of another school is refused as if he did not exist', async () => {
    const stranger = changer(app, await app.as({ school_id: 1002, codes }))
    expect((await stranger.preview(leave(await hired()))).status).toBe(404)
  })
})

describe('STAFF_RETURN', () => {
  test('brings back who left, as 返聘, and is undone exactly', async () => {
    const user_id = await hired()
    expect((await own.planned(back(user_id))).blocks).toMatchObject([{ code: 'people.staffHere' }])
    await own.give(leave(user_id))
    app.clock.advance(2 * day_ms)
    registrar = await app.as({ school_id: 1001, codes })
    own = changer(app, registrar)
    const receipt = await own.give(back(user_id))
    expect(receipt).toMatchObject({ kind: 'STAFF_RETURN', subjects: [{ before: { state: null }, after: { state: '04', dept_name: '实验中心' } }] })
    expect(await listed(user_id)).toMatchObject({ state: '04', depts: [{ dept_id: lab, is_primary: true }] })
    expect((await own.undo(receipt.command_id)).status).toBe(200)
    expect(await listed(user_id)).toBeUndefined()
    expect(await spans(user_id)).toHaveLength(1)
  })
})

test('20-A35 a reader of one department sees only its staff and commands', async () => {
  const user_id = await hired()
  const receipt = await own.give(move(user_id))
  const narrow = await app.as({ school_id: 1001, codes, scope: 'custom', scope_ids: [school.office] })
  const { list } = dataOf(staffApi.list, await app.call(staffApi.list, { page_size: 100 }, { token: narrow.token }))
  expect(list.length).toBeGreaterThan(0)
  expect(list.every(row => row.depts.some(dept => dept.dept_id === school.office))).toBe(true)
  expect((await changer(app, narrow).preview(move(user_id, { from: lab, to: school.office }))).status).toBe(404)
  const class_only = await app.as({ school_id: 1001, codes, scope: 'custom', scope_ids: [school.class_1] })
  expect((await app.call(changeApi.detail, { id: receipt.command_id }, { token: class_only.token })).status).toBe(404)
})

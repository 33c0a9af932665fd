import { dataOf, startTestApp } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { systemLogApi } from '@campus/audit/contract'
import { startSession } from '@campus/identity/server'
import { delegateApi, deptEditApi, personApi, studentApi, studentFileApi, tagApi } from '@campus/people/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PeopleDb } from '../db.ts'
import { declareDuties } from '../duty.declare.ts'
import { buildSmallSchool } from '../people.builders.ts'
import type { SmallSchool } from '../people.builders.ts'
import { changer } from '../testing/changer.ts'

const school_id = 1001
const day_ms = 86_400_000
let app: TestApp
let school: SmallSchool
let admin: TestUser
let holder: TestUser
let head = ''
let deputy = ''

const inSchool = <R>(fn: Parameters<typeof app.running.database.tenant<PeopleDb, R>>[1]): Promise<R> => app.running.database.tenant<PeopleDb, R>(school_id, fn)
const dayAt = (days: number) => new Date(app.clock.now().getTime() + days * day_ms + 8 * 3_600_000).toISOString().slice(0, 10)
const said = ({ status, body }: { status: number; body: { msg: string } }) => [status, body.msg]
const pupils = async (token: string) => dataOf(studentApi.list, await app.call(studentApi.list, {}, { token })).list.map(row => row.student_no)
/** What the list comes to within a second: rights are known anew by then on every node. */
async function sees(token: string, numbers: readonly string[]): Promise<void> {
  await expect.poll(async () => (await pupils(token)).toSorted(), { timeout: 5000 }).toEqual(numbers)
}
const add = (draft: object, token = admin.token) => app.call(delegateApi.add, { dept_id: school.grade, from_user_id: head, to_user_id: deputy, valid_to: dayAt(9), ...draft }, { token })
const listed = async (token: string) => dataOf(delegateApi.list, await app.call(delegateApi.list, {}, { token })).list
const withdraw = async ({ id, row_version }: { id: string; row_version: number }) => app.call(delegateApi.update, { id, row_version, revoke: true }, { token: admin.token })

/** Signs a member of staff in under the role of somebody. */
async function as(user_id: string, { role_id }: TestUser): Promise<string> {
  const { database, app: product } = app.running
  const role = await inSchool(db => sql<{ role_no: string }>`
    with had as (select role_no from role_member where school_id = ${school_id} and role_id = ${role_id} and user_id = ${user_id}),
    made as (insert into role_member (school_id, role_id, user_id, source) select ${school_id}, ${role_id}, ${user_id}, 'manual' where not exists (select from had) returning role_no)
    select role_no from had union all select role_no from made`.execute(db))
  const desk = { app: product, now: app.clock.now(), own: <D, R>(at: number, fn: Parameters<typeof database.tenant<D, R>>[1]) => database.tenant<D, R>(at, fn) }
  return (await startSession(desk, { school_id, user_id, role_no: role.rows[0]?.role_no ?? '', device_label: '测试', ip: '127.0.0.1' })).token
}

beforeAll(async () => {
  app = await startTestApp()
  school = await inSchool(async db => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    return buildSmallSchool(db, app.running.app.secrets, school_id, root.id)
  })
  admin = await app.as({ school_id, codes: 'all' })
  holder = await app.as({ school_id, codes: ['people.student.view', 'people.student.edit', 'people.delegate.edit'], scope: 'class_teacher' })
  ;[head = '', deputy = ''] = school.teachers
})
afterAll(() => app.close())

test('20-A29 the delegate sees the subtree at once, with every session he has, until the second of expiry', async () => {
  const token = await as(deputy, holder)
  expect(await pupils(token)).toEqual([])
  expect((await add({})).status).toBe(200)
  await sees(token, ['20260101', '20260102', '20260201'])
  const mine = dataOf(delegateApi.mine, await app.call(delegateApi.mine, {}, { token })).list
  expect(mine).toMatchObject([{ dept_name: '一年级', from_user_name: '陈晓华', valid_to: dayAt(9) }])
  const end = Date.parse(`${dayAt(10)}T00:00:00+08:00`)
  app.clock.advance(end - 1000 - app.clock.now().getTime())
  const late = await as(deputy, holder)
  expect(await pupils(late)).toHaveLength(3)
  app.clock.advance(1000)
  await sees(late, [])
  expect(dataOf(delegateApi.mine, await app.call(delegateApi.mine, {}, { token: late })).list).toEqual([])
  admin = await app.as({ school_id, codes: 'all' })
  expect(await listed(admin.token)).toMatchObject([{ state: 'over' }])
})

test('20-A29 he gains no code, and sees the subtree only', async () => {
  const row = dataOf(delegateApi.add, await add({ dept_id: school.class_2 }))
  const token = await as(deputy, holder)
  await sees(token, ['20260201'])
  const bare = await app.as({ school_id, codes: ['people.student.view'], scope: 'class_teacher' })
  const poor = await as(deputy, bare)
  await sees(poor, ['20260201'])
  expect((await app.call(studentFileApi.update, { user_id: school.pupils[2] ?? '', row_version: 1, remark: '走读' }, { token: poor })).status).toBe(403)
  expect((await app.call(personApi.detail, { id: school.pupils[0] ?? '' }, { token })).status).toBe(404)
  expect((await withdraw(row)).status).toBe(200)
  await sees(token, [])
})

test('20-A29 he cannot pass it on; who leads a department delegates it himself, nobody sees the delegations of others', async () => {
  const row = dataOf(delegateApi.add, await add({}))
  const token = await as(deputy, holder)
  expect(said(await add({ from_user_id: undefined, to_user_id: head }, token))).toEqual([403, '只能委托自己任职的部门，请联系管理员办理'])
  expect(said(await add({ to_user_id: head }, token))[0]).toBe(403)
  const own = await as(head, holder)
  expect(said(await add({ from_user_id: undefined }, own))).toEqual([403, '只能委托自己任职的部门，请联系管理员办理'])
  expect((await add({ dept_id: school.class_1, from_user_id: undefined }, own)).status).toBe(200)
  const stranger = await app.as({ school_id, codes: ['people.delegate.edit'], scope: 'none' })
  expect([(await listed(own)).length, (await listed(stranger.token)).length]).toEqual([3 + 1, 0])
  expect((await app.call(delegateApi.update, { ...row, revoke: true }, { token: stranger.token })).status).toBe(404)
  for (const one of await listed(admin.token)) if (one.state === 'live') await withdraw(one)
})

test('20-A29 acts in the subtree carry acted_for in both journals; his own do not', async () => {
  await inSchool(db => sql`insert into dept_duty (school_id, dept_id, user_id, duty, valid_from) values (${school_id}, ${school.class_2}, ${deputy}, 'vice_head', '2026-09-01')`.execute(db))
  await inSchool(db => declareDuties(db, school_id, [deputy]))
  const row = dataOf(delegateApi.add, await add({}))
  const token = await as(deputy, holder)
  const remark = (at: number) => app.call(studentFileApi.update, { user_id: school.pupils[at] ?? '', row_version: 1, remark: '走读' }, { token })
  expect([(await remark(0)).status, (await remark(2)).status]).toEqual([200, 200])
  const { rows } = await inSchool(db => sql<{ person_id: string; acted_for: string | null }>`
    select person_id::text, acted_for::text from archive_log where school_id = ${school_id} and user_id = ${deputy} order by log_id`.execute(db))
  expect(rows).toEqual([{ person_id: school.pupils[0], acted_for: head }, { person_id: school.pupils[2], acted_for: null }])
  const lines = dataOf(systemLogApi.page, await app.call(systemLogApi.page, { module: 'people' }, { token: admin.token })).list.filter(line => line.user_id === deputy && line.ok && line.call.includes('student'))
  expect(lines.map(line => [line.target_id, line.acted_for])).toEqual([[school.pupils[2], null], [school.pupils[0], head]])
  await withdraw(row)
})

test('20-A29 what is revealed and tagged in the subtree carries acted_for', async () => {
  const editor = await app.as({ school_id, codes: ['people.student.view', 'people.person.reveal', 'people.tag.edit'], scope: 'class_teacher' })
  const row = dataOf(delegateApi.add, await add({}))
  const token = await as(deputy, editor)
  const [user_id = ''] = school.pupils
  expect((await app.call(personApi.reveal, { user_id, fields: ['id_no'], reason: '核对' }, { token })).status).toBe(200)
  const { id } = dataOf(tagApi.add, await app.call(tagApi.add, { tag_name: '代管', color: 'blue', is_sensitive: false, person_kinds: [1] }, { token: admin.token }))
  expect((await app.call(tagApi.bind, { id, user_ids: [user_id] }, { token })).status).toBe(200)
  const lines = dataOf(systemLogApi.page, await app.call(systemLogApi.page, { module: 'people' }, { token: admin.token })).list.filter(line => line.user_id === deputy)
  expect(lines.slice(0, 2).map(line => [line.call, line.acted_for])).toEqual([['people.tag.bind', head], ['people.person.reveal', head]])
  const { rows } = await inSchool(db => sql<{ acted_for: string | null }>`select acted_for::text from archive_log where school_id = ${school_id} and user_id = ${deputy} order by log_id desc limit 1`.execute(db))
  expect(rows).toEqual([{ acted_for: head }])
  await withdraw(row)
})

test('departments edited under a delegation are marked too', async () => {
  const editor = await app.as({ school_id, codes: ['people.dept.view', 'people.dept.edit'], scope: 'none' })
  const row = dataOf(delegateApi.add, await add({}))
  const token = await as(deputy, editor)
  const moved = await app.call(deptEditApi.reorder, { school_id, id: school.class_2, index: 1 }, { token })
  expect(moved.status).toBe(200)
  const [line] = dataOf(systemLogApi.page, await app.call(systemLogApi.page, { module: 'people' }, { token: admin.token })).list.filter(one => one.user_id === deputy)
  expect(line?.acted_for).toBe(head)
  await withdraw(row)
})

test.each([
  ['to oneself', () => ({ to_user_id: head }), [422, '代理人不能是委托人本人，请选择其他教职工']],
  ['to somebody who is no staff', () => ({ to_user_id: school.pupils[0] }), [422, '委托人和代理人须是在职教职工，请重新选择']],
  ['for more than 90 days', () => ({ valid_to: dayAt(90) }), [422, '委托最长90天，请提前结束日期']],
  ['that ends before it begins', () => ({ valid_from: dayAt(5), valid_to: dayAt(4) }), [422, '结束日期不能早于开始日期']],
  ['from a past day', () => ({ valid_from: dayAt(-1) }), [422, '日期不能早于今天']],
])('a delegation %s is refused', async (_, draft, answer) => {
  expect(said(await add(draft()))).toEqual(answer)
})

test('90 days are allowed; one is shortened, never made longer, never changed by who read an older one', async () => {
  const row = dataOf(delegateApi.add, await add({ valid_to: dayAt(89) }))
  expect(said(await add({ valid_from: dayAt(3) }))).toEqual([409, '该部门在这段时间已委托给此人，请调整日期'])
  const patch = (more: object) => app.call(delegateApi.update, { ...row, ...more }, { token: admin.token })
  expect(said(await patch({ valid_to: dayAt(95) }))).toEqual([422, '委托只能提前结束，需要延长请在结束后另行委托'])
  expect(said(await patch({ valid_to: dayAt(-1) }))).toEqual([422, '日期不能早于今天'])
  expect((await patch({})).status).toBe(400)
  expect((await patch({ valid_to: dayAt(2) })).status).toBe(200)
  expect(said(await patch({ valid_to: dayAt(1) }))).toEqual([409, '该委托已结束或已撤销，请刷新后查看'])
  expect(await listed(admin.token)).toContainEqual(expect.objectContaining({ id: row.id, valid_to: dayAt(2), row_version: 2, state: 'live' }))
  await withdraw({ ...row, row_version: 2 })
})

test('20 rule 26: it ends when either person leaves, and holds again when that is taken back', async () => {
  const row = dataOf(delegateApi.add, await add({}))
  const token = await as(deputy, holder)
  const registrar = await app.as({ school_id, codes: ['people.change.run', 'people.change.view', 'people.change.undo', 'people.staff.view'], scope: 'all' })
  const own = changer(app, registrar)
  const successors = [{ dept_id: school.class_1, user_id: deputy }]
  const receipt = await own.give({ kind: 'STAFF_OUT', leave_state: '05', subjects: [{ user_id: head }], successors, effective_on: dayAt(0), reason: '调往他校', to_where: '市二小' })
  expect(receipt.effects).toContainEqual(expect.objectContaining({ effect_code: 'delegation', state: 'done' }))
  expect(await listed(admin.token)).toContainEqual(expect.objectContaining({ id: row.id, state: 'revoked' }))
  expect(dataOf(delegateApi.mine, await app.call(delegateApi.mine, {}, { token })).list).toEqual([])
  expect((await own.undo(receipt.command_id)).status).toBe(200)
  expect(dataOf(delegateApi.mine, await app.call(delegateApi.mine, {}, { token })).list).toMatchObject([{ id: row.id }])
})

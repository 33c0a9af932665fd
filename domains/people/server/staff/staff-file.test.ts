import { dataOf, startTestApp } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { changeApi, staffApi, staffFileApi } from '@campus/people/contract'
import type { Request } from '@kit/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PeopleDb } from '../db.ts'
import { createDepts } from '../dept.create.ts'
import type { SmallSchool } from '../people.builders.ts'
import { dayOf, openSchool, stateHash } from '../testing/changer.ts'

type Draft = Request<typeof staffFileApi.create>
let app: TestApp
let school: SmallSchool
let clerk: TestUser
let lab = ''
let made = 0

beforeAll(async () => {
  app = await startTestApp()
  school = await openSchool(app, 1001)
  await openSchool(app, 1002)
  lab = await app.running.database.tenant<PeopleDb, string>(1001, async db => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', 1001).where('dept_type', '=', 1).executeTakeFirstOrThrow()
    return (await createDepts(db, 1001, [{ key: 'lab', parent: root.id, dept_name: '实验中心', dept_type: 5, tree: 'staff' }], school.from)).get('lab') ?? ''
  })
  clerk = await app.as({ school_id: 1001, codes: ['people.staff.view', 'people.staff.edit', 'people.change.run', 'people.change.view', 'people.change.undo'] })
})
afterAll(() => app.close())

function draft(more: Partial<Draft> = {}): Draft {
  made += 1
  return { user_name: `新教师${made}`, sex: '2', teacher_no: `N${made}`, mobile: `1691100${String(made).padStart(4, '0')}`, kind: '11', join_month: '202609', depts: [{ dept_id: school.office }], ...more }
}
const create = (body: Draft): Promise<Answer> => app.call(staffFileApi.create, body, { token: clerk.token })
const created = async (body: Draft = draft()) => dataOf(staffFileApi.create, await create(body)).user_id
const file = async (user_id: string) => dataOf(staffFileApi.detail, await app.call(staffFileApi.detail, { user_id }, { token: clerk.token }))
const update = (patch: Request<typeof staffFileApi.update>): Promise<Answer> => app.call(staffFileApi.update, patch, { token: clerk.token })
const refusal = ({ status, body }: Answer) => [status, body.error_id]

test('a new member of staff is listed with departments and has a file with masked numbers', async () => {
  const user_id = await created(draft({ user_name: '李小云', depts: [{ dept_id: lab, position: '主任' }, { dept_id: school.office }], id_type: '1', id_no: '370200198506150024', subject: '13' }))
  expect(await file(user_id)).toMatchObject({
    state: '11', registry: { user_name: '李小云', birthday: '1985-06-15', id_no: '370***********0024', mobile: expect.stringContaining('****'), subject: '13' },
    depts: [{ dept_id: lab, dept_name: '实验中心', is_primary: true, position: '主任' }, { dept_id: school.office, is_primary: false, position: null }],
  })
  const search = async (query: Request<typeof staffApi.list>) => dataOf(staffApi.list, await app.call(staffApi.list, query, { token: clerk.token })).list.map(row => row.user_id)
  expect(await search({ keyword: '李小云' })).toEqual([user_id])
  expect(await search({ keyword: 'lxy' })).toEqual([user_id])
  expect(await search({ subject: '13' })).toEqual([user_id])
  expect(await search({ dept_id: lab })).toEqual([user_id])
  expect(await search({ subject: '14', keyword: '李小云' })).toEqual([])
  expect(await search({ duty: 'head' })).toEqual([school.teachers[0]])
})

test('numbers of others, foreign departments and wrong values are refused beside their fields', async () => {
  expect(refusal(await create(draft({ teacher_no: 'T1' })))).toEqual([409, 'people.teacherNoTaken'])
  expect(refusal(await create(draft({ teacher_no: '20260101' })))).toEqual([409, 'people.userNoTaken'])
  expect(refusal(await create(draft({ mobile: '16910000001' })))).toEqual([409, 'people.mobileTaken'])
  expect(refusal(await create(draft({ depts: [{ dept_id: school.class_1 }] })))).toEqual([422, 'people.staffDept'])
  expect((await create(draft({ kind: 'ZZ' }))).body.data).toMatchObject({ errors: [{ field: 'kind', msg: '字典值不存在' }] })
  expect((await create(draft({ mobile: '12' }))).body.data).toMatchObject({ errors: [{ field: 'mobile', msg: '手机号格式不正确' }] })
  const narrow = await app.as({ school_id: 1001, codes: ['people.staff.edit'], scope: 'custom', scope_ids: [lab] })
  expect((await app.call(staffFileApi.create, draft(), { token: narrow.token })).status).toBe(404)
})

test('20-A21 a guardian of the same mobile and name becomes staff as the same person', async () => {
  const body = draft({ user_name: '单大山', mobile: '16900000003' })
  const user_id = await created(body)
  const people = await app.running.database.tenant<PeopleDb, unknown[]>(1001, db => db.selectFrom('person').select('user_id').where('school_id', '=', 1001).where('mobile', '=', '16900000003').execute())
  expect(people).toEqual([{ user_id }])
  expect((await file(user_id)).registry.teacher_no).toBe(body.teacher_no)
  expect(refusal(await create(draft({ user_name: '王大强', mobile: '16900000001' })))).toEqual([409, 'people.mobileTaken'])
})

test('20 rule 16: the number of a teacher who has left is given up to another one once that is confirmed; under his own name he comes back instead', async () => {
  const mobile = '16911009999'
  const gone = await created(draft({ user_name: '钱离', mobile }))
  await app.running.database.tenant<PeopleDb, unknown>(1001, db => db.updateTable('staff_span').set({ valid_from: '2026-09-01', valid_to: dayOf(app) }).where('school_id', '=', 1001).where('user_id', '=', gone).execute())
  expect(refusal(await create(draft({ user_name: '钱离', mobile })))).toEqual([409, 'people.staffDeparted'])
  const user_id = await created()
  const patch = { user_id, row_version: 1, mobile }
  const asked = await update(patch)
  expect([asked.status, asked.body.data]).toEqual([422, { warnings: [{ field: 'mobile', msg: '手机号登记在离校人员钱*名下，确认后从其档案中移除' }] }])
  expect((await update({ ...patch, accept_warnings: ['mobile'] })).status).toBe(200)
  expect((await file(user_id)).registry.mobile).toBe('169****9999')
})

test('an edit changes fields and part-time departments, leaves lines in the journal, and meets an older one', async () => {
  const user_id = await created()
  expect((await update({ user_id, row_version: 1, title: '3', depts: [{ dept_id: school.office, position: '干事' }, { dept_id: lab }] })).status).toBe(200)
  expect(await file(user_id)).toMatchObject({ row_version: 2, registry: { title: '3' }, depts: [{ dept_id: school.office, position: '干事' }, { dept_id: lab, is_primary: false }] })
  const lines = await app.running.database.tenant<PeopleDb, { fields: string[] }[]>(1001, db =>
    db.selectFrom('archive_log_v').select('fields').where('school_id', '=', 1001).where('person_id', '=', user_id).orderBy('log_id').execute())
  expect(lines.at(-1)?.fields.toSorted()).toEqual(['depts', 'title'])
  expect(refusal(await update({ user_id, row_version: 1, title: '2' }))).toEqual([409, 'people.staleRow'])
  expect(refusal(await update({ user_id, row_version: 2, depts: [{ dept_id: lab }] }))).toEqual([422, 'people.primaryByCommand'])
  expect((await update({ user_id, row_version: 2, depts: [{ dept_id: school.office }] })).status).toBe(200)
  expect((await file(user_id)).depts).toHaveLength(1)
})

test('a mistaken entry can be taken back within a day, without a trace', async () => {
  const before = await stateHash(app, 1001)
  const user_id = await created()
  const { list } = dataOf(changeApi.page, await app.call(changeApi.page, { user_id }, { token: clerk.token }))
  expect(list).toMatchObject([{ kind: 'STAFF_IN', subject_count: 1 }])
  expect((await app.call(changeApi.undo, { id: list[0]?.command_id ?? '', reason: '录错' }, { token: clerk.token })).status).toBe(200)
  expect(await stateHash(app, 1001)).toEqual(before)
})

test('20-A35 a reader of another department has no such file', async () => {
  const user_id = await created()
  const narrow = await app.as({ school_id: 1001, codes: ['people.staff.view', 'people.staff.edit'], scope: 'custom', scope_ids: [lab] })
  expect((await app.call(staffFileApi.detail, { user_id }, { token: narrow.token })).status).toBe(404)
  expect((await app.call(staffFileApi.update, { user_id, row_version: 1, title: '2' }, { token: narrow.token })).status).toBe(404)
})

import { dataOf, startTestApp, vectorRows } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { roleApi } from '@campus/identity/contract'
import { platesFault, staffFileApi } from '@campus/people/contract'
import { Refusal } from '@kit/contract'
import type { Request } from '@kit/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Db, PeopleDb } from '../db.ts'
import { setVehicle } from '../index.ts'
import type { SmallSchool } from '../people.builders.ts'
import { readField } from '../import/field.ts'
import { staff_columns } from '../import/staff.columns.ts'
import { divisions } from '../import/divisions.ts'
import { openSchool } from '../testing/changer.ts'

type Draft = Request<typeof staffFileApi.create>
const school_id = 1001
let app: TestApp
let school: SmallSchool
let clerk: TestUser
let made = 0

beforeAll(async () => {
  app = await startTestApp()
  school = await openSchool(app, school_id)
  await openSchool(app, 1002)
  clerk = await app.as({ school_id, codes: ['people.staff.view', 'people.staff.edit'] })
})
afterAll(() => app.close())

function draft(more: Partial<Draft> = {}): Draft {
  made += 1
  return { user_name: `车主${made}`, sex: '2', teacher_no: `V${made}`, mobile: `1691101${String(made).padStart(4, '0')}`, kind: '11', join_month: '202609', depts: [{ dept_id: school.office }], ...more }
}
const create = (body: Draft, who = clerk): Promise<Answer> => app.call(staffFileApi.create, body, { token: who.token })
const created = async (body: Draft = draft(), who = clerk) => dataOf(staffFileApi.create, await create(body, who)).user_id
const file = async (user_id: string) => dataOf(staffFileApi.detail, await app.call(staffFileApi.detail, { user_id }, { token: clerk.token }))
const update = (patch: Request<typeof staffFileApi.update>, who = clerk): Promise<Answer> => app.call(staffFileApi.update, patch, { token: who.token })
const inSchool = <R>(fn: (db: Db) => Promise<R>) => app.running.database.tenant<PeopleDb, R>(school_id, fn)
const errorsOf = ({ body }: Answer): unknown => (body.data && typeof body.data === 'object' ? Reflect.get(body.data, 'errors') : null)

describe('plates', () => {
  test('20-A18 a plate is one person’s: registered by the file, refused to another one, free again once it is given up', async () => {
    const owner = await created(draft({ plates: ['鲁B00000', '鲁BD00001'] }))
    expect((await file(owner)).plates).toEqual(['鲁B00000', '鲁BD00001'])
    const refused = await create(draft({ plates: ['鲁B00000'] }))
    expect([refused.status, refused.body.error_id, errorsOf(refused)]).toEqual([409, 'people.plateTaken', [{ field: 'plates', msg: '车牌号已被登记' }]])
    const { row_version } = await file(owner)
    expect((await update({ user_id: owner, row_version, plates: ['鲁BD00001'] })).status).toBe(200)
    const next = await created(draft({ plates: ['鲁B00000'] }))
    const live = await inSchool(db => db.selectFrom('person_vehicle_live').select(['user_id', 'plate_no']).where('school_id', '=', school_id).orderBy('plate_no').execute())
    expect(live).toEqual([{ user_id: next, plate_no: '鲁B00000' }, { user_id: owner, plate_no: '鲁BD00001' }])
    const { rows } = await inSchool(db => sql<{ changes: string }>`select changes::text as changes from archive_log_v where school_id = ${school_id} and person_id = ${owner}`.execute(db))
    expect(rows.map(row => row.changes).join()).toContain('车牌号')
  })

  test('20-A1 two people with one plate on one day are refused by the constraint', async () => {
    const insert = (user_id: string) => inSchool(db => db.insertInto('person_vehicle').values({ school_id, user_id, plate_no: '鲁B77777', valid_from: '2026-09-01' }).execute())
    await insert(school.teachers[0] ?? '')
    await expect(insert(school.teachers[1] ?? '')).rejects.toThrow(/person_vehicle_one_owner/)
  })

  test('setVehicle registers a plate for a time; a wrong one, a taken one and a stranger are refused', async () => {
    const [user_id = ''] = school.teachers
    const give = (more: { user_id?: string; plate_no?: string }) => inSchool(db => setVehicle({ db, school_id }, { user_id, plate_no: '鲁B66666', valid_from: '2026-09-01', valid_to: null, ...more }).then(() => 'done', (error: unknown) => (error instanceof Refusal ? error.message : String(error))))
    expect(await give({ plate_no: '鲁B666' })).toBe('输入内容有误，请重新输入！')
    expect(await give({ user_id: '999999999' })).toBe('数据不存在或已被删除')
    expect(await give({})).toBe('done')
    expect(await give({ user_id: school.teachers[1] ?? '' })).toBe('车牌号已被登记')
  })

  const column = staff_columns.find(one => one.prop === 'plate')
  const vectors = vectorRows('plate').filter(row => row.plate && row.plate.trim() === row.plate).map(row => [row.plate ?? '', row.message ?? ''] as const)
  test('20-A18 there are vectors of plates', () => expect(vectors.length).toBeGreaterThan(40))

  test.each(vectors)('20-A18 plate %s has its sentence in form, call and import: %s', async (plate, message) => {
    const called = await update({ user_id: school.teachers[0] ?? '', row_version: -1, plates: [plate] })
    const told = called.body.error_id === 'people.staleRow' ? '' : (Array.isArray(errorsOf(called)) ? errorsOf(called) : [])
    const sentence = typeof told === 'string' ? told : Array.isArray(told) ? told.map((one: { field: string; msg: string }) => (one.field === 'plates' ? one.msg : '')).join() : ''
    const words = { today: '2026-11-20', codes: new Map<string, Map<string, string>>(), divisions: divisions() }
    expect([platesFault([plate]) ?? '', sentence, column ? (readField(column, plate, words).error ?? '') : 'no column']).toEqual([message, message, message])
  })
})

describe('roles of the file', () => {
  const codes = ['people.staff.view', 'people.staff.edit', 'identity.member.view', 'identity.member.edit', 'identity.role.view']
  const role = (granted: readonly string[]) => app.as({ school_id, codes: granted }).then(user => user.role_id)

  test('are given and ended with the file by whoever may give roles, and by nobody else', async () => {
    const boss = await app.as({ school_id, codes })
    const plain = await role(['people.staff.view'])
    const user_id = await created(draft({ role_ids: [plain] }), boss)
    expect((await file(user_id)).roles.map(one => one.id)).toEqual([plain])
    const { row_version } = await file(user_id)
    const refused = await update({ user_id, row_version, role_ids: [] })
    expect([refused.status, refused.body.msg]).toEqual([403, '无权限查看'])
    expect((await update({ user_id, row_version, role_ids: [plain], remark: '不变的角色' })).status).toBe(200)
    expect((await update({ user_id, row_version: row_version + 1, role_ids: [] }, boss)).status).toBe(200)
    expect((await file(user_id)).roles).toEqual([])
  })

  test('nobody gives what he does not hold, and a refused role leaves nobody behind', async () => {
    const boss = await app.as({ school_id, codes })
    const strong = await role(['people.staff.view', 'people.delete.run'])
    const body = draft({ role_ids: [strong] })
    expect((await create(body, boss)).status).toBe(422)
    expect((await create({ ...body, role_ids: undefined }, boss)).status).toBe(200)
    const foreign = await app.as({ school_id: 1002, codes: ['people.staff.view'] })
    expect((await create(draft({ role_ids: [foreign.role_id] }), boss)).status).toBe(404)
  })

  test('the roles of the school can be read by whoever gives them', async () => {
    const boss = await app.as({ school_id, codes })
    expect((await app.call(roleApi.list, {}, { token: boss.token })).status).toBe(200)
  })
})

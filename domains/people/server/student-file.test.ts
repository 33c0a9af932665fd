import { dataOf, startTestApp } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { personApi, studentApi, studentFileApi } from '@campus/people/contract'
import type { PersonFile } from '@campus/people/contract'
import type { Request } from '@kit/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { schoolDay } from './day.ts'
import type { PeopleDb } from './db.ts'
import { buildSmallSchool } from './people.builders.ts'
import type { SmallSchool } from './people.builders.ts'

type Draft = Request<typeof studentFileApi.create>
type Patch = Request<typeof studentFileApi.update>

const codes = ['people.student.view', 'people.student.edit', 'people.person.reveal']
let app: TestApp
let school: SmallSchool
let registrar: TestUser
let second: TestUser
let head: TestUser
let made = 0

beforeAll(async () => {
  app = await startTestApp()
  school = await makeSchool(1001)
  await makeSchool(1002)
  registrar = await app.as({ school_id: 1001, codes })
  second = await app.as({ school_id: 1001, codes })
  head = await app.as({ school_id: 1001, codes, scope: 'custom', scope_ids: [school.class_1] })
})

afterAll(() => app.close())

async function makeSchool(school_id: number): Promise<SmallSchool> {
  const { app: running, database } = app.running
  return database.tenant<PeopleDb, SmallSchool>(school_id, async db => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    const small = await buildSmallSchool(db, running.secrets, school_id, root.id)
    await db.updateTable('dept').set({ capacity: null }).where('school_id', '=', school_id).where('id', '=', small.class_2).execute()
    return small
  })
}

function draft(more: Partial<Draft> = {}): Draft {
  made += 1
  const parents = [{ user_name: '林父', mobile: `1690001${String(made).padStart(4, '0')}`, relation: '51' }]
  return { dept_id: school.class_2, user_name: '林小雨', sex: '2', student_no: `NEW${made}`, parents, ...more }
}

/** A pupil of one's own in class 2, so that tests do not meet. */
async function enrolled(more: Partial<Draft> = {}): Promise<PersonFile> {
  const answer = await create(draft(more))
  expect(answer.body.msg).toBe('操作成功')
  return file(dataOf(studentFileApi.create, answer).user_id)
}

function create(input: Draft, who = registrar): Promise<Answer> {
  return app.call(studentFileApi.create, input, { token: who.token })
}

function update(input: Patch, who = registrar): Promise<Answer> {
  return app.call(studentFileApi.update, input, { token: who.token })
}

async function file(id: string, who = registrar): Promise<PersonFile> {
  return dataOf(personApi.detail, await app.call(personApi.detail, { id }, { token: who.token }))
}

function errorsOf({ body }: Answer): Record<string, string> {
  const data = body.data
  const errors: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, 'errors') : null
  return Array.isArray(errors) ? Object.fromEntries(errors.map((item: { field: string; msg: string }) => [item.field, item.msg])) : {}
}

async function journal(person_id: string) {
  const { database } = app.running
  return database.tenant<PeopleDb, { fields: string[]; op_type: number; source: string; changes: unknown }[]>(1001, db =>
    db.selectFrom('archive_log_v').select(['fields', 'op_type', 'source', 'changes']).where('school_id', '=', 1001).where('person_id', '=', person_id).orderBy('happened_at').orderBy('log_id').execute(),
  )
}

describe('a new pupil', () => {
  test('is in the class today, with sex and birthday told by the number, and one line in each journal', async () => {
    const made_file = await enrolled({ sex: undefined, user_name: '  林小满 ', id_type: '1', id_no: '37020020200512004５', birth_division: '山东省青岛市', address: '青岛市阳光花园1号楼101', by_bus: '1' })
    expect(made_file).toMatchObject({ dept_name: '一年级2班', state: '01', row_version: 1 })
    expect(made_file.registry).toMatchObject({
      user_name: '林小满', sex: '2', birthday: '2020-05-12', id_no: '370***********0045', birth_division: '370200', address: '青岛市阳光花****', enrol_month: '202609', by_bus: '1',
    })
    expect(made_file.masked).toEqual(['id_no', 'address'])
    expect(made_file.division_names).toEqual({ '370200': '山东省青岛市' })
    expect(made_file.parents).toMatchObject([{ user_name: '林父', mobile: expect.stringMatching(/^169\*{4}\d{4}$/), is_first: true, is_guardian: true }])
    expect(await journal(made_file.user_id)).toMatchObject([{ op_type: 3, source: 'typed', fields: expect.arrayContaining(['user_name', 'parents']) }])
    expect(await journal(made_file.parents[0]?.user_id ?? '')).toMatchObject([{ op_type: 3, fields: ['child'] }])
    expect(JSON.stringify(await journal(made_file.user_id))).not.toMatch(/1号楼|37020020200512|16900010/)
  })

  test('has numbers of nobody else, and is told all of them at once', async () => {
    const answer = await create(draft({ student_no: '20260101', school_roll_no: 'G370200202005120019', id_type: '1', id_no: '370200202005120019' }))
    expect([answer.status, answer.body.msg]).toEqual([409, '学号重复'])
    expect(errorsOf(answer)).toEqual({ student_no: '学号重复', school_roll_no: '学籍号重复', id_no: '身份证号重复' })
    expect(errorsOf(await create(draft({ student_no: 'T1' })))).toEqual({ student_no: '人员编号重复' })
    expect(errorsOf(await create(draft({ student_no: 'P12' })))).toEqual({ student_no: '人员编号重复' })
  })

  test('20-A21 joins the guardian of a brother by mobile and name; another name is refused with both masked', async () => {
    const known = { mobile: '16900000001', relation: '51' }
    const sister = await enrolled({ parents: [{ ...known, user_name: '王志强' }] })
    const brother = await file(school.pupils[0] ?? '')
    expect(sister.parents[0]?.user_id).toBe(brother.parents[0]?.user_id)
    const answer = await create(draft({ parents: [{ ...known, user_name: '赵四' }] }))
    expect([answer.status, answer.body.msg, errorsOf(answer)]).toEqual([409, '手机号已被占用', { 'parents.0.mobile': '手机号已被占用' }])
    expect(answer.body.data).toMatchObject({ holders: [{ field: 'parents.0.mobile', user_name: '王**', mine: '赵*' }] })
  })

  test('20 rule 16: the number of a guardian whose child has left is given up to another one once that is confirmed, and the journal keeps it', async () => {
    const mobile = '16900010088'
    const gone = await enrolled({ parents: [{ user_name: '赵老', mobile, relation: '51' }] })
    await app.running.database.tenant<PeopleDb, unknown>(1001, db => db.updateTable('guardian_link').set({ valid_from: '2026-09-01', valid_to: schoolDay(app.clock.now()) }).where('school_id', '=', 1001).where('student_user_id', '=', gone.user_id).execute())
    const heir = draft({ parents: [{ user_name: '钱新', mobile, relation: '51' }] })
    const asked = await create(heir)
    expect([asked.status, asked.body.data]).toEqual([422, { warnings: [{ field: 'parents.0.mobile', msg: '手机号登记在离校人员赵*名下，确认后从其档案中移除' }] }])
    expect((await create({ ...heir, accept_warnings: ['parents.0.mobile'] })).status).toBe(200)
    const left = gone.parents[0]?.user_id ?? ''
    const people = await app.running.database.tenant<PeopleDb, unknown[]>(1001, db => db.selectFrom('person').select(['user_name', 'mobile']).where('school_id', '=', 1001).where(eb => eb.or([eb('user_id', '=', left), eb('mobile', '=', mobile)])).orderBy('user_id').execute())
    expect(people).toEqual([{ user_name: '赵老', mobile: null }, { user_name: '钱新', mobile }])
    expect((await journal(left)).at(-1)).toMatchObject({ fields: ['mobile'], changes: [{ before: '169****0088', after: null }] })
  })

  test('enters no full class without the permission to overfill, and with it after confirming', async () => {
    const full = draft({ dept_id: school.class_1 })
    await enrolled({ dept_id: school.class_1 })
    expect(errorsOf(await create(full))).toEqual({ dept_id: '班级人数已达上限' })
    const bold = await app.as({ school_id: 1001, codes: [...codes, 'people.change.overfill'] })
    expect((await create(full, bold)).body).toMatchObject({ code: 422, data: { warnings: [{ field: 'dept_id', msg: '班级人数将超过上限' }] } })
    expect((await create({ ...full, accept_warnings: ['dept_id'] }, bold)).status).toBe(200)
  })

  test('with a doubtful number waits for a confirmation', async () => {
    const doubtful = draft({ sex: '1', id_type: '1', id_no: '370200202005120110', birthday: '2020-05-13' })
    const answer = await create(doubtful)
    expect([answer.status, answer.body.msg]).toEqual([422, '请核对提示内容，确认后再保存'])
    expect(answer.body.data).toEqual({
      warnings: [{ field: 'id_no', msg: '身份证号校验位不符，请核对' }, { field: 'birthday', msg: '出生日期与身份证号不一致' }],
    })
    expect((await create({ ...doubtful, accept_warnings: ['id_no', 'birthday'] })).status).toBe(200)
  })

  test('is refused with what no dictionary and no calendar holds', async () => {
    const answer = await create(draft({ nation: '99', birth_division: '月球', birthday: '2026-12-24', sex: undefined }))
    expect(answer.status).toBe(422)
    expect(errorsOf(answer)).toEqual({ nation: '字典值不存在', birth_division: '字典值不存在', birthday: '格式不正确', sex: '必填项不能为空' })
    expect(errorsOf(await create(draft({ dept_id: school.grade })))).toEqual({ dept_id: '请选择班级' })
    expect(errorsOf(await create(draft({ parents: [] })))).toEqual({ parents: '请至少填写一名家长' })
    expect(errorsOf(await create(draft({ id_type: '1' })))).toEqual({ id_no: '必填项不能为空' })
  })

  test('sends no unknown keys', async () => {
    const odd = { ...draft(), state: '01' }
    expect((await create(odd)).status).toBe(400)
    const [first = ''] = school.pupils
    for (const key of ['dept_id', 'state', 'school_id']) expect((await update({ user_id: first, row_version: 1, [key]: '1' })).status, key).toBe(400)
  })

  test('is made once by a repeated key', async () => {
    const input = draft()
    const twice = [1, 2].map(() => app.call(studentFileApi.create, input, { token: registrar.token, headers: { 'Idempotency-Key': 'one' } }))
    const [a, b] = await Promise.all(twice)
    expect([a?.status, b?.body.data]).toEqual([200, a?.body.data])
  })
})

describe('an edit', () => {
  test('changes what it names and counts one version', async () => {
    const before = await enrolled({ remark: '旧', tel: '16900009000' })
    const answer = await update({ user_id: before.user_id, row_version: 1, user_name: '林大雨', remark: null, hukou_division: '370202' })
    expect(answer.body).toMatchObject({ code: 600, data: { row_version: 2 } })
    const after = await file(before.user_id)
    expect(after.registry).toEqual({ ...before.registry, user_name: '林大雨', remark: null, hukou_division: '370202' })
    expect((await journal(before.user_id)).at(-1)).toMatchObject({ op_type: 4, fields: ['user_name', 'hukou_division', 'remark'] })
  })

  test('that says what is so already writes nothing', async () => {
    const { user_id } = await enrolled()
    expect((await update({ user_id, row_version: 1, user_name: '林小雨' })).body.data).toMatchObject({ row_version: 1 })
    expect(await journal(user_id)).toHaveLength(1)
  })

  test('of an older file is told what the other changed, and overwrites nothing', async () => {
    const { user_id } = await enrolled({ nation: '01', remark: '原备注', address: '青岛市阳光花园1号楼101' })
    expect((await update({ user_id, row_version: 1, remark: '甲的备注', nation: '02', address: '青岛市海边新村2号楼' }, second)).status).toBe(200)
    const mine = { user_id, row_version: 1, remark: '乙的备注', former_name: '林雨', address: '青岛市山边小区3号楼' }
    const answer = await update(mine)
    expect([answer.status, answer.body.msg]).toEqual([409, '数据已被他人修改，请核对差异后再保存'])
    expect(answer.body.data).toMatchObject({
      differences: [
        { field: 'nation', label: '民族', theirs: '蒙古族' },
        { field: 'address', label: '现住址', mine: '青岛市山边小****', theirs: '青岛市海边新****' },
        { field: 'remark', label: '备注', mine: '乙的备注', theirs: '甲的备注' },
      ],
      changed_by: { user_name: expect.stringMatching(/^测试用户/), at: expect.any(String) },
      row_version: 2,
    })
    expect((await file(user_id)).registry).toMatchObject({ remark: '甲的备注', former_name: null })
    expect((await update({ ...mine, row_version: 2 })).status).toBe(200)
    expect((await file(user_id)).registry).toMatchObject({ remark: '乙的备注', nation: '02', former_name: '林雨' })
  })

  test('20-A10 of two at once lets one win', async () => {
    const { user_id } = await enrolled()
    const answers = await Promise.all([registrar, second].map((who, at) => update({ user_id, row_version: 1, remark: `第${at}位` }, who)))
    expect(answers.map(answer => answer.status).toSorted()).toEqual([200, 409])
  })

  test('20-A35 reaches the own class alone, and no other school', async () => {
    const foreign = await app.as({ school_id: 1002, codes })
    const [own = '', , other = ''] = school.pupils
    expect((await update({ user_id: own, row_version: 1, remark: '班主任备注' }, head)).status).toBe(200)
    for (const [user_id, who] of [[other, head], [own, foreign]] as const) {
      expect((await update({ user_id, row_version: 1, remark: '外人' }, who)).status).toBe(404)
      expect((await app.call(personApi.detail, { id: user_id }, { token: who.token })).status).toBe(404)
      expect((await app.call(personApi.reveal, { user_id, fields: ['id_no'], reason: '看看' }, { token: who.token })).status).toBe(404)
    }
    expect((await create(draft(), head)).status).toBe(404)
    const list = dataOf(studentApi.list, await app.call(studentApi.list, { keyword: '单小明' }, { token: registrar.token }))
    expect(list.list[0]?.row_version).toBe(1)
  })
})

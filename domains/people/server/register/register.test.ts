import { dataOf, startTestApp } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { loginApi } from '@campus/identity/contract'
import { registerApi, registerCoreApi, registerEntryApi, registerFieldApi, registerPublicApi, studentApi } from '@campus/people/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { PeopleDb } from '../db.ts'
import { line } from '../import/import.builders.ts'
import { openSchool } from '../testing/changer.ts'
import { contents, importer } from '../testing/importer.ts'

const a = 1001
const hour_ms = 3_600_000
const codes = ['people.register.config', 'people.register.review', 'people.student.view', 'people.student.import', 'people.parent.import', 'people.staff.import']
let app: TestApp
let clerk: TestUser
let made = 0

beforeAll(async () => {
  app = await startTestApp({ settings: { CAMPUS_CAPTCHA_PER_MINUTE: '1000' } })
  await openSchool(app, a)
  clerk = await app.as({ school_id: a, codes })
})
afterAll(() => app.close())

/** Time goes by; the clerk signs in again. */
async function pass(ms: number): Promise<void> {
  app.clock.advance(ms)
  clerk = await app.as({ school_id: a, codes })
}
const as = () => ({ token: clerk.token })
const refusal = ({ status, body }: Answer) => [status, body.error_id, body.msg]
const wrong = ({ body }: Answer) => Object.fromEntries((body.data && typeof body.data === 'object' && 'errors' in body.data && Array.isArray(body.data.errors) ? body.data.errors : []).map(({ field, msg }) => [field, msg]))
const rows = (query: ReturnType<typeof sql<Record<string, unknown>>>) => app.running.database.tenant<PeopleDb, Record<string, unknown>[]>(a, async db => (await query.execute(db)).rows)
const info = async () => dataOf(registerCoreApi.info, await app.call(registerCoreApi.info, { school_id: a }, as()))
const soon = (ms = hour_ms) => new Date(app.clock.now().getTime() + ms).toISOString()
const student = async (draft: { is_register: boolean; open_register_end_time?: string; register_msg?: string }) => app.call(registerApi.openStudents, { ...draft, row_version: (await info()).row_version }, as())
const proof = async () => ({ cap_key: dataOf(loginApi.captcha, await app.call(loginApi.captcha, { type: 'login' })).key, captcha: '2222' })

/** Opens the form for pupils; answers its key. */
async function opened(): Promise<string> {
  return dataOf(registerApi.openStudents, await student({ is_register: true, open_register_end_time: soon() })).register_key ?? ''
}
/** Texts of a newcomer as the form asks for them. */
function newcomer(more: Record<string, string> = {}): Record<string, string> {
  made += 1
  const { grade: _grade, class_name: _class, student_no: _no, school_roll_no: _roll, ...rest } = line({ id_type: '护照', id_no: `RP${made}`, birthday: '20180512', p1_mobile: `1694${String(made).padStart(7, '0')}`, p2_name: '', p2_relation: '', p2_mobile: '', p2_guardian: '', ...more })
  return Object.fromEntries(Object.entries(rest).filter(([, text]) => text !== ''))
}
type Sent = { mobile?: string; values?: Record<string, string>; is_new?: 0 | 1; field_scene?: number; captcha?: string }
async function submit(key: string, { mobile = `1695${String((made += 1)).padStart(7, '0')}`, values = newcomer(), ...more }: Sent = {}) {
  return app.call(registerPublicApi.act, { key, act: 'submit', mobile, values, ...(await proof()), ...more })
}
const sent = async (key: string, more: Sent = {}) => dataOf(registerPublicApi.act, await submit(key, more)).apply_no
const entry = async (apply_no: string) => {
  const { list } = dataOf(registerEntryApi.page, await app.call(registerEntryApi.page, { keyword: apply_no }, as()))
  const [row] = list
  if (!row) throw new Error(`no entry ${apply_no}`)
  return row
}
const school_gives = () => ({ grade: '一年级', class_name: '1班', student_no: `RS${(made += 1)}` })
beforeEach(async () => {
  await rows(sql`delete from register_hit where school_id = ${a}`)
})

// Before the clock is moved: the database, by its own clock, would not know yet who has undone.
describe('reviewing', () => {
  test('a newcomer passes as a line of an import once the school has added what is missing; taking the batch back leaves every table as before and the entry waits again', async () => {
    const key = await opened()
    const apply_no = await sent(key)
    const { id, errors } = await entry(apply_no)
    expect(errors.map(issue => issue.prop).toSorted()).toEqual(['class_name', 'grade', 'student_no'])
    const before = await contents(app.running.database, a)
    const short = await app.call(registerEntryApi.pass, { ids: [id] }, as())
    expect([refusal(short)[0], Object.keys(wrong(short)).length]).toEqual([422, 3])
    const cells = school_gives()
    const { batch_no } = dataOf(registerEntryApi.pass, await app.call(registerEntryApi.pass, { ids: [id], added: { [id]: { cells } } }, as()))
    expect(dataOf(studentApi.list, await app.call(studentApi.list, { keyword: cells.student_no }, as())).list).toMatchObject([{ user_name: '王子涵', dept_name: expect.stringContaining('1班') }])
    expect(await entry(apply_no)).toMatchObject({ state: 'passed', batch_no, match_user_id: expect.any(String) })
    const by = importer(app, clerk)
    expect(await by.one(batch_no)).toMatchObject({ state: 'applied', rows_new: 1, rows_applied: 1 })
    expect(await by.rows(batch_no)).toMatchObject([{ is_applied: true, cells: { student_no: cells.student_no } }])
    expect(await by.undo(batch_no)).toMatchObject({ status: 200, batch: { state: 'undone', rows_undone: 1, undo_message: null } })
    expect(await contents(app.running.database, a)).toEqual(before)
    expect(await entry(apply_no)).toMatchObject({ state: 'waiting', batch_no: null, match_user_id: null })
  }, 60_000)

  test('an entry of a change shows what differs and changes only what the reviewer takes; a newcomer who is known does not pass as one', async () => {
    const key = await opened()
    const values = newcomer({ user_name: '单小明', id_type: '居民身份证', id_no: '370200202005120035', birthday: '20200512', sex: '男', p1_name: '单大山', p1_mobile: '16900000003', remark: '换了住址', address: '(虚构)新街1号' })
    const as_new = await entry(await sent(key, { values }))
    expect(as_new.errors.map(issue => issue.msg)).toContain('该人员已在档案中，请核对后改为“信息变更”')
    expect((await app.call(registerEntryApi.pass, { ids: [as_new.id] }, as())).status).toBe(422)
    const row = await entry(await sent(key, { values, is_new: 0 }))
    expect([row.errors, row.diff.find(change => change.prop === 'address')?.after.includes('新街1号')]).toEqual([[], false])
    const left_out = row.diff.map(change => change.prop).filter(prop => prop !== 'health')
    const done = await app.call(registerEntryApi.pass, { ids: [row.id], added: { [row.id]: { left_out } } }, as())
    expect(done.status).toBe(200)
    expect(await rows(sql`select p.address, s.health from person p join student s using (school_id, user_id) where p.user_id = ${row.match_user_id}`)).toEqual([{ address: null, health: '1' }])
  })

  test('20-A30 the same entry passed twice at once is entered once; a refused one tells its reason', async () => {
    const key = await opened()
    const { id } = await entry(await sent(key))
    const cells = school_gives()
    const both = await Promise.all([0, 1].map(() => app.call(registerEntryApi.pass, { ids: [id], added: { [id]: { cells } } }, as())))
    expect(both.map(answer => answer.status).toSorted()).toEqual([200, 409])
    expect(dataOf(studentApi.list, await app.call(studentApi.list, { keyword: cells.student_no }, as())).total).toBe(1)
    const values = newcomer()
    const apply_no = await sent(key, { values })
    const refused = await entry(apply_no)
    expect((await app.call(registerEntryApi.refuse, { ids: [refused.id], reason: '请补充出生证明' }, as())).status).toBe(200)
    expect(refusal(await app.call(registerEntryApi.refuse, { ids: [refused.id], reason: '再次' }, as()))[1]).toBe('people.registerHandled')
    const told = await app.call(registerPublicApi.act, { key, act: 'status', apply_no, id_last4: (values.id_no ?? '').slice(-4).padStart(4, 'P'), ...(await proof()) })
    expect(told.status === 200 ? dataOf(registerPublicApi.act, told).reason : told.body.msg).toBe('请补充出生证明')
    const stranger = await app.as({ school_id: 1002, codes })
    expect((await app.call(registerEntryApi.refuse, { ids: [refused.id], reason: '外校' }, { token: stranger.token })).status).toBe(404)
  })
})

describe('registration of staff', () => {
  const teachers = async () => dataOf(registerApi.openTeachers, await app.call(registerApi.openTeachers, { is_teacher_register: true, open_teacher_register_end_time: soon(), row_version: (await info()).row_version }, as()))
  const values = { user_name: '秦小雨', sex: '女', id_type: '护照', id_no: 'RT0001', join_month: '202609', email: 'qin@example.com' }

  test('20-A30 a member of staff registers, is entered as a line of the staff import once the school has added what is missing, and the undo takes all of it back', async () => {
    const key = (await teachers()).register_key ?? ''
    const form = dataOf(registerPublicApi.look, await app.call(registerPublicApi.look, { key, field_scene: 2 }))
    expect(form.fields.map(field => field.field_code)).toEqual(['user_name', 'sex', 'mobile', 'id_type', 'id_no', 'join_month'])
    const mobile = '16957770001'
    const apply_no = await sent(key, { field_scene: 2, mobile, values: { ...values, mobile } })
    const { id, errors, field_scene } = await entry(apply_no)
    expect([field_scene, errors.map(issue => issue.prop).toSorted()]).toEqual([2, ['dept', 'kind', 'state', 'teacher_no']])
    const before = await contents(app.running.database, a)
    const cells = { teacher_no: 'RT1', dept: '教务处', kind: '专任教师', state: '在职' }
    const { batch_no } = dataOf(registerEntryApi.pass, await app.call(registerEntryApi.pass, { ids: [id], added: { [id]: { cells } } }, as()))
    const [row] = await rows(sql`select p.user_name, p.mobile, s.kind from staff s join person p using (school_id, user_id) where s.school_id = ${a} and s.teacher_no = 'RT1'`)
    expect(row).toEqual({ user_name: '秦小雨', mobile, kind: expect.any(String) })
    expect(await entry(apply_no)).toMatchObject({ state: 'passed', batch_no, match_user_id: expect.any(String) })
    const by = importer(app, clerk)
    expect(await by.one(batch_no)).toMatchObject({ template: 'teacher', state: 'applied', rows_new: 1 })
    expect(await by.undo(batch_no)).toMatchObject({ batch: { state: 'undone' } })
    expect(await contents(app.running.database, a)).toEqual(before)
    expect(await entry(apply_no)).toMatchObject({ state: 'waiting', batch_no: null })
  }, 60_000)
})

describe('opening and closing', () => {
  test('20-A30 enabling asks for an end to come, disabling for a message; other scenes are refused', async () => {
    expect(refusal(await student({ is_register: true }))).toEqual([422, 'people.registerEnd', '请选择截止时间'])
    expect(refusal(await student({ is_register: true, open_register_end_time: soon(-1000) }))).toEqual([422, 'people.registerEnd', '请选择截止时间'])
    expect(refusal(await student({ is_register: false }))).toEqual([422, 'people.registerMsg', '请输入关闭提示'])
    const { row_version } = await info()
    expect(refusal(await app.call(registerApi.openTeachers, { is_teacher_register: true, row_version }, as()))[1]).toBe('people.registerEnd')
    expect(refusal(await app.call(registerApi.openTeachers, { is_teacher_register: false, row_version }, as()))[1]).toBe('people.registerMsg')
    for (const field_scene of [0, 3]) {
      expect(refusal(await app.call(registerFieldApi.list, { field_scene }, as()))).toEqual([422, 'people.fieldScene', '不支持的字段场景'])
      expect(refusal(await app.call(registerFieldApi.save, { field_scene, list: [{ field_code: 'user_name', shown: true, required: true }] }, as()))[1]).toBe('people.fieldScene')
    }
    const key = await opened()
    expect(refusal(await submit(key, { field_scene: 3 }))).toEqual([422, 'people.fieldScene', '不支持的字段场景'])
    expect((await student({ is_register: false, register_msg: '请到校办理' })).status).toBe(200)
    expect(refusal(await app.call(registerApi.openStudents, { is_register: false, register_msg: '旧', row_version: 0 }, as()))[1]).toBe('people.staleRow')
    expect((await app.call(registerCoreApi.info, { school_id: 1002 }, as())).status).toBe(404)
  })

  test('20-A30 what is sent one second after the end is refused by the clock of the server, a moment before it is taken', async () => {
    const key = await opened()
    await pass(hour_ms / 2)
    expect((await submit(key)).status).toBe(200)
    await pass(hour_ms / 2 + 1000)
    expect(refusal(await submit(key))).toEqual([409, 'people.registerClosed', '登记已截止'])
    expect(dataOf(registerPublicApi.look, await app.call(registerPublicApi.look, { key }))).toMatchObject({ is_open: false, message: '登记已截止', fields: [] })
    await student({ is_register: false, register_msg: '名额已满，请到校咨询' })
    expect(refusal(await submit(key))[2]).toBe('名额已满，请到校咨询')
  })

  test('the fields are asked as the school set them; an unknown or missing one is refused', async () => {
    const { list } = dataOf(registerFieldApi.list, await app.call(registerFieldApi.list, { field_scene: 1 }, as()))
    expect(list.find(field => field.field_code === 'user_name')).toMatchObject({ shown: true, required: true, is_fixed: true })
    expect(list.find(field => field.field_code === 'student_no')).toMatchObject({ shown: false })
    const save = (draft: typeof list) => app.call(registerFieldApi.save, { field_scene: 1, list: draft.map(({ field_code, shown, required }) => ({ field_code, shown, required })) }, as())
    expect(refusal(await save(list.slice(1)))[1]).toBe('people.registerFields')
    await save(list.map(field => ({ ...field, shown: field.field_code === 'remark', required: field.field_code === 'remark' })))
    const key = await opened()
    expect(dataOf(registerPublicApi.look, await app.call(registerPublicApi.look, { key })).fields.map(field => field.field_code)).toEqual(['user_name', 'remark'])
    expect(wrong(await submit(key, { values: { user_name: '赵小满' } }))).toEqual({ remark: '必填项不能为空' })
    await save(list)
  })
})

describe('sending in', () => {
  test('20-A30 the sixth entry of a mobile a day is refused, the next day it goes on; the twenty-first hit of an address an hour too', async () => {
    const key = await opened()
    const mobile = '16950000000'
    for (let at = 0; at < 5; at++) expect((await submit(key, { mobile })).status).toBe(200)
    expect(refusal(await submit(key, { mobile }))).toEqual([429, 'people.registerTooMany', '提交次数过多，请明天再试'])
    for (let at = 0; at < 15; at++) expect((await submit(key)).status).toBe(200)
    const beyond = await submit(key)
    expect([refusal(beyond)[0], Number(beyond.headers.get('retry-after')) > 0]).toEqual([429, true])
    await pass(25 * hour_ms)
    const next = await opened()
    expect(next).toBe(key)
    expect((await submit(key, { mobile })).status).toBe(200)
  }, 60_000)

  test('wrong texts are told by field, a wrong captcha or key sends nothing in', async () => {
    const key = await opened()
    expect(wrong(await submit(key, { mobile: '12000000000', values: newcomer({ sex: '不明', id_type: '居民身份证', id_no: '370200180512001' }) }))).toMatchObject({ mobile: expect.any(String), sex: '字典值不存在', id_no: '身份证号格式不正确' })
    expect(refusal(await submit(key, { captcha: '9999' }))[1]).toBe('people.registerCaptcha')
    const other = `${a}-${'0'.repeat(32)}`
    expect(refusal(await submit(other))[0]).toBe(404)
    expect((await app.call(registerPublicApi.look, { key: other })).status).toBe(404)
    expect((await app.call(registerPublicApi.look, { key: key.replace('1001', '1002') })).status).toBe(404)
  })

  test('answers do not say whether somebody is known; the state is told for the number with the last four signs', async () => {
    const key = await opened()
    const known = await submit(key, { values: newcomer({ user_name: '王子涵', id_type: '居民身份证', id_no: '370200202005120019', birthday: '20200512' }) })
    const unknown = await submit(key)
    const shape = (answer: Answer) => ({ ...dataOf(registerPublicApi.act, answer), apply_no: '' })
    expect(shape(known)).toEqual(shape(unknown))
    const { apply_no } = dataOf(registerPublicApi.act, known)
    const status = async (id_last4: string, no = apply_no) => app.call(registerPublicApi.act, { key, act: 'status', apply_no: no, id_last4, ...(await proof()) })
    expect(dataOf(registerPublicApi.act, await status('0019'))).toMatchObject({ apply_no, state: 'waiting' })
    expect(refusal(await status('0018'))).toEqual(refusal(await status('0019', 'R20260101000000')))
    const [row] = await rows(sql`select * from register_entry where apply_no = ${apply_no}`)
    expect(JSON.stringify(row)).not.toContain('370200202005120019')
    expect(JSON.stringify(await entry(apply_no))).not.toContain('370200202005120019')
  })
})

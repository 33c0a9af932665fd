import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { Answer, TestApp } from '@apps/server/testing'
import { loginApi, roleApi, sessionApi } from '@campus/identity/contract'
import { schoolApi, schoolInfoApi, schoolManageApi } from '@campus/school/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { grantSuper } from './account.queries.ts'
import { enter, loggedIn, login, sealed, signedIn, ticketOf } from './testing/console-client.ts'
import { makePerson, ofSchool, own } from './testing/person.ts'
import type { TestPerson } from './testing/person.ts'

const { a, b, enterprise } = test_schools
const l4 = '用户名或密码错误，连续输错5次将锁定10分钟'
let app: TestApp
let boss: TestPerson
let token: string

beforeAll(async () => {
  app = await startTestApp()
  boss = await makePerson(app, { roles: [{ school_id: a }], username: 'platform_1' })
  await own(app.running.database, 0, db => grantSuper(db, boss.user_id, 1, [a, b, enterprise]))
  const reply = await loggedIn(app, boss)
  token = dataOf(loginApi.token, await enter(app, ofSchool(reply.role_list.filter(({ code }) => code === 'SYS001_Super'), a), reply.token)).token
})
afterAll(() => app.close())

const seen = ({ status, body }: Answer) => [status, body.msg]
const as = () => ({ token })
const alive = async (of: string) => (await app.call(sessionApi.mine, {}, { token: of })).status
const face = async (id: number) => dataOf(schoolApi.face, await app.call(schoolApi.face, { id }))
let serial = 0

/** The proof of the password typed again. */
async function recheck(): Promise<string> {
  const { cap_key, texts } = await sealed(app, 'nonce', [boss.password])
  return dataOf(sessionApi.checkSelfPassword, await app.call(sessionApi.checkSelfPassword, { password: texts[0] ?? '', cap_key }, as())).recheck_token
}

async function add(more: { school_id?: number; school_type?: 1 | 2; admin_account?: string; recheck_token?: string; school_name?: string } = {}): Promise<Answer> {
  serial += 1
  return app.call(schoolManageApi.add, { school_name: `新校${serial}`, school_type: 1, admin_name: '王新校', admin_account: `newadm_${serial}`, recheck_token: await recheck(), ...more }, as())
}

async function made(more: Parameters<typeof add>[0] = {}) {
  const { school_id, admin_account, password } = dataOf(schoolManageApi.add, await add(more))
  return { school_id, school_name: `新校${serial}`, admin: { username: admin_account, password } }
}

async function suspend(id: number) {
  return app.call(schoolManageApi.suspend, { id, reason: '欠费停用', recheck_token: await recheck() }, as())
}
async function resume(id: number) {
  return app.call(schoolManageApi.resume, { id, reason: '已续费', recheck_token: await recheck() }, as())
}
async function close(id: number, school_name: string) {
  return app.call(schoolManageApi.close, { id, reason: '合并办学', school_name, recheck_token: await recheck() }, as())
}

async function list(filter: { keyword?: string; school_type?: number; state?: number } = {}) {
  return dataOf(schoolManageApi.page, await app.call(schoolManageApi.page, filter, as()))
}

async function lines(school_id: number, call: string) {
  const { rows } = await own(app.running.database, school_id, db =>
    sql<Record<string, unknown>>`select user_id::text, user_name, ok, reason, op_type, target_id, before, after from operation_log where school_id = ${school_id} and call = ${call} order by happened_at desc`.execute(db),
  )
  return rows
}

/** A person of a school who is signed in there. */
async function somebody(school_id: number) {
  const person = await makePerson(app, { roles: [{ school_id }] })
  return { person, ...(await signedIn(app, person)) }
}

test('schools are the platform’s: no role of a school has them or can be given them', async () => {
  const admin = await app.as({ school_id: a, codes: 'all' })
  expect((await app.call(schoolManageApi.page, {}, { token: admin.token })).status).toBe(403)
  expect((await app.call(schoolManageApi.suspend, { id: b, reason: '停用', recheck_token: 'x' }, { token: admin.token })).status).toBe(403)
  const role = await app.as({ school_id: a, codes: [] })
  const matrix = dataOf(roleApi.matrix, await app.call(roleApi.matrix, { role_id: role.role_id }, as()))
  expect(JSON.stringify(matrix)).not.toContain('school.school.manage')
  const change = { role_id: role.role_id, version: matrix.version, grant: ['school.school.manage'], revoke: [] }
  expect((await app.call(roleApi.saveMatrix, change, as())).status).toBe(400)
})

test('the list has every school with its people, who is there and when somebody last came in', async () => {
  const { list: all, total } = await list()
  expect([all.map(row => row.school_id), total]).toEqual([[a, b, enterprise], 3])
  expect(all[0]).toMatchObject({ school_name: '测试一校', school_type: 1, state: 2, storage_bytes: 0, people: expect.any(Number) })
  expect(all[0]?.online).toBeGreaterThan(0)
  expect(Date.parse(all[0]?.last_login_at ?? '')).toBeGreaterThan(0)
  expect((await list({ keyword: '二校' })).list.map(row => row.school_id)).toEqual([b])
  expect((await list({ keyword: String(b) })).list.map(row => row.school_id)).toEqual([b])
  expect((await list({ school_type: 2 })).list.map(row => row.school_id)).toEqual([enterprise])
  expect((await list({ state: 3 })).total).toBe(0)
})

test('a school is made with its first administrator, who changes the password shown once and may do everything there', async () => {
  const { school_id, admin } = await made()
  expect(school_id).toBe(enterprise + 1)
  expect((await face(school_id)).school_name).toBe(`新校${serial}`)
  const first = await login(app, { ...admin, school_id })
  expect(first.body.code).toBe(6005)
  const { cap_key, texts } = await sealed(app, 'nonce', ['Hn5$kLw9zX'])
  await app.call(loginApi.forcedPassword, { pwd: texts[0] ?? '', code: ticketOf(first).token, cap_key })
  const { token: own_token, role } = await signedIn(app, { username: admin.username, password: 'Hn5$kLw9zX' })
  expect(role).toMatchObject({ school_id, code: 'SYS001_SchoolAdmin' })
  const detail = dataOf(schoolInfoApi.detail, await app.call(schoolInfoApi.detail, {}, { token: own_token }))
  expect(detail).toMatchObject({ school_id, state: 2 })
  expect((await app.call(schoolManageApi.page, {}, { token: own_token })).status).toBe(403)
  expect(await lines(a, 'school.school_manage.add')).toEqual([expect.objectContaining({ ok: true, target_id: String(school_id), after: { school_type: 1, admin_account: admin.username } })])
})

test('a number, an account and a proof serve once; what is refused leaves nothing behind', async () => {
  const { school_id, admin } = await made({ school_id: 7001 })
  const before = await list()
  expect(seen(await add({ school_id }))).toEqual([409, '学校编号已被占用，请换一个编号'])
  expect(seen(await add({ admin_account: admin.username }))).toEqual([409, '账号已存在'])
  expect(seen(await add({ admin_account: 'super' }))).toEqual([409, '账号已存在'])
  expect(seen(await add({ recheck_token: 'made-up' }))).toEqual([422, '密码验证已失效，请重新输入密码'])
  const proof = await recheck()
  const twice = await Promise.all([1, 2].map(() => add({ recheck_token: proof })))
  expect(twice.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 422])
  expect((await list()).total).toBe(before.total + 1)
})

test.each<[string, Parameters<typeof add>[0], string]>([
  ['a name with signs', { school_name: '新<校>' }, '不能包含特殊字符'],
  ['an account of four signs', { admin_account: 'abcd' }, '账号格式不正确,只能由5-30位字母、数字和下划线组成'],
  ['10-P2 an account that cannot be typed', { admin_account: 'abcdefghijkl' }, '超过11位的账号不能在登录页手工输入'],
])('%s is refused with its sentence', async (_what, more, msg) => {
  const refused = await add(more)
  expect(refused.status).toBe(400)
  expect(JSON.stringify(refused.body)).toContain(msg)
})

test('a school gets another name, from here or from inside; of two at once one is told', async () => {
  const { school_id } = await made()
  const { row_version = 0 } = (await list({ keyword: String(school_id) })).list[0] ?? {}
  const both = await Promise.all(['甲', '乙'].map(name => app.call(schoolManageApi.update, { id: school_id, school_name: `改名${name}校`, row_version }, as())))
  expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409])
  expect((await face(school_id)).school_name).toMatch(/^改名.校$/)
  expect((await list({ keyword: '改名' })).total).toBe(1)
  const admin = await app.as({ school_id, codes: ['school.info.view', 'school.info.edit'] })
  const { school_type: _type, school_logo_url: _logo, login_bg_url: _bg, state: _state, school_id: _id, ...draft } = dataOf(schoolInfoApi.detail, await app.call(schoolInfoApi.detail, {}, { token: admin.token }))
  await app.call(schoolInfoApi.update, { ...draft, school_name: '自己改的校名' }, { token: admin.token })
  expect((await list({ keyword: '自己改的' })).list.map(row => row.school_id)).toEqual([school_id])
})

test('10-A28 with a school suspended its sessions are over at once, logins there say what a wrong password says, and its face is an unknown one', async () => {
  const { school_id } = await made()
  const { person, token: theirs, cookie } = await somebody(school_id)
  expect(await alive(theirs)).toBe(200)
  const known = await face(school_id)
  expect(dataOf(schoolManageApi.suspend, await suspend(school_id))).toEqual({ school_id, state: 3, sessions_ended: 1 })
  expect(await alive(theirs)).toBe(401)
  expect((await app.call(loginApi.refresh, {}, { headers: { cookie } })).status).toBe(401)
  expect(seen(await login(app, { ...person, school_id }))).toEqual([422, l4])
  expect((await loggedIn(app, person)).role_list).toEqual([])
  const { school_id: _one, ...suspended } = await face(school_id)
  const { school_id: _other, ...unknown } = await face(8_765_432)
  expect(suspended).toEqual(unknown)
  expect(Object.keys(known).toSorted()).toEqual(Object.keys(await face(school_id)).toSorted())
  const rule = async (id: number) => dataOf(loginApi.passwordSet, await app.call(loginApi.passwordSet, { school_id: id }))
  expect(await rule(school_id)).toEqual(await rule(8_765_432))
  expect((await loggedIn(app, boss)).role_list.map(role => role.school_id)).not.toContain(school_id)
  const { rows } = await own(app.running.database, school_id, db => sql`select revoke_reason from session where school_id = ${school_id}`.execute(db))
  expect(rows).toEqual([{ revoke_reason: 'school_suspended' }])
  expect((await lines(a, 'school.school_manage.suspend'))[0]).toMatchObject({ ok: true, reason: '欠费停用', target_id: String(school_id), before: { state: 2 }, after: { state: 3 } })
  expect((await list({ state: 3 })).list.map(row => row.school_id)).toContain(school_id)
  expect((await resume(school_id)).status).toBe(200)
  expect(await alive(theirs)).toBe(401)
  expect((await signedIn(app, { ...person, school_id })).role.school_id).toBe(school_id)
})

test('a school is closed by its name, once suspended, and for ever; nobody shuts the school he works in', async () => {
  const { school_id, school_name } = await made()
  expect(seen(await suspend(a))).toEqual([422, '不能停用或关闭当前所在的学校，请先进入其他学校'])
  expect(seen(await close(school_id, school_name))).toEqual([409, '请先停用学校，再关闭'])
  expect(seen(await resume(school_id))).toEqual([409, '学校状态已变化，请刷新后重试'])
  await suspend(school_id)
  expect(seen(await suspend(school_id))).toEqual([409, '学校状态已变化，请刷新后重试'])
  expect(seen(await close(school_id, '别的学校'))).toEqual([422, '输入的学校名称不一致，请重新输入'])
  expect((await close(school_id, school_name)).status).toBe(200)
  expect(seen(await resume(school_id))).toEqual([409, '学校状态已变化，请刷新后重试'])
  expect((await suspend(8_765_432)).status).toBe(404)
  expect(seen(await app.call(schoolManageApi.suspend, { id: b, reason: '停用', recheck_token: 'made-up' }, as()))).toEqual([422, '密码验证已失效，请重新输入密码'])
})

test('a super account enters another school only with a reason, which that school reads in its log', async () => {
  const there = (school_id: number) => ({ role_no: `-${school_id}`, code: 'SYS001_Super', user_id: boss.user_id, user_dep: '1', school_id, client: 'web' as const })
  expect(seen(await app.call(loginApi.token, there(b), as()))).toEqual([422, '请填写进入该学校的原因'])
  expect((await app.call(loginApi.token, { ...there(b), reason: '  ' }, as())).status).toBe(422)
  expect((await app.call(loginApi.token, { ...there(b), reason: '查'.repeat(61) }, as())).status).toBe(400)
  const entered = dataOf(loginApi.token, await app.call(loginApi.token, { ...there(b), reason: '协助核对学籍' }, as()))
  expect((await lines(b, 'identity.login.token'))[0]).toMatchObject({ ok: true, op_type: 1, reason: '协助核对学籍', user_id: boss.user_id, user_name: boss.username })
  const further = await app.call(loginApi.token, { ...there(enterprise), reason: '协助核对员工' }, { token: entered.token })
  const back = await app.call(loginApi.token, { ...there(a), reason: '返回' }, { token: dataOf(loginApi.token, further).token })
  expect([further.status, back.status]).toEqual([200, 200])
})

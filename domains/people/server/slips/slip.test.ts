import { existsSync } from 'node:fs'
import { dataOf, jobSheet, startTestApp } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { accountApi, loginApi } from '@campus/identity/contract'
import { defineRole, grantRole, hashPassword, issueAccount, passwordState, setRolePermissions } from '@campus/identity/server'
import { jobApi } from '@campus/jobs/contract'
import { encryptField } from '@kit/contract/sm2'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SmallSchool } from '../people.builders.ts'
import { openSchool, pupilsIn } from '../testing/changer.ts'

const school_id = 1001
let app: TestApp
let school: SmallSchool
let admin: TestUser
let ids: string[]

beforeAll(async () => {
  app = await startTestApp()
  school = await openSchool(app, school_id)
  admin = await app.as({ school_id, codes: ['identity.account.manage'] })
  ids = await pupilsIn(app, school_id, school.class_1, ['P1', 'P2', 'P3', 'P4'])
  const password_hash = await hashPassword('Qw8#rTy2pL')
  const pwd_set_at = app.clock.now()
  const { app: running, database } = app.running
  for (const user_id of ids.slice(0, 3)) await database.tenant<unknown, void>(0, db => issueAccount(db, { user_id, username: `slip_${user_id}`, password_hash, pwd_state: 1, pwd_set_at }))
  await database.tenant<unknown, void>(school_id, async db => {
    const role_id = await defineRole(db, school_id, { code: 'CUS_MORE', name: '更多', group_code: 'SYS003' })
    await setRolePermissions(db, running, school_id, role_id, ['identity.role.view'])
    await grantRole(db, school_id, [{ role_id, user_id: ids[2] ?? '', valid_from: new Date(pwd_set_at.getTime() - 1000) }])
  })
})
afterAll(() => app.close())

const order = (user_ids: string[], who = admin) => app.call(accountApi.setSysPwd, { user_ids }, { token: who.token })
const jobOf = async (job_no: string) => dataOf(jobApi.one, await app.call(jobApi.one, { job_no }, { token: admin.token }))
const texts = async (like: string) => {
  const { rows } = await app.running.database.tenant(school_id, db => sql<{ line: string }>`
    select o::text as line from operation_log o where school_id = ${school_id} union all select j::text from job j where school_id = ${school_id} union all select b::text from outbox b where school_id = ${school_id}`.execute(db))
  return rows.filter(row => row.line.includes(like)).length
}

/** The lines of a slip file for these people, by number. */
async function printed(user_ids: string[]): Promise<string[][]> {
  const { job_no } = dataOf(accountApi.setSysPwd, await order(user_ids))
  const lines = (await jobSheet(app, job_no, admin)).map(line => ['姓名', '编号', '部门', '账号', '一次性密码', '说明'].map((_head, at) => line[at] ?? ''))
  return lines.slice(lines.findIndex(([name]) => name === '姓名') + 1)
}

test('20-A27 setSysPwd prints a one-time password for everybody who may get one, and the reason for the others; it stands nowhere else', async () => {
  const { job_no, count } = dataOf(accountApi.setSysPwd, await order([...ids, '999999999']))
  expect(count).toBe(4)
  const lines = (await jobSheet(app, job_no, admin)).filter(([, user_no]) => user_no?.startsWith('P'))
  expect(lines.map(([, user_no, , , password, why]) => [user_no, password === '' ? null : password?.length, why ?? ''])).toEqual([
    ['P1', 12, ''], ['P2', 12, ''], ['P3', null, '该人员拥有您没有的权限或数据范围，请由权限更高的管理员处理'], ['P4', null, '没有登记手机号，请先在档案中补全，再开通账号'],
  ])
  const states = await app.running.database.tenant<unknown, ReadonlyMap<string, string>>(school_id, db => passwordState(db, school_id, ids))
  expect(ids.map(user_id => states.get(user_id))).toEqual(['initial', 'initial', 'own', 'none'])
  for (const [, , , , password = ''] of lines.slice(0, 2)) expect(await texts(password)).toBe(0)
  const stranger = await app.as({ school_id, codes: ['identity.account.manage'] })
  expect((await app.call(jobApi.result, { job_no }, { token: stranger.token })).status).toBe(404)
})

test('20-R24 who has no login gets one by his mobile, with the first password of the school’s rule, which must be changed at once', async () => {
  await app.running.database.tenant(school_id, db => sql`update password_set set default_rule = 'phone_tail', default_prefix = 'Qm@' where school_id = ${school_id}`.execute(db))
  const [teacher = '', colleague = ''] = school.teachers
  const taken = { user_id: ids[3] ?? '', username: '16910000002', password_hash: await hashPassword('Qw8#rTy2pL'), pwd_state: 1, pwd_set_at: app.clock.now() } as const
  await app.running.database.tenant<unknown, void>(0, db => issueAccount(db, taken))
  const lines = await printed([teacher, colleague])
  expect(lines.map(([name, , , username, password, why]) => [name, username, password, why])).toEqual([
    ['陈晓华', '16910000001', 'Qm@000001', '新开通账号，初始密码'], ['周明', '', '', '该手机号已是另一个账号的登录名，请核对是否为同一人'],
  ])
  const captcha = dataOf(loginApi.captcha, await app.call(loginApi.captcha, { type: 'login' }))
  const seal = (text: string) => encryptField(text, captcha.key, captcha.public_key, captcha.key_id)
  const answer = await app.call(loginApi.check, { username: seal('16910000001'), password: seal('Qm@000001'), cap_key: captcha.key, cap_value: '2222' })
  expect(answer.body.code).toBe(6005)
  expect(await texts('Qm@000001')).toBe(0)
  const again = await printed([teacher])
  expect(again.map(([, , , , password, why]) => [password?.length, why])).toEqual([[12, '']])
})

test('20-A27 a slip file is fetched once, by whoever asked; then it is gone from the disk too', async () => {
  const { job_no } = dataOf(accountApi.setSysPwd, await order(ids.slice(0, 1)))
  await expect.poll(async () => (await jobOf(job_no)).state, { timeout: 30_000 }).toBe('succeeded')
  expect(await jobOf(job_no)).toMatchObject({ title: '密码条（1人，只能下载一次）', has_result: true })
  const fetched = () => app.call(jobApi.result, { job_no }, { token: admin.token })
  const answers = await Promise.all([fetched(), fetched(), fetched()])
  expect(answers.map(answer => answer.status).toSorted()).toEqual([200, 404, 404])
  expect((await fetched()).body.msg).toBe('该文件只能下载一次，已被下载；如未保存，请重新生成')
  expect((await jobOf(job_no)).has_result).toBe(false)
  const { rows } = await app.running.database.tenant(school_id, db => sql<{ result_file: string }>`select result_file from job where school_id = ${school_id} and job_no = ${job_no}`.execute(db))
  expect(existsSync(app.running.app.files.pathOf(rows[0]?.result_file ?? '-'))).toBe(false)
})

test('setSysPwd for nobody whom the caller reaches is refused', async () => {
  const near = await app.as({ school_id, codes: ['identity.account.manage'], scope: 'none' })
  expect((await order(ids, near)).status).toBe(404)
})

import { ensureUsers, grantRole, grantSuper, startSession } from '@campus/identity/server'
import type { Own } from '@campus/identity/server'
import { memberApi, roleApi } from '@campus/identity/contract'
import { alertTemplates, messageApi } from '@campus/messages/contract'
import { send } from '@campus/messages/server'
import { dictionaryEditApi, schoolManageApi } from '@campus/school/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sheetLines, startTestApp, test_schools } from '../testing/index.ts'
import type { TestApp, TestUser } from '../testing/index.ts'

const { a: school_id } = test_schools
const codes = ['identity.member.export', 'identity.member.view', 'identity.role.export', 'identity.role.view', 'school.dict.export', 'messages.message.export', 'messages.message.view']
let app: TestApp
let admin: TestUser
let role_id: string

beforeAll(async () => {
  app = await startTestApp()
  admin = await app.as({ school_id, codes })
  role_id = (await app.as({ school_id, codes: ['school.dict.view'] })).role_id
  await members(['=1+1', '王芳', '李强'].map((user_name, at) => ({ user_no: `T00${at}`, user_name, user_kind: 2 })))
})
afterAll(() => app.close())

function members(people: { user_no: string; user_name: string; user_kind: number }[]): Promise<void> {
  return app.running.database.tenant<unknown, void>(school_id, async db => {
    const user_ids = await ensureUsers(db, school_id, people)
    await grantRole(db, school_id, user_ids.map(user_id => ({ role_id, user_id, valid_from: app.clock.now() })))
  })
}

describe('the members of a role', () => {
  test('10-A26 the sheet is the filtered list with its head, and what could run as a formula is quoted', async () => {
    const lines = await sheetLines(await app.call(memberApi.export, { role_id, keyword: 'T00' }, { token: admin.token }))
    expect(lines.slice(0, 3).map(([text]) => text)).toEqual([
      '测试一校　角色成员　共3人',
      expect.stringMatching(/^导出人：测试用户1（U1）测试角色1　导出时间：\d{4}-\d\d-\d\d \d\d:\d\d$/),
      '条件：角色 测试角色2；状态 当前；查找 T00',
    ])
    expect(lines[3]?.slice(0, 6)).toEqual(['姓名', '编号', '部门', '任职部门', '开始日期', '结束日期'])
    expect(lines.slice(4).map(line => line.slice(0, 2))).toEqual([['=1+1', 'T000'], ['王芳', 'T001'], ['李强', 'T002']])
  })

  test('10-A26 above a thousand people a reason is asked for, and it stands in the head and in the log', async () => {
    await members(Array.from({ length: 998 }, (_, at) => ({ user_no: `P${at}`, user_name: '学员', user_kind: 2 })))
    const refused = await app.call(memberApi.export, { role_id }, { token: admin.token })
    expect([refused.status, refused.body.msg]).toEqual([422, '请填写导出原因'])
    const lines = await sheetLines(await app.call(memberApi.export, { role_id, reason: '年度核对' }, { token: admin.token }))
    expect([lines[2]?.[0], lines.length]).toEqual(['条件：角色 测试角色2；状态 当前　导出原因：年度核对', 1002 + 4])
    const { rows } = await app.running.database.tenant<unknown, { rows: unknown[] }>(school_id, db =>
      sql`select target_name, reason, op_type, ok from operation_log where school_id = ${school_id} and call = 'identity.member.export' order by log_id desc limit 2`.execute(db))
    expect(rows).toEqual([{ target_name: '测试角色2 1002人', reason: '年度核对', op_type: 7, ok: true }, { target_name: '测试角色2 1002人', reason: null, op_type: 7, ok: false }])
  })

  test('who may only look may not export', async () => {
    const plain = await app.as({ school_id, codes: ['identity.member.view'] })
    expect((await app.call(memberApi.export, { role_id }, { token: plain.token })).status).toBe(403)
  })
})

test('the matrix has every role as a column and every permission as a line', async () => {
  const lines = await sheetLines(await app.call(roleApi.exportMatrix, {}, { token: admin.token }))
  const head = lines[3] ?? []
  const column = head.indexOf('测试角色2')
  const of = (noun: string) => lines.find(line => line[1] === noun)?.[column]
  expect([head.slice(0, 4), of('状态'), of('数据范围：部门')]).toEqual([['模块', '功能', '操作', '权限标识'], '启用', '全部部门'])
  const granted = lines.filter(line => line[column] === '✔').map(line => line[3])
  expect(granted).toEqual(['school.dict.view'])
  expect(lines.some(line => line[3] === 'school.school.manage')).toBe(false)
})

test('the dictionary comes whole or by type, and an unknown type is told', async () => {
  const ask = (sc_code_type?: string) => app.call(dictionaryEditApi.export, { sc_code_type }, { token: admin.token })
  const one = await sheetLines(await ask('SEX'))
  expect([one[2]?.[0], one.slice(4).every(line => line[1] === 'SEX')]).toEqual(['条件：字典类型 性别', true])
  expect((await sheetLines(await ask())).length).toBeGreaterThan(1800)
  expect((await ask('NONE')).body.msg).toBe('没有这个字典类型，请刷新后重试')
})

test('messages are exported with a reason alone, and say to how many and never to whom', async () => {
  const { app: product, database } = app.running
  await database.tenant<unknown, string>(school_id, db =>
    send({ app: product, db, school_id, now: app.clock.now() }, { template: alertTemplates.passwordChanged, source_ref: 'export/1', to: [{ user_id: admin.user_id }], values: { who: '本人', at: '2026-11-20 08:00' }, level: 2 }))
  const refused = await app.call(messageApi.export, { why: ' ' }, { token: admin.token })
  expect([refused.status, refused.body.msg]).toEqual([422, '请填写导出原因'])
  const lines = await sheetLines(await app.call(messageApi.export, { why: '抽查', source: 'identity' }, { token: admin.token }))
  expect(lines[2]?.[0]).toBe('条件：来源 identity　导出原因：抽查')
  expect(lines.at(-1)?.slice(1, 6)).toEqual(['密码已修改', '您的登录密码已被修改', '重要', '1', '0'])
  expect(lines.slice(4).flat().join()).not.toContain(admin.user_no)
})

test('the list of schools is for super accounts alone', async () => {
  const boss = await app.as({ school_id, codes: [] })
  await app.running.database.tenant<unknown, void>(0, db => grantSuper(db, boss.user_id, 1, [school_id]))
  const own: Own = (id, fn) => app.running.database.tenant(id, fn)
  const { token } = await startSession({ app: app.running.app, own, now: app.clock.now() }, { school_id, user_id: boss.user_id, role_no: `-${school_id}`, device_label: '测试', ip: '127.0.0.1' })
  const lines = await sheetLines(await app.call(schoolManageApi.export, { school_type: 2 }, { token }))
  expect([lines[2]?.[0], lines.slice(4).map(line => line.slice(1, 4))]).toEqual(['条件：类型 企业', [['测试企业', '企业', '使用中']]])
  expect((await app.call(schoolManageApi.export, {}, { token: admin.token })).status).toBe(403)
})

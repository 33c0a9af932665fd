import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { loginApi, passwordSetApi } from '@campus/identity/contract'
import { configApi, schoolApi } from '@campus/school/contract'
import type { Request } from '@kit/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { login } from './testing/console-client.ts'
import { makePerson, own } from './testing/person.ts'
import type { TestPerson } from './testing/person.ts'

type Draft = Request<typeof passwordSetApi.update>
const { a: school_id, b } = test_schools
let app: TestApp
let admin: TestUser
let plain: TestPerson

beforeAll(async () => {
  app = await startTestApp()
  admin = await app.as({ school_id, codes: ['identity.password.view', 'identity.password.edit', 'school.config.edit'] })
  plain = await makePerson(app, { roles: [{ school_id }], password: 'hn5$klw9zx' })
  const strong = await makePerson(app, { roles: [{ school_id }] })
  const weak = await makePerson(app, { roles: [{ school_id }], password: 'qwpz7781' })
  const given = await makePerson(app, { roles: [{ school_id }], pwd_state: 2 })
  for (const person of [plain, strong, weak, given]) await login(app, person)
})
afterAll(() => app.close())

const read = async () => dataOf(passwordSetApi.detail, await app.call(passwordSetApi.detail, {}, { token: admin.token }))
async function draft(more: Partial<Draft> = {}): Promise<Draft> {
  const { login_max: _login_max, is_password_strong: _strong, ...row } = await read()
  return { ...row, ...more }
}
const send = async (more: Partial<Draft>) => app.call(passwordSetApi.update, await draft(more), { token: admin.token })
const save = async (more: Partial<Draft>) => dataOf(passwordSetApi.update, await send(more))
const lastLine = async () => {
  const { rows } = await app.running.database.tenant(school_id, db =>
    sql<{ before: object; after: object }>`select before, after from operation_log where school_id = ${school_id} and call like 'identity.password.%' and ok order by happened_at desc limit 1`.execute(db),
  )
  return rows[0]
}

describe('the rule of a school', () => {
  test('is read and saved with all its fields, and the log tells what changed', async () => {
    const before = await read()
    expect(before).toMatchObject({ pwd_count: 8, valid_days: 0, history_count: 5, default_rule: 'random', weak_action: 'force', lock_times: 5, login_max: 20, idle_minutes: 480, is_password_strong: 0 })
    const values = { valid_days: 90, history_count: 3, default_rule: 'phone_tail', default_prefix: 'Qm@', lock_times: 4, idle_minutes: 60, notice_until: '2027-01-31T12:00:00+08:00', notice_text: '请于本月底前更换密码\n谢谢' } as const
    const { row } = await save(values)
    expect(row).toEqual({ ...before, ...values, notice_until: '2027-01-31T04:00:00.000Z', row_version: before.row_version + 1 })
    expect(await read()).toEqual(row)
    expect(await lastLine()).toMatchObject({ before: { valid_days: 0, default_prefix: null }, after: { valid_days: 90, default_prefix: 'Qm@' } })
    expect(Object.keys((await lastLine())?.after ?? {}).toSorted()).toEqual(Object.keys(values).toSorted())
    await save({ valid_days: 0, history_count: 5, lock_times: 5, idle_minutes: 480 })
  })

  test.each<[string, Partial<Draft>, string, string]>([
    ['a minimum below 8', { pwd_count: 7 }, 'pwd_count', '请输入8-64之间的整数'],
    ['a minimum above 64', { pwd_count: 65 }, 'pwd_count', '请输入8-64之间的整数'],
    ['29 days', { valid_days: 29 }, 'valid_days', '请输入0或30-365之间的整数'],
    ['half a day', { valid_days: 30.5 }, 'valid_days', '请输入0或30-365之间的整数'],
    ['11 earlier passwords', { history_count: 11 }, 'history_count', '请输入0-10之间的整数'],
    ['two tries', { lock_times: 2 }, 'lock_times', '请输入3-10之间的整数'],
    ['nine minutes', { idle_minutes: 9 }, 'idle_minutes', '请输入10-480之间的整数'],
    ['a prefix the login form would refuse', { default_rule: 'id_tail', default_prefix: 'abc' }, 'default_prefix', '前缀须为2-8位字母、数字或符号，同时含大写和小写字母'],
    ['no prefix', { default_rule: 'phone_tail', default_prefix: null }, 'default_prefix', '前缀须为2-8位字母、数字或符号，同时含大写和小写字母'],
    ['a notice of 501 signs', { notice_text: '字'.repeat(501) }, 'notice_text', '超过500个字'],
  ])('%s is refused', async (_what, more, field, msg) => {
    const { status, body } = await send(more)
    expect([status, body.data]).toEqual([400, { errors: [{ field, msg }] }])
  })

  test('a form that is behind is told so, and of two at once one is', async () => {
    const { row_version } = await read()
    expect((await send({ row_version: row_version + 1, lock_times: 6 })).status).toBe(409)
    const both = await Promise.all([6, 7].map(lock_times => send({ lock_times, row_version })))
    expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409])
  })

  test('10-A7 a bound that somebody’s long password has raised stays raised', async () => {
    await own(app.running.database, school_id, db => db.updateTable('password_set').set({ login_max: 64 }).where('school_id', '=', school_id).execute())
    expect((await save({ pwd_count: 9 })).row.login_max).toBe(64)
    await save({ pwd_count: 8 })
    expect((await app.call(passwordSetApi.detail, {}, { token: (await app.as({ school_id: b, codes: 'all' })).token })).body.data).toMatchObject({ login_max: 20 })
  })
})

describe('whom a change touches', () => {
  beforeEach(() => save({ pwd_count: 8, valid_days: 0 }))

  test('is counted without writing: who must change at the next login, who newly, whose password is not known', async () => {
    const before = await read()
    expect((await save({ dry: 1, lock_times: before.lock_times })).effect).toEqual({ must_change: 1, newly: 0, unknown: 0 })
    expect((await save({ dry: 1, is_password_strong: 1 })).effect).toEqual({ must_change: 2, newly: 1, unknown: 0 })
    expect((await save({ dry: 1, pwd_count: 12 })).effect).toEqual({ must_change: 1, newly: 0, unknown: 2 })
    expect(await read()).toEqual(before)
  })

  test('counts passwords that are too old', async () => {
    app.clock.advance(40 * 86_400_000)
    admin = await app.as({ school_id, codes: ['identity.password.view', 'identity.password.edit', 'school.config.edit'] })
    expect((await save({ dry: 1, valid_days: 30 })).effect).toEqual({ must_change: 3, newly: 2, unknown: 0 })
    expect((await save({ dry: 1, valid_days: 60 })).effect).toEqual({ must_change: 1, newly: 0, unknown: 0 })
  })

  test('strong mode says it where the school is configured, before and when it is saved', async () => {
    const config = dataOf(schoolApi.config, await app.call(schoolApi.config, { id: school_id }, { token: admin.token }))
    const change = (is_password_strong: 0 | 1, dry: 0 | 1, config_version: number) => app.call(configApi.update, { id: school_id, config_version, dry, values: { is_password_strong } }, { token: admin.token })
    const effects = [{ key: 'is_password_strong', count: 2, text: '2人下次登录需修改密码' }]
    expect(dataOf(configApi.update, await change(1, 1, config.config_version)).effects).toEqual(effects)
    const on = dataOf(configApi.update, await change(1, 0, config.config_version))
    expect(on.effects).toEqual(effects)
    expect((await read()).is_password_strong).toBe(1)
    expect((await login(app, plain)).body.code).toBe(6006)
    expect(dataOf(configApi.update, await change(0, 0, on.config.config_version)).effects).toEqual([])
  })
})

describe('a password that anybody could guess', () => {
  test('is changed at the next login, or shuts the account where the school wants that', async () => {
    const guessed = await makePerson(app, { roles: [{ school_id }], password: 'Password123' })
    expect((await login(app, guessed)).body.code).toBe(6006)
    await save({ weak_action: 'block', pwd_count: 12 })
    expect((await login(app, guessed)).body).toMatchObject({ code: 6007, data: null })
    const fair = await makePerson(app, { roles: [{ school_id }] })
    expect((await login(app, fair)).body.code).toBe(6006)
    const given = await makePerson(app, { roles: [{ school_id }], password: 'Password123', pwd_state: 2 })
    expect((await login(app, given)).body.code).toBe(6005)
    await save({ weak_action: 'force', pwd_count: 8 })
    expect((await login(app, guessed)).body.code).toBe(6007)
  })
})

test('reading and writing are two permissions', async () => {
  const reader = await app.as({ school_id, codes: ['identity.password.view'] })
  expect((await app.call(passwordSetApi.detail, {}, { token: reader.token })).status).toBe(200)
  expect((await app.call(passwordSetApi.add, await draft(), { token: reader.token })).status).toBe(403)
})

test('whoever is signed in learns what binds him and the notice of his own school, not how first passwords are made', async () => {
  const anybody = await app.as({ school_id, codes: [] })
  const keys = async (id: number, token?: string) => Object.keys(dataOf(loginApi.passwordSet, await app.call(loginApi.passwordSet, { school_id: id }, token === undefined ? {} : { token })))
  const open = ['pwd_count', 'is_password_strong', 'login_max']
  expect(await keys(school_id, anybody.token)).toEqual([...open, 'valid_days', 'history_count', 'lock_times', 'idle_minutes', 'notice_until', 'notice_text'])
  expect([await keys(b, anybody.token), await keys(school_id), await keys(school_id, 'made-up')]).toEqual([open, open, open])
})

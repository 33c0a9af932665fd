import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { configApi, schoolApi, schoolErrors } from '@campus/school/contract'
import type { ConfigValues } from '@campus/school/contract'
import { fail } from '@kit/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setCloudFee } from './cloud-fee.ts'
import { configCheckPort } from './config.check.ts'
import type { SchoolDb } from './db.ts'

const { a: school_id } = test_schools
let app: TestApp
let admin: TestUser

beforeAll(async () => {
  app = await startTestApp()
  configCheckPort.fill(app.running.app, { key: 'is_password_strong', check: async (_desk, value) => (value === 1 ? { count: 12, text: '12人下次登录需修改密码' } : null) })
  configCheckPort.fill(app.running.app, { key: 'course_period', check: () => Promise.reject(fail(schoolErrors.noModule)) })
  admin = await app.as({ school_id, codes: ['school.config.edit'] })
})
afterAll(() => app.close())

async function read() {
  return dataOf(schoolApi.config, await app.call(schoolApi.config, { id: school_id }, { token: admin.token }))
}

async function change(values: Partial<ConfigValues>, more: { dry?: 0 | 1; config_version?: number; id?: number } = {}) {
  const { config_version } = await read()
  return app.call(configApi.update, { id: school_id, config_version, values, ...more }, { token: admin.token })
}

async function lastLine() {
  const { rows } = await app.running.database.tenant(school_id, db =>
    sql<{ before: object; after: object }>`select before, after from operation_log where school_id = ${school_id} and call = 'school.config.update' and ok order by happened_at desc limit 1`.execute(db),
  )
  return rows[0]
}

test('a change of some values leaves the others, raises the version and is logged field by field', async () => {
  const before = await read()
  const answer = dataOf(configApi.update, await change({ gps_type: 3, dept_name_format: before.dept_name_format, ai_help_url: 'https://help.example.cn/' }))
  expect(answer.config).toEqual({ ...before, gps_type: 3, ai_help_url: 'https://help.example.cn/', config_version: before.config_version + 1 })
  expect(await read()).toEqual(answer.config)
  expect(await lastLine()).toEqual({ before: { gps_type: before.gps_type, ai_help_url: null }, after: { gps_type: 3, ai_help_url: 'https://help.example.cn/' } })
})

test('the point of the school stays the same place when its system of coordinates changes', async () => {
  const point = () => app.running.database.tenant(school_id, async db => (await sql<{ lng: number; lat: number }>`select home_lng::float8 as lng, home_lat::float8 as lat from school where school_id = ${school_id}`.execute(db)).rows[0])
  await app.running.database.tenant(school_id, db => sql`update school set home_lng = 116.404, home_lat = 39.915 where school_id = ${school_id}`.execute(db))
  await change({ gps_type: 1 })
  const chinese = await point()
  expect([chinese?.lng, chinese?.lat]).toEqual([expect.closeTo(116.410244, 5), expect.closeTo(39.916404, 5)])
  await change({ gps_type: 3 })
  const back = await point()
  expect([back?.lng, back?.lat]).toEqual([expect.closeTo(116.404, 5), expect.closeTo(39.915, 5)])
})

test('nothing is written where everything is so already', async () => {
  const before = await read()
  await change({ gps_type: 3 })
  expect(await read()).toEqual(before)
})

test('what a value will do is told before and after; a dry run writes nothing', async () => {
  const before = await read()
  const effects = [{ key: 'is_password_strong', count: 12, text: '12人下次登录需修改密码' }]
  expect(dataOf(configApi.update, await change({ is_password_strong: 1 }, { dry: 1 })).effects).toEqual(effects)
  expect(await read()).toEqual(before)
  expect(dataOf(configApi.update, await change({ is_password_strong: 1 })).effects).toEqual(effects)
  expect((await read()).is_password_strong).toBe(1)
})

test('who answers for a value may refuse it', async () => {
  const before = await read()
  const refused = await change({ course_period: 2, gps_type: 1 })
  expect([refused.status, refused.body.msg]).toEqual([403, '未配置功能模块'])
  expect(await read()).toEqual(before)
})

test('a change made on an older state is refused', async () => {
  const { config_version } = await read()
  const stale = await change({ gps_type: 1 }, { config_version: config_version - 1 })
  expect([stale.status, stale.body.msg]).toEqual([409, '数据已被他人修改，请刷新后重试'])
})

test('of two administrators who save at once one is told', async () => {
  const { config_version } = await read()
  const both = await Promise.all([1, 2].map(gps_type => change({ gps_type }, { config_version })))
  expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409])
})

test.each<[string, Record<string, unknown>]>([
  ['an unknown key', { colour: 'red' }],
  ['a number that means nothing', { oss_type: 4 }],
  ['an address that is none', { ai_help_url: 'javascript:alert(1)' }],
  ['no role at all', { roles: [] }],
])('%s is refused', async (_what, values) => {
  const { config_version } = await read()
  const answer = await fetch(`${app.url}/web/supreme/school/${school_id}/config`, {
    method: 'PUT',
    headers: { authorization: admin.token, 'content-type': 'application/json' },
    body: JSON.stringify({ config_version, values }),
  })
  expect(answer.status).toBe(400)
})

test('another school answers like a missing one', async () => {
  expect((await change({ gps_type: 1 }, { id: test_schools.b })).status).toBe(404)
})

test('10-N7 finance says whether the payment service was set up: the version rises, the same again does nothing', async () => {
  const { config_version } = await read()
  const { app: product, database } = app.running
  const set = (is_on: boolean, at: number = school_id) => database.tenant<unknown, boolean>(at, db => setCloudFee({ app: product, db, school_id: at, now: app.clock.now() }, is_on))
  expect([await set(true), await set(true)]).toEqual([true, false])
  const fee = async () => (await database.tenant<SchoolDb, { cloud_fee: number } | undefined>(school_id, db => db.selectFrom('school_config').select('cloud_fee').where('school_id', '=', school_id).executeTakeFirst()))?.cloud_fee
  expect([await fee(), (await read()).config_version]).toEqual([1, config_version + 1])
  expect([await set(false), await fee()]).toEqual([true, 0])
})

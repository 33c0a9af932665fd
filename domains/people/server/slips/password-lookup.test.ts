import { dataOf, startTestApp } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { loginApi } from '@campus/identity/contract'
import { hashPassword, issueAccount } from '@campus/identity/server'
import { passwordLookupApi } from '@campus/people/contract'
import type { Request } from '@kit/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PeopleDb } from '../db.ts'
import type { SmallSchool } from '../people.builders.ts'
import { openSchool } from '../testing/changer.ts'

const a = 1001
const secret = 'Qm7#initial'
let app: TestApp
let school: SmallSchool
let clerk: TestUser

beforeAll(async () => {
  app = await startTestApp({ settings: { CAMPUS_CAPTCHA_PER_MINUTE: '1000' } })
  school = await openSchool(app, a)
  clerk = await app.as({ school_id: a, codes: ['people.password.lookup'] })
  const password_hash = await hashPassword(secret)
  await app.running.database.tenant<PeopleDb, unknown>(a, db => issueAccount(db, { user_id: school.teachers[0] ?? '', username: '16910000001', password_hash, pwd_state: 2, pwd_set_at: app.clock.now() }))
})
afterAll(() => app.close())

const captcha = async () => dataOf(loginApi.captcha, await app.call(loginApi.captcha, { type: 'login' })).key
type Asked = Request<typeof passwordLookupApi.byPhone>
async function ask(kind: Asked['kind'], phone: string, more: Partial<Asked> = {}, who = clerk): Promise<Answer> {
  return app.call(passwordLookupApi.byPhone, { kind, phone, cap_key: await captcha(), cap_value: '2222', ...more }, { token: who.token })
}
const lines = async (kind: Asked['kind'], phone: string) => dataOf(passwordLookupApi.byPhone, await ask(kind, phone)).list

test('20-A27 the lookup says whether somebody still has the password he was given, with a masked name and no password anywhere', async () => {
  const told = await ask('teacher', '16910000001')
  expect(dataOf(passwordLookupApi.byPhone, told).list).toEqual([{ user_name: '陈**', kind: 'teacher', is_default: true, rule_text: '初始密码规则：由学校发放' }])
  expect(await lines('teacher', '16910000002')).toEqual([{ user_name: '周*', kind: 'teacher', is_default: false, rule_text: '尚未开通登录账号' }])
  expect((await lines('parent', '16900000001')).map(line => line.user_name)).toEqual(['王**'])
  expect((await lines('student', '16900000001')).map(line => line.user_name)).toEqual(['王**', '王**'])
  expect(await lines('parent', '16910000001')).toEqual([])
  const { rows } = await app.running.database.tenant<PeopleDb, { rows: { line: string }[] }>(a, db => sql<{ line: string }>`select to_json(l)::text as line from operation_log l where l.school_id = ${a}`.execute(db))
  expect(rows.filter(row => row.line.includes('169****0001')).length).toBeGreaterThanOrEqual(1)
  for (const text of [JSON.stringify(told.body), ...rows.map(row => row.line)]) expect(text.includes(secret) || text.includes('16910000001') || text.includes('argon2')).toBe(false)
})

test('20-A27 the second use of a captcha is refused, and so is a wrong one, which is spent too', async () => {
  const cap_key = await captcha()
  expect((await ask('teacher', '16910000001', { cap_key })).status).toBe(200)
  const again = await ask('teacher', '16910000001', { cap_key })
  expect([again.status, again.body.error_id]).toEqual([422, 'people.registerCaptcha'])
  const other = await captcha()
  expect((await ask('teacher', '16910000001', { cap_key: other, cap_value: '9999' })).status).toBe(422)
  expect((await ask('teacher', '16910000001', { cap_key: other })).status).toBe(422)
})

test('20-A35 people beyond the scope and of other schools are not found', async () => {
  const head = await app.as({ school_id: a, codes: ['people.password.lookup'], scope: 'custom', scope_ids: [school.class_2] })
  const told = async (kind: Asked['kind'], phone: string, who: TestUser) => dataOf(passwordLookupApi.byPhone, await ask(kind, phone, {}, who)).list.length
  expect([await told('parent', '16900000001', head), await told('parent', '16900000003', head), await told('student', '16900000001', head), await told('teacher', '16910000001', head)]).toEqual([0, 1, 0, 0])
  const stranger = await app.as({ school_id: 1002, codes: ['people.password.lookup'] })
  expect(await told('teacher', '16910000001', stranger)).toBe(0)
  const nobody = await app.as({ school_id: a, codes: ['people.staff.view'] })
  expect((await ask('teacher', '16910000001', {}, nobody)).status).toBe(403)
})

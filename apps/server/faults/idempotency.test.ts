import { createHash } from 'node:crypto'
import { importApi } from '@campus/jobs/contract'
import { preferenceApi } from '@campus/school/contract'
import { writeTemplate } from '@kit/server/excel'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dataOf, startTestApp, test_schools } from '../testing/index.ts'
import type { Answer, TestApp, TestUser } from '../testing/index.ts'

const school_id = test_schools.a
const twice = 8

let app: TestApp
let me: TestUser
let sheet: Buffer
let other_sheet: Buffer

beforeAll(async () => {
  app = await startTestApp()
  me = await app.as({ school_id, codes: 'all' })
  const sheetOf = (name: string) => writeTemplate({ sheet: '学生信息导入', notes: ['说明'], columns: [{ prop: 'user_name', label: '姓名', required: true, text: true }], samples: [[name]] })
  sheet = await sheetOf('张三')
  other_sheet = await sheetOf('李四')
})
afterAll(() => app.close())

async function count(table: string): Promise<number> {
  const { rows } = await app.running.database.tenant<unknown, { rows: { rows: number }[] }>(school_id, db =>
    sql<{ rows: number }>`select count(*)::int as rows from ${sql.table(table)} where school_id = ${school_id}`.execute(db),
  )
  return rows[0]?.rows ?? 0
}

const save = (key: string, value: string) => app.call(preferenceApi.save, { pref_key: 'recent_apps', value }, { token: me.token, headers: { 'idempotency-key': key } })
const upload = (key: string, body: Buffer, name = 'student.xlsx') => app.call(importApi.upload, { code: 'student' }, { token: me.token, headers: { 'idempotency-key': key }, file: { name, body } })
const sameAnswer = (answers: readonly Answer[]) => new Set(answers.map(answer => JSON.stringify([answer.status, answer.body])))

test('10-A25 a write sent at once under one key has one effect and one answer', async () => {
  const before = await count('operation_log')
  const answers = await Promise.all(Array.from({ length: twice }, () => save('key-1', 'a')))
  expect(sameAnswer(answers)).toEqual(new Set([JSON.stringify([200, { code: 600, msg: '操作成功', data: {} }])]))
  expect(await count('operation_log')).toBe(before + 1)
})

test('10-A25 an upload sent at once under one key makes one batch, and again later none', async () => {
  const before = await count('import_batch')
  const answers = await Promise.all(Array.from({ length: twice }, () => upload('key-2', sheet)))
  expect(answers.map(answer => answer.status)).toEqual(Array.from({ length: twice }, () => 200))
  const batches = new Set(answers.map(answer => dataOf(importApi.upload, answer).batch_no))
  expect(batches.size).toBe(1)
  expect(sameAnswer([...answers, await upload('key-2', sheet)]).size).toBe(1)
  expect(await count('import_batch')).toBe(before + 1)
})

test('the key with anything else is refused and changes nothing', async () => {
  const refused = [400, 400, '请求内容有误，请检查后重试']
  expect((await save('key-3', 'a')).status).toBe(200)
  expect((await upload('key-4', sheet)).status).toBe(200)
  const before = await count('import_batch')
  for (const answer of [await save('key-3', 'b'), await upload('key-4', other_sheet), await upload('key-4', sheet, 'other.xlsx'), await upload('key-3', sheet), await save('k'.repeat(101), 'a')]) {
    expect([answer.status, answer.body.code, answer.body.msg]).toEqual(refused)
  }
  const mine = await app.call(importApi.upload, { code: 'parent' }, { token: me.token, headers: { 'idempotency-key': 'key-4' }, file: { name: 'student.xlsx', body: sheet } })
  expect(mine.status).toBe(400)
  expect(await count('import_batch')).toBe(before)
  expect((await app.call(preferenceApi.read, { pref_key: 'recent_apps' }, { token: me.token })).body.data).toEqual({ value: 'a' })
})

test('another person may use the same key, and a refused attempt leaves it free', async () => {
  const other = await app.as({ school_id, codes: 'all' })
  expect((await save('key-5', 'a')).status).toBe(200)
  const theirs = await app.call(preferenceApi.save, { pref_key: 'recent_apps', value: 'theirs' }, { token: other.token, headers: { 'idempotency-key': 'key-5' } })
  expect(theirs.status).toBe(200)
  const wrong = await app.call(importApi.upload, { code: 'nothing' }, { token: me.token, headers: { 'idempotency-key': 'key-6' }, file: { name: 'student.xlsx', body: sheet } })
  expect(wrong.status).toBe(404)
  expect((await upload('key-6', sheet)).status).toBe(200)
})

test('what is kept of a request cannot be found again by trying all that may have been sent', async () => {
  expect((await save('key-7', '13712345678')).status).toBe(200)
  const { rows } = await app.running.database.tenant<unknown, { rows: { body_hash: string }[] }>(school_id, db =>
    sql<{ body_hash: string }>`select body_hash from idempotency_key where school_id = ${school_id} and key = 'key-7'`.execute(db))
  const guess = createHash('sha256').update(JSON.stringify([preferenceApi.save.call, [{}, {}, { pref_key: 'recent_apps', value: '13712345678' }, null, null]])).digest('hex')
  expect(rows[0]?.body_hash).toMatch(/^[0-9a-f]{64}$/)
  expect(rows[0]?.body_hash).not.toBe(guess)
})

import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp } from '@apps/server/testing'
import { dictionaryApi } from '@campus/school/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'

const { a: school_id } = test_schools
const most_bytes = 1024
let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

test('10-A23 who holds the version of the dictionaries is answered in at most 1 KB, whoever holds another gets them all', async () => {
  const { token } = await app.as({ school_id, codes: [] })
  const ask = (version?: string) => app.call(dictionaryApi.all, { school_id, ...(version === undefined ? {} : { version }) }, { token })
  const whole = await ask()
  const { version, list = [] } = dataOf(dictionaryApi.all, whole)
  expect(list.length).toBeGreaterThan(0)
  expect(whole.bytes.byteLength).toBeGreaterThan(most_bytes)
  const known = await ask(version)
  expect(dataOf(dictionaryApi.all, known)).toEqual({ version, unchanged: 1 })
  expect(known.bytes.byteLength).toBeLessThanOrEqual(most_bytes)
  expect(dataOf(dictionaryApi.all, await ask('0'.repeat(16))).list).toEqual(list)
})

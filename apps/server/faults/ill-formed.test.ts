import { importApi } from '@campus/jobs/contract'
import { placeApi } from '@campus/places/contract'
import { preferenceApi } from '@campus/school/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dataOf, sendRaw, startTestApp, test_schools } from '../testing/index.ts'
import type { TestApp } from '../testing/index.ts'

let app: TestApp
let token: string
beforeAll(async () => {
  app = await startTestApp()
  token = (await app.as({ school_id: test_schools.a, codes: 'all', places: 'all' })).token
})
afterAll(() => app.close())

const save_path = preferenceApi.save.paths[0] ?? ''
const saved = (body: string | Uint8Array<ArrayBuffer>, query = '') =>
  sendRaw(app.url, preferenceApi.save, `${save_path}${query}`, { headers: { authorization: token, 'content-type': 'application/json' }, body })
const valued = (json: string) => `{"pref_key":"quick_navs","value":${json}}`

test.each([
  ['half a surrogate pair', valued(String.raw`"\ud800"`), 'value'],
  ['its other half', valued(String.raw`"\udc00x"`), 'value'],
  ['U+0000', valued(String.raw`"a\u0000"`), 'value'],
  ['deep in a list', valued(String.raw`[{"a":[{"b":"\ud83d"}]}]`), 'value.0.a.0.b'],
  ['in a key', valued(String.raw`{"x\ud800":1}`), 'value'],
])('ill-formed text in a body is refused and named: %s', async (_what, body, field) => {
  const answer = await saved(body)
  expect([answer.status, answer.body.data]).toEqual([400, { errors: [{ field, msg: '含有无法识别的字符，请删除后重新输入' }] }])
})

test('bytes that are no UTF-8 are refused, and a whole pair is taken', async () => {
  const bytes = Buffer.concat([Buffer.from('{"pref_key":"quick_navs","value":"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')])
  expect((await saved(new Uint8Array(bytes))).status).toBe(400)
  expect((await saved(valued(String.raw`"\ud840\udc00"`))).status).toBe(200)
  expect(dataOf(preferenceApi.read, await app.call(preferenceApi.read, { pref_key: 'quick_navs' }, { token })).value).toBe('𠀀')
})

test.each(['%ED%A0%80', 'a%00', '%FF'])('ill-formed text in a query is refused: %s', async keyword => {
  const answer = await sendRaw(app.url, placeApi.tree, `${placeApi.tree.paths[0] ?? ''}?keyword=${keyword}`, { headers: { authorization: token } })
  expect(answer.status).toBe(400)
})

test.each(['%ED%A0%80', 'a%00'])('ill-formed text in an address is refused: %s', async code => {
  const answer = await sendRaw(app.url, importApi.upload, (importApi.upload.paths[0] ?? '').replace(':code', code), { headers: { authorization: token, 'content-type': 'application/json' }, body: '{}' })
  expect([400, 403, 404, 415]).toContain(answer.status)
})

test('a file whose name holds U+0000 is refused, and so is a field of its form', async () => {
  const part = (name: string, more = '') => `--x\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\na\0b\r\n`
  for (const body of [`${part('note')}--x--\r\n`, `${part('note')}${part('file', '; filename="a.xlsx"')}--x--\r\n`, `${part('file', '; filename="a\0.xlsx"')}--x--\r\n`]) {
    const answer = await sendRaw(app.url, importApi.upload, (importApi.upload.paths[0] ?? '').replace(':code', 'student'), {
      headers: { authorization: token, 'content-type': 'multipart/form-data; boundary=x' }, body,
    })
    expect(answer.status).toBe(400)
  }
})

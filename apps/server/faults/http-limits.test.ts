import { request as httpRequest } from 'node:http'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { importApi, jobApi } from '@campus/jobs/contract'
import { preferenceApi } from '@campus/school/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, test_schools } from '../testing/index.ts'
import type { TestApp } from '../testing/index.ts'
import { askRaw, openWire } from './wire.ts'

const boundary = 'x'
const mebi = 1024 * 1024
const save_path = preferenceApi.save.paths[0] ?? ''
const upload_path = importApi.upload.paths[0]?.replace(':code', 'student') ?? ''

let app: TestApp
let token: string
let data_dir: string

beforeAll(async () => {
  data_dir = await mkdtemp(join(tmpdir(), 'campus-limits-'))
  app = await startTestApp({ settings: { CAMPUS_DATA_DIR: data_dir } })
  token = (await app.as({ school_id: test_schools.a, codes: 'all' })).token
})
afterAll(async () => {
  await app.close()
  await rm(data_dir, { recursive: true, force: true })
})

describe('too much is refused early, in words', () => {
  test('a JSON body over 1 MB, before it is there', async () => {
    const answer = await askRaw(app.url, [`POST ${save_path} HTTP/1.1`, 'host: a', `authorization: ${token}`, 'content-type: application/json', `content-length: ${mebi + 1}`, 'connection: close'])
    expect([answer.status, answer.body.msg]).toEqual([413, '提交的内容过大，请减少后重试'])
  })
  test('a JSON body over 1 MB that does not tell its length', async () => {
    const asked = httpRequest(`${app.url}${save_path}`, { method: 'POST', headers: { authorization: token, 'content-type': 'application/json', 'transfer-encoding': 'chunked' } })
    const status = new Promise<number>((resolve, reject) => asked.on('response', answer => resolve(answer.statusCode ?? 0)).on('error', reject))
    asked.write(Buffer.alloc(mebi + 10, '"'))
    expect(await status).toBe(413)
    asked.destroy()
  })
  test('a sheet over 20 MB, by its length before it is there, and by its bytes when it does not tell', async () => {
    const head = [`POST ${upload_path} HTTP/1.1`, 'host: a', `authorization: ${token}`, `content-type: multipart/form-data; boundary=${boundary}`, 'connection: close']
    const early = await askRaw(app.url, [...head, `content-length: ${22 * mebi}`])
    expect([early.status, early.body.msg]).toEqual([413, '文件大小不能超过20MB'])
    const whole = await app.call(importApi.upload, { code: 'student' }, { token, file: { name: 'a.xlsx', body: new Uint8Array(20.5 * mebi) } })
    expect([whole.status, whole.body.msg]).toEqual([413, '文件大小不能超过20MB'])
    expect(await readdir(join(data_dir, 'upload'))).toEqual([])
  })
  test.each([
    ['a long address', ['GET /web/user_pref?pref_key=' + 'a'.repeat(9000) + ' HTTP/1.1'], 414, '请求地址过长'],
    ['an endless address', ['GET /web/user_pref?pref_key=' + 'a'.repeat(20_000) + ' HTTP/1.1'], 431, '请求头过大，请清除浏览器缓存后重试'],
    ['long headers', ['GET /livez HTTP/1.1', `x-long: ${'a'.repeat(20_000)}`], 431, '请求头过大，请清除浏览器缓存后重试'],
    ['many headers', ['GET /livez HTTP/1.1', ...Array.from({ length: 200 }, (_, number) => `x-${number}: 1`)], 431, '请求头过大，请清除浏览器缓存后重试'],
    ['no HTTP at all', ['hello'], 400, '请求内容有误，请检查后重试'],
    ['an unknown method', ['FETCH /livez HTTP/1.1'], 400, '请求内容有误，请检查后重试'],
    ['an address that is none', ['GET /web/%zz HTTP/1.1'], 400, '请求内容有误，请检查后重试'],
    ['two lengths', ['POST /web/user_pref HTTP/1.1', 'content-length: 1', 'content-length: 2'], 400, '请求内容有误，请检查后重试'],
    ['length and chunks (smuggling)', ['POST /web/user_pref HTTP/1.1', 'content-length: 5', 'transfer-encoding: chunked'], 400, '请求内容有误，请检查后重试'],
    ['a header with a line feed', ['GET /livez HTTP/1.1', 'x: a\nb'], 400, '请求内容有误，请检查后重试'],
  ])('%s', async (_name, [first = '', ...lines], status, msg) => {
    const { head, body, ...answer } = await askRaw(app.url, [first, 'host: a', 'connection: close', ...lines])
    expect([answer.status, body.code, body.msg]).toEqual([status, status, msg])
    expect(head).toContain('cache-control: no-store')
    expect(head).toContain('content-security-policy: default-src')
  })
})

describe('other methods', () => {
  const ask = async (method: string, path: string) => {
    const answer = await fetch(`${app.url}${path}`, { method, headers: { authorization: token } })
    return { status: answer.status, allow: answer.headers.get('allow'), text: await answer.text(), cache: answer.headers.get('cache-control') }
  }
  test('HEAD answers as GET without a body', async () => {
    expect(await ask('HEAD', '/web/user_pref?pref_key=quick_navs')).toMatchObject({ status: 200, text: '', cache: 'no-store' })
    expect(await ask('HEAD', '/web/nothing')).toMatchObject({ status: 404, text: '' })
  })
  test('OPTIONS tells what an address takes and opens nothing to other sites', async () => {
    const answer = await fetch(`${app.url}/web/user_pref`, { method: 'OPTIONS', headers: { origin: 'https://elsewhere.test', 'access-control-request-method': 'POST' } })
    expect([answer.status, answer.headers.get('allow'), answer.headers.get('access-control-allow-origin')]).toEqual([204, 'GET, POST, HEAD, OPTIONS', null])
    expect(await ask('OPTIONS', '/web/nothing')).toMatchObject({ status: 404 })
  })
  test.each(['PUT', 'DELETE', 'PATCH', 'PROPFIND', 'SEARCH'])('%s where it means nothing is 405 with what is allowed', async method => {
    const answer = await ask(method, '/web/user_pref')
    expect(answer).toMatchObject({ status: 405, allow: 'GET, POST, HEAD, OPTIONS' })
    expect(answer.text).toContain('请求方式不支持')
    expect((await ask(method, '/web/nothing')).status).toBe(404)
  })
})

describe('one connection', () => {
  test('takes requests one after the other without waiting, and answers in their order', async () => {
    const one = (path: string) => `GET ${path} HTTP/1.1\r\nhost: a\r\nauthorization: ${token}\r\n\r\n`
    const wire = openWire(app.url, one('/web/user_pref?pref_key=quick_navs') + one('/web/nothing') + one('/livez'))
    await expect.poll(() => wire.text().match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404', 'HTTP/1.1 200'])
    wire.socket.write(one('/readyz'))
    await expect.poll(() => wire.text().match(/HTTP\/1\.1 \d+/g)?.length).toBe(4)
    wire.socket.destroy()
  })
  test('that breaks off in an upload leaves no temporary file', async () => {
    const sent = [
      `POST ${upload_path} HTTP/1.1`, 'host: a', `authorization: ${token}`, `content-type: multipart/form-data; boundary=${boundary}`, 'content-length: 900000', '',
      `--${boundary}`, 'content-disposition: form-data; name="file"; filename="a.xlsx"', '', 'PK'.repeat(50_000),
    ]
    const wire = openWire(app.url, sent.join('\r\n'))
    await expect.poll(() => readdir(join(data_dir, 'upload')), { timeout: 10_000 }).toHaveLength(1)
    wire.socket.resetAndDestroy()
    await expect.poll(() => readdir(join(data_dir, 'upload')), { timeout: 10_000 }).toEqual([])
    expect((await app.call(jobApi.list, {}, { token })).status).toBe(200)
  })
})

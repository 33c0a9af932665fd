import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { IncomingMessage, Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { randomUUID } from 'node:crypto'
import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { fileApi, tokenApi } from '@campus/files/contract'
import type { UploadToken } from '@campus/files/contract'
import { pictureApi } from '@campus/school/contract'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ossAuthorization, qiniuUploadToken, signOssPolicy, signS3Policy } from './signing.ts'

const { a: school_id } = test_schools
const keys = { access_key_id: 'test-id', access_key_secret: 'test-secret' }
const patience = { timeout: 20_000 }
const stored = new Map<string, Buffer>()
/** What the store was asked beside forms, e.g. `PUT 1001/7/…` */
const asked: string[] = []
let store: Server
let app: TestApp
let person: TestUser
let origin: string

/** A store of all three kinds: it takes what is signed with its secret and refuses everything else, as the real ones do. */
async function serve(request: IncomingMessage): Promise<{ status: number; body?: Buffer }> {
  const path = decodeURIComponent(new URL(request.url ?? '/', 'http://store').pathname.slice(1))
  const body = await buffer(request)
  const type = request.headers['content-type'] ?? ''
  if (type.startsWith('multipart/')) return takeForm(await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData())
  const key = path.replace(/^pictures\//, '').replace(/^delete\/.*/, part => Buffer.from(part.slice(7), 'base64url').toString().replace('pictures:', ''))
  if (!isSigned(request, key)) return { status: 403 }
  const method = path.startsWith('delete/') ? 'DELETE' : request.method
  asked.push(`${method} ${key}`)
  const known = stored.get(key)
  if (method === 'PUT') stored.set(key, body)
  if (method === 'DELETE') return { status: stored.delete(key) ? 204 : 404 }
  return method === 'PUT' ? { status: 200 } : known ? { status: 200, body: known } : { status: 404 }
}

function isSigned({ headers, method = '', url = '' }: IncomingMessage, key: string): boolean {
  const { authorization = '' } = headers
  const date = String(headers['x-oss-date'])
  if (authorization.startsWith('OSS ')) return authorization === ossAuthorization(keys, { method, type: headers['content-type'] ?? '', date, headers: { 'x-oss-date': date }, resource: `/pictures/${key}` })
  return authorization.startsWith('AWS4-HMAC-SHA256 Credential=test-id/') || authorization.startsWith('QBox test-id:') || /\?e=\d+&token=test-id:/.test(url)
}

async function takeForm(form: FormData): Promise<{ status: number }> {
  const text = (name: string) => String(form.get(name) ?? '')
  const [, , token_policy = ''] = text('token').split(':')
  const policy = text('policy') || token_policy
  const parsed = Buffer.from(policy, 'base64url').toString()
  const date = text('x-amz-date').slice(0, 8)
  const is_signed = [text('Signature') === signOssPolicy(keys.access_key_secret, policy), text('token') === qiniuUploadToken(keys, parsed), text('x-amz-signature') === signS3Policy(keys.access_key_secret, { date, region: 'test-1' }, policy)].includes(true)
  const file = form.get('file')
  if (!is_signed || !parsed.includes(text('key').split('/').slice(0, 3).join('/')) && !parsed.includes(text('key')) || !(file instanceof Blob)) return { status: 403 }
  if (text('token') !== '' && !parsed.includes('isPrefixalScope')) asked.push(`PUT ${text('key')}`)
  stored.set(text('key'), Buffer.from(await file.arrayBuffer()))
  return { status: 204 }
}

beforeAll(async () => {
  store = createServer((request, reply) => void serve(request).then(({ status, body }) => reply.writeHead(status, { 'content-length': body?.length ?? 0 }).end(body)))
  await new Promise<void>(resolve => store.listen(0, '127.0.0.1', resolve))
  const address = store.address()
  origin = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  const file = join(tmpdir(), `campus-stores-${randomUUID()}.json`)
  await writeFile(file, JSON.stringify([1, 2, 3].map(oss_type => ({ school_id, oss_type, ...keys, origin, ...(oss_type === 2 ? { manage_origin: origin } : {}) }))))
  app = await startTestApp({ settings: { CAMPUS_STORES_FILE: file } })
  person = await app.as({ school_id, codes: ['files.file.upload', 'school.info.edit'] })
})
afterAll(async () => {
  await app.close()
  store.close()
})

const calls = { 1: tokenApi.aliyun, 2: tokenApi.qiniu, 3: tokenApi.minio } as const

async function inStore(oss_type: 1 | 2 | 3): Promise<UploadToken> {
  await app.running.database.tenant(school_id, db => sql`update school_config set oss_type = ${oss_type}, oss_bucket = 'pictures', oss_region = 'test-1' where school_id = ${school_id}`.execute(db))
  return dataOf(calls[oss_type], await app.call(calls[oss_type], { purpose: 'logo' }, { token: person.token }))
}

/** Sends the form as the browser does. */
async function sendForm({ host, dir, fields }: UploadToken, name: string, body: Buffer): Promise<number> {
  const form = new FormData()
  for (const [field, value] of Object.entries({ key: dir + name, ...fields })) form.append(field, value)
  form.append('file', new Blob([new Uint8Array(body)], { type: 'image/png' }), name)
  return (await fetch(host, { method: 'POST', body: form })).status
}

test.each([1, 2, 3] as const)('a school with credentials for store %d: its form goes there, its first use is checked there, what nobody uses is deleted there', async oss_type => {
  const token = await inStore(oss_type)
  expect(JSON.stringify(token)).not.toContain(keys.access_key_secret)
  const name = `${oss_type}.png`
  const file_key = token.dir + name
  expect(await sendForm(token, name, await sharp({ create: { width: 900, height: 300, channels: 3, background: '#0958d9' } }).png().toBuffer())).toBe(204)
  const taken = await app.call(pictureApi.save, { kind: 'logo', file_key }, { token: person.token })
  expect(taken.status).toBe(200)
  expect(await sharp(stored.get(file_key)).metadata()).toMatchObject({ width: 512, height: 171 })
  const shown = await fetch(`${app.url}/material/f/${file_key}`)
  expect([shown.status, Buffer.from(await shown.arrayBuffer()).equals(stored.get(file_key) ?? Buffer.alloc(0))]).toEqual([200, true])
  await app.call(pictureApi.remove, { kind: 'logo' }, { token: person.token })
  app.clock.advance(7 * 86_400_000 + 60_000)
  await expect.poll(() => stored.has(file_key), patience).toBe(false)
  expect([...new Set(asked.filter(line => line.endsWith(file_key)).map(line => line.split(' ')[0]))].toSorted()).toEqual(['DELETE', 'GET', 'PUT'])
  person = await app.as({ school_id, codes: ['files.file.upload', 'school.info.edit'] })
})

test('what somebody else has put there, what was never sent and a program are not taken', async () => {
  const token = await inStore(3)
  expect(await sendForm(token, 'virus.png', Buffer.from('MZ this is a program'))).toBe(204)
  const colleague = await app.as({ school_id, codes: ['files.file.upload', 'school.info.edit'] })
  stored.set(`${school_id}/${colleague.user_id}/20261121/theirs.png`, Buffer.from('any'))
  for (const file_key of [`${token.dir}virus.png`, `${token.dir}never.png`, `${school_id}/${colleague.user_id}/20261121/theirs.png`]) {
    expect((await app.call(pictureApi.save, { kind: 'logo', file_key }, { token: person.token })).status, file_key).toBe(404)
  }
})

test('faces never go there, and pages may send to these stores only', async () => {
  await inStore(3)
  const sealed = dataOf(tokenApi.minio, await app.call(tokenApi.minio, { purpose: 'face' }, { token: person.token }))
  expect(sealed.host).toMatch(/^\/material\/upload\//)
  const policy = (await fetch(`${app.url}${fileApi.read.paths[0] ?? ''}`)).headers.get('content-security-policy') ?? ''
  expect(policy.split(';').filter(line => line.includes(origin)).map(line => line.split(' ')[0])).toEqual(['img-src', 'connect-src', 'media-src'])
})

import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { filesErrors } from '@campus/files/contract'
import { pictureApi } from '@campus/school/contract'
import { loadConfig } from '@kit/server/config'
import { loadStores } from '@kit/server/secrets'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { claim } from '../claim.ts'
import { read } from '../read.service.ts'
import { preOf } from '../testing/pre.ts'
import { openRemote, TooLarge } from './remote.ts'

const { a: school_id } = test_schools
const keys = { access_key_id: 'test-id', access_key_secret: 'test-secret' }
const place = { bucket: 'pictures', region: 'test-1' }
const rule = { CAMPUS_ENV: 'test', CAMPUS_OUTSIDE_HOSTS: '' } as const
const mebi = 1024 * 1024
type Answer = (request: IncomingMessage, reply: ServerResponse) => void
const asked: string[] = []
const written: string[] = []
let answer: Answer
let store: Server
let origin: string

beforeAll(async () => {
  store = createServer((request, reply) => {
    asked.push(`${request.method} ${request.url?.split('?')[0]}`)
    request.resume().once('end', () => answer(request, reply))
  })
  await new Promise<void>(resolve => store.listen(0, '127.0.0.1', resolve))
  const address = store.address()
  origin = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
})
afterEach(() => void asked.splice(0))
afterAll(async () => {
  store.closeAllConnections()
  store.close()
  for (const file of written) await rm(file, { force: true })
})

const keyOf = (oss_type: 1 | 2 | 3, at = origin) => ({ school_id, oss_type, ...keys, origin: at, manage_origin: at })

async function listed(stores: readonly object[]): Promise<string> {
  const file = join(tmpdir(), `campus-stores-${randomUUID()}.json`)
  written.push(file)
  await writeFile(file, JSON.stringify(stores))
  return file
}

async function sizeOf(body: AsyncIterable<Uint8Array> | null): Promise<number> {
  let bytes = 0
  for await (const piece of body ?? []) bytes += piece.length
  return bytes
}

/** Says a size that is that of the packed bytes. */
function packed(bytes: Buffer): Answer {
  const sent = gzipSync(bytes)
  return (_request, reply) => void reply.writeHead(200, { 'content-encoding': 'gzip', 'content-length': sent.length }).end(sent)
}

/** Goes on sending until the other side has had enough. */
function endless(head: Buffer): Answer {
  return (_request, reply) => {
    reply.writeHead(200).write(head)
    const more = () => {
      while (!reply.destroyed && reply.write(Buffer.alloc(64 * 1024, 1)));
    }
    reply.on('drain', more)
    more()
  }
}

describe.each([1, 2, 3] as const)('store %d', oss_type => {
  test('is not asked at all when the operator has not named its host', async () => {
    const remote = openRemote({ CAMPUS_ENV: 'prod', CAMPUS_OUTSIDE_HOSTS: 'store.example.cn' }, keyOf(oss_type), place)
    const barred = 'CAMPUS_OUTSIDE_HOSTS does not name the store 127.0.0.1'
    await expect(remote.get('a.png', 10)).rejects.toThrow(barred)
    await expect(remote.put('a.png', Buffer.from('x'), 'image/png')).rejects.toThrow(barred)
    await expect(remote.remove('a.png')).rejects.toThrow(barred)
    expect(asked).toEqual([])
  })

  test('sends nobody elsewhere', async () => {
    answer = (_request, reply) => void reply.writeHead(302, { location: '/elsewhere' }).end()
    const remote = openRemote(rule, keyOf(oss_type), place)
    expect(await remote.get('a.png', 10)).toMatchObject({ ok: false, status: 302 })
    await expect(remote.put('a.png', Buffer.from('x'), 'image/png')).rejects.toThrow('the store answered 302')
    await expect(remote.remove('a.png')).rejects.toThrow('the store answered 302')
    expect([asked.length, asked.filter(line => line.endsWith('/elsewhere'))]).toEqual([3, []])
  })

  test('is read to the last byte that a file may have, and no further', async () => {
    answer = (_request, reply) => void reply.writeHead(200).end(Buffer.alloc(1000))
    const remote = openRemote(rule, keyOf(oss_type), place)
    expect(await sizeOf((await remote.get('a.png', 1000)).body)).toBe(1000)
    await expect(remote.get('a.png', 999).then(({ body }) => sizeOf(body))).rejects.toThrow(TooLarge)
    answer = endless(Buffer.alloc(1))
    await expect(remote.get('a.png', 1000).then(({ body }) => sizeOf(body))).rejects.toThrow(TooLarge)
  })
})

test('what is gone already is gone, also in the number that no answer of the standard has', async () => {
  answer = (_request, reply) => void reply.writeHead(612).end('{"error":"no such file"}')
  await expect(openRemote(rule, keyOf(2), place).remove('a.png')).resolves.toBeUndefined()
})

test('a server does not start with a store whose host the operator has not named', async () => {
  const CAMPUS_STORES_FILE = await listed([keyOf(3, 'https://minio.example.cn'), { school_id: null, oss_type: 2, ...keys, origin: 'https://up.example.cn', read_origin: 'https://files.example.cn' }])
  const load = (CAMPUS_OUTSIDE_HOSTS: string) => loadStores({ ...loadConfig({ CAMPUS_ENV: 'test' }), CAMPUS_STORES_FILE, CAMPUS_OUTSIDE_HOSTS })
  expect(() => load('minio.example.cn')).toThrow('CAMPUS_STORES_FILE: add up.example.cn, files.example.cn, rs.qiniuapi.com to CAMPUS_OUTSIDE_HOSTS')
  expect(load('*.example.cn,rs.qiniuapi.com')).toHaveLength(2)
})

describe('a file that a browser has put there', () => {
  let app: TestApp
  let person: TestUser
  const picture = sharp({ create: { width: 40, height: 40, channels: 3, background: '#0958d9' } }).png().toBuffer()

  beforeAll(async () => {
    app = await startTestApp({ settings: { CAMPUS_STORES_FILE: await listed([keyOf(3)]) } })
    person = await app.as({ school_id, codes: ['files.file.upload', 'school.info.edit'] })
    await app.running.database.tenant(school_id, db => sql`update school_config set oss_type = 3, oss_bucket = 'pictures', oss_region = 'test-1' where school_id = ${school_id}`.execute(db))
  })
  afterAll(() => app.close())

  const keyed = (name: string) => `${school_id}/${person.user_id}/20261121/${name}`
  const use = (file_key: string) => app.call(pictureApi.save, { kind: 'logo', file_key }, { token: person.token })
  const entered = (file_key: string) =>
    app.running.database.tenant<unknown, { rows: { size: string }[] }>(school_id, db => sql<{ size: string }>`select size from file_object where school_id = ${school_id} and file_key = ${file_key}`.execute(db))

  test.each([
    ['says no size', endless],
    ['says a small one', (head: Buffer) => packed(Buffer.concat([head, Buffer.alloc(11 * mebi)]))],
  ])('and that is larger than it may be is not taken, when the store %s', async (_name, answerWith) => {
    answer = answerWith(await picture)
    const file_key = keyed('large.png')
    const taken = await use(file_key)
    expect([taken.status, taken.body.msg]).toEqual([filesErrors.missing.status, filesErrors.missing.msg])
    expect((await entered(file_key)).rows).toEqual([])
  })

  test('is entered with the bytes that came, though the store has said no size', async () => {
    const bytes = await picture
    answer = ({ method }, reply) => void (method === 'GET' ? reply.writeHead(200, { 'transfer-encoding': 'chunked' }).end(bytes) : reply.writeHead(200).end())
    expect((await use(keyed('chunked.png'))).status).toBe(200)
    expect(asked.map(line => line.split(' ')[0])).toEqual(['GET', 'GET', 'PUT'])
  })

  test('is not looked for where the store sends us', async () => {
    answer = ({ url }, reply) => void (url === '/elsewhere' ? reply.writeHead(200).end('x'.repeat(mebi)) : reply.writeHead(307, { location: '/elsewhere' }).end())
    expect((await use(keyed('moved.png'))).status).toBe(404)
    expect(asked.filter(line => line.includes('elsewhere'))).toEqual([])
  })

  test('is not shown when other bytes were put under its name after it came into use', async () => {
    const kept = { bytes: await picture }
    answer = ({ method }, reply) => void (method === 'GET' ? reply.writeHead(200).end(kept.bytes) : reply.writeHead(200).end())
    const file_key = keyed('replaced.pdf')
    kept.bytes = Buffer.from('%PDF-1.7 the notice of the school')
    const pre = preOf(app, person)
    const enter = await claim(pre, { file_key, purpose: 'attachment' })
    await app.running.database.tenant(school_id, db => enter({ app: app.running.app, db, school_id, now: app.clock.now() }, { ref_kind: 'test.thing', ref_id: 'replaced' }))
    expect((await read(pre, { school_id, file_key })).bytes).toEqual(kept.bytes)
    kept.bytes = Buffer.from('%PDF-1.7 something that nobody has looked at')
    await expect(read(pre, { school_id, file_key })).rejects.toMatchObject({ failure: { status: 404 } })
  })
})

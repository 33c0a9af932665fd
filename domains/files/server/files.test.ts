import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { dataOf, sendForm, startTestApp, test_schools, upload, uploadToken } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { file_kind, tokenApi } from '@campus/files/contract'
import type { UploadPurpose } from '@campus/files/contract'
import type { Pre } from '@kit/server/http'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addressOf } from './address.ts'
import { claim, release } from './claim.ts'
import { asFiles } from './db.ts'
import { read } from './read.service.ts'

const { a: school_id, b: other_school } = test_schools
const mebi = 1024 * 1024
const patience = { timeout: 20_000 }
let app: TestApp
let person: TestUser
let colleague: TestUser
let stranger: TestUser
let picture: Buffer

beforeAll(async () => {
  app = await startTestApp()
  const codes = ['files.file.upload']
  person = await app.as({ school_id, codes })
  colleague = await app.as({ school_id, codes })
  stranger = await app.as({ school_id: other_school, codes })
  picture = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#0958d9' } }).withExif({ IFD0: { Artist: 'somebody' } }).jpeg().toBuffer()
})
afterAll(() => app.close())

const inSchool = <T>(fn: (db: ReturnType<typeof asFiles>) => Promise<T>) => app.running.database.tenant(school_id, db => fn(asFiles(db)))
const place = (db: ReturnType<typeof asFiles>) => ({ app: app.running.app, db, school_id, now: app.clock.now() })
const stateOf = (file_key: string) => inSchool(db => db.selectFrom('file_object').select('state').where('school_id', '=', school_id).where('file_key', '=', file_key).executeTakeFirst()).then(row => row?.state)
const uploadFolder = () => join(app.running.app.files.pathOf('any'), '../../upload')
let serial = 0
const nameOf = (ext: string) => `${school_id}000000${(serial += 1)}.${ext}`
const useStore = (oss_type: number) => app.running.database.tenant(school_id, db => sql`update school_config set oss_type = ${oss_type} where school_id = ${school_id}`.execute(db))

/** What a handler of another domain hands to `claim`: the session's identity, its clock and short transactions. */
function preOf({ user_id, school_id: school }: TestUser): Pre {
  const { database } = app.running
  const scope = { kind: 'all', ids: [], facts: [] } as const
  const me = { user_id, school_id: school, user_no: '', user_name: '', username: '', role_no: '', role_id: '', role_code: '', role_name: '', user_dep: '1', session_id: '', is_super: false, dept_is_exact: false, codes: new Set<string>(), scopes: { dept: scope, place: scope } }
  return {
    app: app.running.app, now: app.clock.now(), log: app.running.app.log, request: { request_id: '', ip: '', device_label: '', client: 'web' }, note: () => undefined,
    me, caller: async () => me, bearer: '', cookies: {}, setCookie: () => undefined, own: (id, fn) => database.tenant(id, fn), file: null,
    letter: null,
  }
}

/** Uploads a file and takes it into use by a thing of that name. */
async function used(purpose: UploadPurpose, name: string, body: Uint8Array, ref_id: string, kind?: '2'): Promise<string> {
  const file_key = await upload(app, person, { purpose, name, body, ...(kind ? { kind } : {}) })
  const enter = await claim(preOf(person), { file_key, purpose })
  await inSchool(db => enter(place(db), { ref_kind: 'test.thing', ref_id }))
  return file_key
}

const get = (address: string, headers: Record<string, string> = {}) => fetch(`${app.url}${address}`, { headers })

describe('10-A20 the embedded store', () => {
  test.each([1, 2, 3])('forms of type %d asked for at the same instant for different purposes are different forms: nothing private comes in as a public picture', async oss_type => {
    await useStore(oss_type)
    const tokens = await Promise.all((['logo', 'avatar', 'id_photo', 'logo'] as const).map(purpose => uploadToken(app, person, { purpose })))
    const keys = await Promise.all(tokens.map(async token => {
      const name = nameOf('jpg')
      expect((await sendForm(app, token, { name, body: picture })).status).toBe(200)
      return token.dir + name
    }))
    const rows = await inSchool(db => db.selectFrom('file_object').select(['file_key', 'purpose']).where('school_id', '=', school_id).where('file_key', 'in', keys).execute())
    expect(keys.map(key => rows.find(row => row.file_key === key)?.purpose)).toEqual(['logo', 'avatar', 'id_photo', 'logo'])
  })

  test.each([
    [1, tokenApi.aliyun, ['OSSAccessKeyId', 'Signature', 'policy']],
    [2, tokenApi.qiniu, ['token']],
    [3, tokenApi.minio, ['policy', 'x-amz-algorithm', 'x-amz-credential', 'x-amz-date', 'x-amz-signature']],
  ] as const)('takes uploads of a school of type %d that has no credentials, in the words of that store', async (oss_type, call, names) => {
    await useStore(oss_type)
    const token = dataOf(call, await app.call(call, { purpose: 'resource' }, { token: person.token }))
    expect(Object.keys(token.fields)).toEqual(expect.arrayContaining([...names]))
    expect(token).toMatchObject({ accessKeyId: 'embedded', max_size: 10 * mebi, dir: expect.stringMatching(new RegExp(`^${school_id}/${person.user_id}/[0-9]{8}/$`)) })
    const name = nameOf('jpg')
    expect((await sendForm(app, token, { name, body: picture })).body).toMatchObject({ code: 600, data: { key: token.dir + name } })
    expect(await stateOf(token.dir + name)).toBe(2)
    for (const other of [tokenApi.aliyun, tokenApi.qiniu, tokenApi.minio].filter(one => one !== call)) {
      const refused = await app.call(other, {}, { token: person.token })
      expect([refused.status, refused.body.msg]).toEqual([409, '存储类型与学校配置不一致'])
    }
  })

  test.each([
    ['a program', 'jpg', '1', Buffer.from('MZ\u0090\u0000\u0003\u0000\u0000\u0000')],
    ['an archive', 'png', '1', Buffer.from('PK\u0003\u0004'.padEnd(80, '\u0000'))],
    ['an archive', 'docx', '3', Buffer.from(`PK\u0003\u0004${'\u0000'.repeat(22)}\u0006\u0000\u0000\u0000virus.exe`, 'latin1')],
    ['a drawing that may hold scripts', 'png', '1', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['a program', 'pdf', '3', Buffer.from('MZ\u0090\u0000\u0003\u0000\u0000\u0000')],
    ['nothing', 'jpg', '1', Buffer.alloc(0)],
  ] as const)('%s called .%s is refused with 415 and leaves nothing', async (_what, ext, kind, body) => {
    const token = await uploadToken(app, person, { purpose: 'resource', kind })
    const name = nameOf(ext)
    const answer = await sendForm(app, token, { name, body })
    expect([answer.status, answer.body.msg]).toEqual([415, '文件格式不支持'])
    expect([await stateOf(token.dir + name), existsSync(app.running.app.files.pathOf(token.dir + name)), readdirSync(uploadFolder())]).toEqual([undefined, false, []])
  })

  test.each([
    ['a picture of 11 MB', '1', 11, '文件大小不能超过10MB'],
    ['a document of 51 MB', '3', 51, '文件大小不能超过50MB'],
  ] as const)('%s is refused with 413 before its body ends', async (_what, kind, mb, words) => {
    const { host } = await uploadToken(app, person, { purpose: 'resource', kind })
    // Only the head of the form is ever sent.
    const answer = await new Promise<{ status: number; text: string }>((resolve, reject) => {
      const headers = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': String(mb * mebi) }
      const sending = request(`${app.url}${host}`, { method: 'POST', headers }, reply => {
        let text = ''
        reply.on('data', piece => (text += String(piece))).on('end', () => {
          sending.destroy()
          resolve({ status: reply.statusCode ?? 0, text })
        })
      })
      sending.on('error', reject).write('--x\r\nContent-Disposition: form-data; name="key"\r\n\r\n')
    })
    expect([answer.status, answer.text.includes(words)]).toEqual([413, true])
  })

  test('an upload that breaks off leaves nothing', async () => {
    const { host, dir, fields } = await uploadToken(app, person, { purpose: 'resource' })
    const form = new FormData()
    for (const [name, value] of Object.entries({ key: `${dir}half.jpg`, ...fields })) form.append(name, value)
    form.append('file', new Blob([picture]), 'half.jpg')
    const sent = new Request('http://school', { method: 'POST', body: form })
    const body = Buffer.from(await sent.arrayBuffer())
    await new Promise<void>(resolve => {
      const headers = { 'content-type': sent.headers.get('content-type') ?? '', 'content-length': String(body.length) }
      const sending = request(`${app.url}${host}`, { method: 'POST', headers }).on('error', () => resolve())
      sending.write(body.subarray(0, body.length - 400), () => sending.destroy())
      sending.on('close', () => resolve())
    })
    await expect.poll(() => readdirSync(uploadFolder()), patience).toEqual([])
    expect(await stateOf(`${dir}half.jpg`)).toBeUndefined()
  })

  test('a form serves its own folder, its own time and its own number of files', async () => {
    const token = await uploadToken(app, person, { purpose: 'resource' })
    const foreign = await sendForm(app, { ...token, dir: `${school_id}/${colleague.user_id}/20261121/` }, { name: nameOf('jpg'), body: picture })
    const changed = await sendForm(app, { ...token, fields: { ...token.fields, 'x-amz-signature': '0'.repeat(64) } }, { name: nameOf('jpg'), body: picture })
    expect([foreign.status, changed.status, changed.body.msg]).toEqual([403, 403, '上传凭证已失效，请重试'])
    await app.running.database.tenant(0, db => sql`update upload_ticket set files_left = 1 where user_id = ${person.user_id}`.execute(db))
    const name = nameOf('jpg')
    expect((await sendForm(app, token, { name, body: picture })).status).toBe(200)
    expect((await sendForm(app, token, { name: nameOf('jpg'), body: picture })).status).toBe(403)
    const again = await sendForm(app, await uploadToken(app, person, { purpose: 'resource', kind: file_kind.picture }), { name, body: picture })
    expect([again.status, again.body.msg]).toEqual([409, '已存在同名文件，请重试'])
    const replacing = dataOf(tokenApi.minio, await app.call(tokenApi.minio, { is_override: '1' }, { token: person.token }))
    expect((await sendForm(app, replacing, { name, body: picture })).status).toBe(200)
  })
})

describe('the first use', () => {
  test('makes a picture ready: written anew, without what the camera wrote into it', async () => {
    const file_key = await used('resource', nameOf('jpg'), picture, 'first')
    expect(await stateOf(file_key)).toBe(3)
    const { bytes, mime } = await read(preOf(person), { school_id, file_key })
    expect(mime).toBe('image/jpeg')
    expect((await sharp(bytes).metadata()).exif).toBeUndefined()
    const row = await inSchool(db => db.selectFrom('file_v').selectAll().where('school_id', '=', school_id).where('file_key', '=', file_key).executeTakeFirst())
    expect(row).toMatchObject({ width: 400, height: 300, size: String(bytes.length), visibility: 'school' })
  })

  test("10-A20 another person's, another school's, an unknown key and one of another purpose are all a 404", async () => {
    const file_key = await upload(app, person, { purpose: 'resource', name: nameOf('jpg'), body: picture })
    const missing = { failure: { status: 404, id: 'files.missing' } }
    await expect(claim(preOf(colleague), { file_key, purpose: 'resource' })).rejects.toMatchObject(missing)
    await expect(claim(preOf(stranger), { file_key, purpose: 'resource' })).rejects.toMatchObject(missing)
    await expect(claim(preOf(person), { file_key: `${file_key}x`, purpose: 'resource' })).rejects.toMatchObject(missing)
    await expect(claim(preOf(person), { file_key, purpose: 'face' })).rejects.toMatchObject(missing)
  })

  test('a colleague may save the thing again that has the file already', async () => {
    const file_key = await used('resource', nameOf('jpg'), picture, 'shared')
    const enter = await claim(preOf(colleague), { file_key, purpose: 'resource', held_by: { ref_kind: 'test.thing', ref_id: 'shared' } })
    expect(await inSchool(db => enter(place(db), { ref_kind: 'test.thing', ref_id: 'shared' }))).toMatchObject({ file_key })
  })

  test('what only begins like a picture is put in quarantine', async () => {
    const file_key = await upload(app, person, { purpose: 'resource', name: nameOf('jpg'), body: picture.subarray(0, 300) })
    await expect(claim(preOf(person), { file_key, purpose: 'resource' })).rejects.toMatchObject({ failure: { status: 415 } })
    expect(await stateOf(file_key)).toBe(4)
    await expect(claim(preOf(person), { file_key, purpose: 'resource' })).rejects.toMatchObject({ failure: { status: 404 } })
  })
})

describe('looking at files', () => {
  test('10-A20 the school’s own need a session of the school or a signed address; nobody sees what is not in use', async () => {
    const file_key = await used('resource', nameOf('jpg'), picture, 'seen')
    const plain = `/material/f/${file_key}`
    const signed = addressOf(app.running.app, app.clock.now(), { school_id, file_key, visibility: 'school' }, person)
    const statuses = await Promise.all([
      get(plain), get(plain, { authorization: stranger.token }), get(plain, { authorization: 'garbage' }), get(`${plain}?e=9999999999&s=forged`),
      get(plain, { authorization: colleague.token }), get(signed), get(signed.replace(/[0-9]+(?=\.jpg)/, '1')),
    ])
    expect(statuses.map(({ status }) => status)).toEqual([404, 404, 404, 404, 200, 200, 404])
    const waiting = await upload(app, person, { purpose: 'logo', name: nameOf('jpg'), body: picture })
    expect((await get(`/material/f/${waiting}`, { authorization: person.token })).status).toBe(404)
  })

  test('10-A20 a private picture has one address for one viewer for five minutes, lies encrypted, and each look is logged', async () => {
    const file_key = await used('face', nameOf('jpg'), picture, 'face')
    expect(readFileSync(app.running.app.files.pathOf(file_key)).includes(Buffer.from([0xff, 0xd8, 0xff]))).toBe(false)
    const address = addressOf(app.running.app, app.clock.now(), { school_id, file_key, visibility: 'private' }, colleague)
    const looks = () => app.running.database.tenant(school_id, db => sql<{ user_id: string }>`select user_id from operation_log where school_id = ${school_id} and op_type = 13 and target_id = ${file_key}`.execute(db)).then(({ rows }) => rows.map(row => row.user_id))
    const others = [`/material/f/${file_key}`, `/material/p/${file_key}?u=1&e=9999999999&s=forged`, address.replace(`u=${colleague.user_id}`, `u=${person.user_id}`)]
    for (const other of others) expect((await get(other, { authorization: person.token })).status).toBe(404)
    expect(await looks()).toEqual([])
    const shown = await get(address)
    expect([shown.status, (await sharp(Buffer.from(await shown.arrayBuffer())).metadata()).format]).toEqual([200, 'jpeg'])
    expect((await get(`${address}&imageView2/2/w/96`)).status).toBe(200)
    expect(await looks()).toEqual([colleague.user_id, colleague.user_id])
    app.clock.advance(301_000)
    expect((await get(address)).status).toBe(404)
  })

  test('thumbnails in the words of two stores, in four widths', async () => {
    const file_key = await used('resource', nameOf('jpg'), picture, 'thumb')
    const at = addressOf(app.running.app, app.clock.now(), { school_id, file_key, visibility: 'school' }, person)
    const width = async (query: string) => (await sharp(Buffer.from(await (await get(`${at}&${query}`)).arrayBuffer())).metadata()).width
    const asked = ['x-oss-process=image/resize,m_lfit,w_96', 'imageView2/2/w/200', 'imageView2/2/w/200', 'imageView2/2/w/720', 'imageView2/2/w/150', `school_id=${other_school}&folder=logo`]
    expect(await Promise.all(asked.map(width))).toEqual([96, 200, 200, 400, 400, 400])
  })

  test('parts of a film are answered as parts', async () => {
    const film = Buffer.concat([Buffer.from('\u0000\u0000\u0000\u0018ftypmp42'), Buffer.alloc(5000, 7)])
    const file_key = await used('resource', nameOf('mp4'), film, 'film', '2')
    const at = addressOf(app.running.app, app.clock.now(), { school_id, file_key, visibility: 'school' }, person)
    const part = await get(at, { range: 'bytes=4-7' })
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([206, `bytes 4-7/${film.length}`, 'ftyp'])
    const beyond = await get(at, { range: 'bytes=9000-' })
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${film.length}`])
    expect((await get(at)).headers.get('accept-ranges')).toBe('bytes')
  })
})

describe('what nobody uses', () => {
  test('goes after seven days, its bytes and small pictures too; what came into use again stays', async () => {
    const left = await used('resource', nameOf('jpg'), picture, 'left')
    const never = await upload(app, person, { purpose: 'resource', name: nameOf('jpg'), body: picture })
    const kept = await used('resource', nameOf('jpg'), picture, 'kept')
    const at = addressOf(app.running.app, app.clock.now(), { school_id, file_key: left, visibility: 'school' }, person)
    await (await get(`${at}&imageView2/2/w/96`)).arrayBuffer()
    await inSchool(db => release(place(db), { ref_kind: 'test.thing', ref_id: 'left' }))
    await inSchool(db => release(place(db), { ref_kind: 'test.thing', ref_id: 'kept' }))
    const again = await claim(preOf(person), { file_key: kept, purpose: 'resource' })
    await inSchool(db => again(place(db), { ref_kind: 'test.thing', ref_id: 'kept' }))
    app.clock.advance(7 * 86_400_000 + 60_000)
    await expect.poll(async () => [await stateOf(left), await stateOf(never)], patience).toEqual([6, 6])
    const { files } = app.running.app
    await expect.poll(() => [left, never].some(key => existsSync(files.pathOf(key)) || existsSync(files.thumbOf(key, 96))), patience).toBe(false)
    expect([await stateOf(kept), existsSync(files.pathOf(kept))]).toEqual([3, true])
  })
})

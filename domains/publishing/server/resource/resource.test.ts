import { dataOf, startTestApp, test_schools, upload } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { jobApi } from '@campus/jobs/contract'
import { createPlaces } from '@campus/places/server'
import { educationApi, folderApi, resourceApi } from '@campus/publishing/contract'
import { drawJpeg } from '@kit/server/image'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

const { a: school_id } = test_schools
const day_ms = 86_400_000
let app: TestApp
let me: TestUser
let rooms: string[]
let made = 0

beforeAll(async () => {
  app = await startTestApp()
  me = await app.as({ school_id, codes: 'all', places: 'all' })
  const room = (key: string) => ({ key, superior: null, place_name: key, place_kind: 5, place_type: null, capacity: null })
  const ids = await app.running.database.tenant(school_id, db =>
    createPlaces(db, school_id, ['101教室', '102教室', '103教室'].map(room), '2026-09-01'),
  )
  rooms = [...ids.values()]
})
afterAll(() => app.close())

const as = () => ({ token: me.token })

async function picture(name: string): Promise<{ file_key: string; name: string }> {
  made += 1
  const { bytes } = await drawJpeg(`<svg xmlns="http://www.w3.org/2000/svg" width="64" height="48"><rect width="${made}" height="48"/></svg>`)
  return { file_key: await upload(app, me, { purpose: 'resource', name: `drawn-${made}.jpg`, body: bytes }), name: `${name}.png` }
}

async function added(names: readonly string[], folder_id: string | null = null): Promise<string[]> {
  const files = []
  for (const name of names) files.push(await picture(name))
  const { list } = dataOf(resourceApi.add, await app.call(resourceApi.add, { resource_type: 1, folder_id, files }, as()))
  const ids = list.flatMap(one => one.id ?? [])
  dataOf(educationApi.isPicture, await app.call(educationApi.isPicture, { resource_ids: ids, is_picture: 1 }, as()))
  return ids
}
const rows = async () => dataOf(educationApi.list, await app.call(educationApi.list, {}, as())).list
const published = async (resource_id: string) =>
  dataOf(educationApi.published, await app.call(educationApi.published, { resource_id }, as()))

test('a batch says of each file what became of it; the same bytes are named, a wrong kind does not stop the others', async () => {
  const first = await picture('校园')
  const text = {
    file_key: await upload(app, me, { purpose: 'resource', kind: '3', name: 'words.txt', body: Buffer.from('words') }),
    name: 'words.txt',
  }
  const broken = {
    file_key: await upload(app, me, {
      purpose: 'resource',
      name: 'broken.png',
      body: Buffer.from('\u0089PNG\r\n\u001a\nnothing', 'latin1'),
    }),
    name: 'broken.png',
  }
  const asked = { resource_type: 1, files: [first, text, broken, { ...first, file_key: first.file_key.replace(/.$/, 'x') }] }
  const { list, added: n } = dataOf(resourceApi.add, await app.call(resourceApi.add, asked, as()))
  expect(n).toBe(1)
  expect(list.map(one => one.failed)).toEqual([null, '文件格式不支持', '图片上传失败，请检查图片是否正常', '文件格式不支持'])
  const again = await app.call(resourceApi.add, { resource_type: 1, files: [first] }, as())
  expect(dataOf(resourceApi.add, again).list[0]?.taken).toBe('已存在同名内容：校园')
  const film = {
    file_key: await upload(app, me, {
      purpose: 'resource',
      kind: '2',
      name: 'a.mp4',
      body: Buffer.from('\u0000\u0000\u0000\u0018ftypmp42nothing'),
    }),
    name: 'a.mp4',
  }
  const refused = dataOf(resourceApi.add, await app.call(resourceApi.add, { resource_type: 2, files: [film] }, as()))
  expect(refused.list[0]?.failed).toBe('视频文件已损坏或不是MP4，请转换为H.264编码的MP4后上传')
})

test('chosen resources come as one archive, each under its name, and those alike with a number', async () => {
  const resource_ids = await added(['合唱', '合唱', '足球'])
  const { job_no } = dataOf(educationApi.zip, await app.call(educationApi.zip, { resource_ids }, as()))
  const state = async () => dataOf(jobApi.one, await app.call(jobApi.one, { job_no }, as())).state
  await expect.poll(state).toBe('succeeded')
  const { bytes } = await app.call(jobApi.result, { job_no }, as())
  const text = Buffer.from(bytes).toString('utf8')
  expect([text.slice(0, 2), ...['合唱.jpg', '合唱（2）.jpg', '足球.jpg'].map(name => text.includes(name))]).toEqual(['PK', true, true, true])
  expect((await app.call(educationApi.zip, { resource_ids: ['999999999'] }, as())).status).toBe(404)
})

test('60-A19 three pictures in three rooms are nine usages, again none, many calls at once still nine; what is taken down stays down', async () => {
  const resource_id = await added(['一', '二', '三'])
  const publish = () => app.call(educationApi.publish, { resource_id, place_id: rooms, publish_teacher: [] }, as())
  const answers = await Promise.all(Array.from({ length: 8 }, publish))
  expect(answers.map(answer => dataOf(educationApi.publish, answer).added).reduce((sum, n) => sum + n, 0)).toBe(9)
  const [last] = [dataOf(educationApi.publish, await publish())]
  expect([last.added, last.existed, last.no_board.length]).toEqual([0, 9, 3])
  const [first = ''] = resource_id
  expect((await published(first)).places.map(place => place.place_name.split('/').at(-1))).toHaveLength(3)
  const stop = () => app.call(resourceApi.unpublish, { resource_id: [first], place_id: rooms, teachers: [] }, as())
  expect(dataOf(resourceApi.unpublish, await stop()).stopping).toBe(3)
  expect((await stop()).body).toMatchObject({ code: 409, msg: '该资源已在所选位置取消发布' })
  expect((await published(first)).places).toEqual([])
  const open = await app.running.database.tenant(school_id, db =>
    sql`select 1 from publishing_usage where school_id = ${school_id} and resource_id = ${first} and valid_to is null`.execute(db),
  )
  expect(open.rows).toEqual([])
})

test('60-A20 what is shown is looked at before it is deleted; then it is shown nowhere, comes back within thirty days without its places, and goes after them', async () => {
  const [id = '', other = ''] = await added(['海报', '合影'])
  await app.call(educationApi.publish, { resource_id: [id, other], place_id: rooms.slice(0, 2), publish_teacher: [] }, as())
  const impact = dataOf(resourceApi.impact, await app.call(resourceApi.impact, { resource_ids: id }, as()))
  expect(impact).toMatchObject({ places: 2, boards: 0, teachers: 0, notices: 0 })
  const unmark = await app.call(educationApi.isPicture, { resource_ids: [id], is_picture: 0 }, as())
  expect([unmark.status, unmark.body.msg]).toEqual([409, '资源正在2间教室使用，请先取消发布'])
  const remove = await app.call(educationApi.remove, { resource_type: 1, resource_ids: `${id},${other}` }, as())
  expect(dataOf(educationApi.remove, remove)).toEqual({ removed: 2, stopping: 4 })
  expect((await rows()).map(row => row.id)).not.toContain(id)
  expect(dataOf(resourceApi.restore, await app.call(resourceApi.restore, { resource_ids: [id] }, as())).restored).toBe(1)
  expect((await rows()).find(row => row.id === id)?.usage_count).toBe(0)
  app.clock.advance(31 * day_ms)
  me = await app.as({ school_id, codes: 'all', places: 'all' })
  expect((await app.call(resourceApi.restore, { resource_ids: [other] }, as())).status).not.toBe(200)
})

test('60-A18 everything at once here alone: any other list refuses the size', async () => {
  expect((await app.call(educationApi.list, { page_index: 1, page_size: 99_999 }, as())).status).toBe(200)
  const answer = await app.call(resourceApi.list, { page_size: 99_999 }, as())
  expect(answer.status).toBe(400)
})

test('an album with something in it stays; empty it goes. Names are there once, labels find what they are on', async () => {
  const draft = { resource_type: 1, name: '运动会' }
  const { id } = dataOf(folderApi.add, await app.call(folderApi.add, draft, as()))
  expect((await app.call(folderApi.add, draft, as())).body.msg).toBe('名称已存在，请换一个')
  const [one = ''] = await added(['跑步'], id)
  const full = await app.call(folderApi.remove, { id }, as())
  expect([full.status, full.body.msg]).toEqual([409, '相册内还有1个资源，不能删除'])
  const label = dataOf(resourceApi.saveLabel, await app.call(resourceApi.saveLabel, { name: '体育' }, as())).id
  await app.call(resourceApi.setLabels, { resource_ids: [one], label_ids: [label] }, as())
  const found = dataOf(resourceApi.list, await app.call(resourceApi.list, { label_id: label }, as())).list
  expect(found.map(row => [row.id, row.folder_name, row.label_ids])).toEqual([[one, '运动会', [label]]])
  await app.call(resourceApi.move, { resource_ids: [one], folder_id: null }, as())
  expect((await app.call(folderApi.remove, { id }, as())).status).toBe(200)
})

test('60-A33 a download is a resource of this school or nothing, whatever the address says', async () => {
  await added(['下载'])
  const row = (await rows()).find(one => one.resource_name === '下载')
  const get = (url: string) => app.call(educationApi.download, { url, filename: '..\\下载:图.png' }, as())
  for (const url of [row?.cdn_name ?? '', row?.address ?? '']) {
    const answer = await get(url)
    expect([answer.status, answer.headers.get('content-disposition')]).toEqual([
      200,
      expect.stringContaining(encodeURIComponent('..下载图.png.jpg')),
    ])
  }
  const foreign = [
    'http://169.254.169.254/latest',
    `//evil.example/${row?.cdn_name}`,
    '/material/f/../../etc/passwd',
    `${row?.cdn_name}/..`,
    `${test_schools.b}/1/20261121/a.png`,
    'file:///etc/passwd',
    '',
  ]
  expect(await Promise.all(foreign.map(async url => (await get(url)).status))).toEqual(foreign.map(() => 404))
})

test('60-A16 a file is served in the parts that are asked for: first bytes, last ones, the rest; past its end, in two parts, or under a stale condition it says so or comes whole; its address ends', async () => {
  await added(['分段'])
  const row = (await rows()).find(one => one.resource_name === '分段')
  const { address = '', bytes: size = 0 } = row ?? {}
  const get = async (headers: Record<string, string>, method = 'GET') => {
    const answer = await fetch(`${app.url}${address}`, { method, headers })
    return [answer.status, answer.headers.get('content-range'), (await answer.arrayBuffer()).byteLength]
  }
  expect(await get({ range: 'bytes=0-1' })).toEqual([206, `bytes 0-1/${size}`, 2])
  expect(await get({ range: 'bytes=-5' })).toEqual([206, `bytes ${size - 5}-${size - 1}/${size}`, 5])
  expect(await get({ range: `bytes=${size - 7}-` })).toEqual([206, `bytes ${size - 7}-${size - 1}/${size}`, 7])
  expect((await get({ range: `bytes=${size}-` })).slice(0, 2)).toEqual([416, `bytes */${size}`])
  expect(await get({ range: 'bytes=0-1,4-5' })).toEqual([200, null, size])
  expect(await get({ range: 'bytes=0-1', 'if-range': '"stale"' })).toEqual([200, null, size])
  const head = await fetch(`${app.url}${address}`, { method: 'HEAD' })
  expect([head.status, Number(head.headers.get('content-length')), (await head.arrayBuffer()).byteLength]).toEqual([200, size, 0])
  const stranger = await app.as({ school_id: test_schools.b, codes: 'all' })
  const bare = `${app.url}/material/f/${row?.cdn_name}`
  expect((await fetch(bare, { headers: { authorization: stranger.token } })).status).toBe(404)
  app.clock.advance(day_ms)
  expect((await fetch(`${app.url}${address}`)).status).toBe(404)
})

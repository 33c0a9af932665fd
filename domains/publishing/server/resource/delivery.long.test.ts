import { randomUUID } from 'node:crypto'
import { dataOf, startTestApp, test_schools, upload } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { JdevTerminal } from '@apps/terminal'
import { deviceApi } from '@campus/devices/contract'
import { createPlaces } from '@campus/places/server'
import { classBoardApi, contentApi, educationApi, folderApi, playerApi, resourceApi } from '@campus/publishing/contract'
import { drawJpeg } from '@kit/server/image'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { moveTo } from '../testing/clock.ts'

const { a: school_id } = test_schools
const class_rooms = 90
let app: TestApp
let me: TestUser
let port: number
let rooms: string[]
let boards: { device_id: string; sn: string; secret: string }[]
let made = 0

beforeAll(async () => {
  app = await startTestApp()
  port = await app.running.listenToDevices()
  me = await app.as({ school_id, codes: 'all', places: 'all' })
  const room = (_: unknown, at: number) => ({
    key: String(at),
    superior: null,
    place_name: `${100 + at}教室`,
    place_kind: 5,
    place_type: null,
    capacity: null,
  })
  const ids = await app.running.database.tenant(school_id, db =>
    createPlaces(db, school_id, Array.from({ length: class_rooms + 2 }, room), '2026-09-01'),
  )
  rooms = [...ids.values()]
  // Where devices are placed is asked of the database's own clock: they are there before ours goes ahead of it.
  boards = await Promise.all(rooms.map(board))
})
afterAll(() => app.close())

const as = () => ({ token: me.token })

async function board(place_id: string): Promise<{ device_id: string; sn: string; secret: string }> {
  const sn = `P${randomUUID().slice(0, 8)}`
  const asked = { device_sn: sn, device_name: sn, device_type: '03' as const, model_code: 'JD-B32', place_id }
  const { device, setup } = dataOf(deviceApi.create, await app.call(deviceApi.create, asked, as()))
  return { device_id: device.device_id, sn, secret: setup?.secret ?? '' }
}

async function drawing(name: string): Promise<{ file_key: string; name: string }> {
  made += 1
  const { bytes } = await drawJpeg(`<svg xmlns="http://www.w3.org/2000/svg" width="96" height="64"><rect width="${made}" height="64"/></svg>`)
  return { file_key: await upload(app, me, { purpose: 'resource', name: `drawn-${made}.jpg`, body: bytes }), name: `${name}.jpg` }
}

async function pictures(names: readonly string[], folder_id: string | null = null): Promise<string[]> {
  const files = []
  for (const name of names) files.push(await drawing(name))
  const { list } = dataOf(resourceApi.add, await app.call(resourceApi.add, { resource_type: 1, folder_id, files }, as()))
  const ids = list.flatMap(one => one.id ?? [])
  dataOf(educationApi.isPicture, await app.call(educationApi.isPicture, { resource_ids: ids, is_picture: 1 }, as()))
  return ids
}

async function publish(resource_id: string[], place_id: string[]) {
  const told = dataOf(educationApi.publish, await app.call(educationApi.publish, { resource_id, place_id, publish_teacher: [] }, as()))
  await moveTo(app, 1)
  return told
}
const statesOf = async (title: string) => {
  const { rows } = await app.running.database.tenant(school_id, db =>
    sql<{ state: number; n: number }>`
      select d.state::int as state, count(*)::int as n from publishing_delivery d
      join publishing_content c on c.school_id = ${school_id} and c.content_id = d.content_id
      where d.school_id = ${school_id} and c.title = ${title} group by d.state`.execute(db),
  )
  return Object.fromEntries(rows.map(row => [row.state, row.n]))
}
const placeOf = async (resource_id: string) =>
  dataOf(educationApi.published, await app.call(educationApi.published, { resource_id }, as())).places[0]

test('60-A19 three pictures to ninety rooms are 270 usages and queue on ninety boards, again none; one taken back is stopping on exactly ninety, and stopped on none before its board says so', async () => {
  const places = rooms.slice(0, class_rooms)
  const [one = '', two = '', three = ''] = await pictures(['甲', '乙', '丙'])
  expect((await publish([one, two, three], places)).added).toBe(270)
  expect([await statesOf('甲'), await statesOf('丙')]).toEqual([{ 1: 90 }, { 1: 90 }])
  const again = () => app.call(educationApi.publish, { resource_id: [one, two, three], place_id: places, publish_teacher: [] }, as())
  const told = await Promise.all(Array.from({ length: 12 }, again))
  expect(told.map(answer => dataOf(educationApi.publish, answer)).filter(answer => answer.added !== 0 || answer.existed !== 270)).toEqual([])
  const withdrawal = { resource_id: [one], place_id: places, teachers: [] }
  expect(dataOf(educationApi.unpublish, await app.call(educationApi.unpublish, withdrawal, as()))).toEqual({ stopping: 90, boards: 90 })
  expect([await statesOf('甲'), await statesOf('乙')]).toEqual([{ 7: 90 }, { 1: 90 }])
  expect((await app.call(educationApi.unpublish, withdrawal, as())).status).toBe(409)
  expect((await publish([one], places.slice(0, 1))).added).toBe(1)
  expect(await statesOf('甲')).toEqual({ 1: 1, 7: 90 })
})

const pairs_a_minute = 20

/** A player page as it is paired: asks for its plan, and says what it has done with it. */
async function pairedPlayer(device_id: string) {
  const { code } = dataOf(classBoardApi.pair, await app.call(classBoardApi.pair, { device_id }, as()))
  const { credential } = dataOf(playerApi.pair, await app.call(playerApi.pair, { enrol_code: code }))
  let seq = 0
  const said = (row_key: string, hash: string, state: 'accepted' | 'staged' | 'playing' | 'erased') => {
    seq += 1
    return { seq, at: app.clock.now().toISOString(), row_key, hash, state }
  }
  return {
    /** Takes the newest plan with its files, plays it, and lets go of what was taken back. @returns contents that it let go of */
    async follow(): Promise<number> {
      const { plan_hash, files, revoked } = dataOf(playerApi.plan, await app.call(playerApi.plan, {}, { token: credential }))
      const words = [
        ...revoked.map(one => said(`revoke:${one.content_id}`, one.content_id, 'erased')),
        said('plan', plan_hash, 'accepted'),
        ...files.map(file => said(`file:${file.sha256}`, file.sha256, 'staged')),
        said('plan', plan_hash, 'playing'),
      ]
      const answer = await app.call(playerApi.receipts, { epoch: device_id, words, status: { plan_hash } }, { token: credential })
      expect(answer.status).toBe(200)
      return revoked.length
    },
  }
}

test('60-A23 a set of pictures plays on ninety boards by the words of ninety players; taken down it is stopping on all of them, and gone from each one when its own player has said so', async () => {
  const places = rooms.slice(0, class_rooms)
  const titles = ['开学', '升旗', '社团']
  const resource_id = await pictures(titles)
  const players = []
  for (const [at, { device_id }] of boards.slice(0, class_rooms).entries()) {
    if (at % pairs_a_minute === 0) await moveTo(app, 2)
    players.push(await pairedPlayer(device_id))
  }
  const states = () => Promise.all(titles.map(statesOf))
  const everywhere = (one: Record<number, number>) => titles.map(() => one)
  expect((await publish(resource_id, places)).added).toBe(270)
  expect(await states()).toEqual(everywhere({ 1: 90 }))
  for (const player of players) await player.follow()
  expect(await states()).toEqual(everywhere({ 4: 90 }))

  await moveTo(app, 1)
  const withdrawal = { resource_id, place_id: places, teachers: [] }
  expect(dataOf(educationApi.unpublish, await app.call(educationApi.unpublish, withdrawal, as()))).toEqual({ stopping: 270, boards: 90 })
  expect(await states()).toEqual(everywhere({ 7: 90 }))
  const online = players.slice(0, 87)
  for (const player of online) expect(await player.follow()).toBeGreaterThanOrEqual(titles.length)
  expect(await states()).toEqual(everywhere({ 7: 3, 9: 87 }))
  for (const player of players.slice(online.length)) await player.follow()
  expect(await states()).toEqual(everywhere({ 9: 90 }))
}, 240_000)

test('60-A24 a picture plays on its board by its word; replaced twice it is queued and plays under another plan each time; deleted it is erased there', async () => {
  const place_id = rooms[class_rooms] ?? ''
  const { device_id = '', sn = '', secret = '' } = boards[class_rooms] ?? {}
  const terminal = new JdevTerminal({ url: `mqtt://127.0.0.1:${port}`, sn, secret, model: 'JD-B32', http: app.url })
  const [id = ''] = await pictures(['校门'])
  await publish([id], [place_id])
  expect(await placeOf(id)).toMatchObject({ state: 1, last_played_at: null })
  await terminal.start()
  const hashes: string[] = []
  const playing = async () => {
    await expect.poll(async () => (await placeOf(id))?.state).toBe(4)
    const { list } = dataOf(classBoardApi.plans, await app.call(classBoardApi.plans, { id: device_id }, as()))
    hashes.push(list.find(plan => plan.is_playing)?.hash ?? '')
  }
  await playing()
  const first = await drawing('新校门')
  expect((await app.call(resourceApi.replace, { id, ...first }, as())).status).toBe(200)
  await moveTo(app, 1)
  await playing()
  const second = await drawing('又一张')
  await app.call(resourceApi.replace, { id, ...second }, as())
  await moveTo(app, 1)
  await playing()
  const album = dataOf(folderApi.add, await app.call(folderApi.add, { resource_type: 1, name: '校园风光' }, as())).id
  await app.call(resourceApi.move, { resource_ids: [id], folder_id: album }, as())
  expect((await app.call(resourceApi.remove, { resource_type: 1, resource_ids: id }, as())).status).toBe(200)
  await expect.poll(() => statesOf('校门')).toEqual({ 9: 1 })
  await terminal.stop()
  expect(new Set(hashes).size).toBe(3)
})

test('an album on a board follows what is put into it; a content of the library is taken down with its usage, and not edited', async () => {
  const place_id = rooms[class_rooms + 1] ?? ''
  const { device_id = '' } = boards[class_rooms + 1] ?? {}
  const { code } = dataOf(classBoardApi.pair, await app.call(classBoardApi.pair, { device_id }, as()))
  const { credential } = dataOf(playerApi.pair, await app.call(playerApi.pair, { enrol_code: code }))
  const plan = async () => dataOf(playerApi.plan, await app.call(playerApi.plan, {}, { token: credential }))
  const album = dataOf(folderApi.add, await app.call(folderApi.add, { resource_type: 1, name: '运动会' }, as())).id
  const draft = { title: '运动会相册', source_kind: 2, source_id: album, zone: 'media', targets: [{ target: 1, target_id: place_id }] }
  expect((await app.call(contentApi.add, draft, as())).body.msg).toBe('请选择一个有图片或视频的相册')
  await pictures(['开幕'], album)
  const { id } = dataOf(contentApi.add, await app.call(contentApi.add, draft, as()))
  dataOf(contentApi.publish, await app.call(contentApi.publish, { ids: [id] }, as()))
  await moveTo(app, 1)
  const before = await plan()
  await pictures(['接力', '拔河'], album)
  await moveTo(app, 1)
  const after = await plan()
  expect([before.files.length, after.files.length, after.plan_hash === before.plan_hash]).toEqual([1, 3, false])

  const [single = ''] = await pictures(['获奖'])
  await publish([single], [place_id])
  expect((await plan()).files).toHaveLength(4)
  const { list } = dataOf(contentApi.list, await app.call(contentApi.list, { keyword: '获奖' }, as()))
  const [row] = list
  expect(row).toMatchObject({ resource_id: single, boards: 1 })
  const edited = await app.call(contentApi.update, { ...draft, id: row?.id ?? '', row_version: row?.row_version ?? 0 }, as())
  expect(edited.body.msg).toBe('该内容由资源库发布，请在资源库中修改，或在此下架')
  dataOf(contentApi.takedown, await app.call(contentApi.takedown, { ids: [row?.id ?? ''], reason: '已过期' }, as()))
  expect(await placeOf(single)).toBeUndefined()
  expect(await statesOf('获奖')).toEqual({ 7: 1 })
})

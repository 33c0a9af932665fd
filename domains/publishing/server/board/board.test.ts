import { randomUUID } from 'node:crypto'
import { dataOf, startTestApp, test_schools, upload } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { JdevTerminal } from '@apps/terminal'
import { deviceApi } from '@campus/devices/contract'
import { placeApi } from '@campus/places/contract'
import { classBoardApi, contentApi, countdownApi, playerApi, playRuleApi, templateApi, usual_zones } from '@campus/publishing/contract'
import type { ContentDraft } from '@campus/publishing/contract'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { moveTo } from '../testing/clock.ts'

const { a: school_id } = test_schools
const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==', 'base64')
const terminals: JdevTerminal[] = []
let app: TestApp
let me: TestUser
let campus: string
let port: number
let boards: Board[]

beforeAll(async () => {
  app = await startTestApp()
  port = await app.running.listenToDevices()
  me = await app.as({ school_id, codes: 'all', places: 'all' })
  campus = dataOf(placeApi.tree, await app.call(placeApi.tree, {}, as())).list[0]?.place_id ?? ''
  // Where devices stand is asked of the database's own clock: they are there before ours goes ahead of it.
  boards = await Promise.all(Array.from({ length: 7 }, makeBoard))
})
afterEach(() => Promise.all(terminals.splice(0).map(terminal => terminal.stop())))
afterAll(() => app.close())

const as = () => ({ token: me.token })

type Board = { device_id: string; terminal: JdevTerminal }
async function makeBoard(): Promise<Board> {
  const sn = `C${randomUUID().slice(0, 8)}`
  const { device, setup } = dataOf(
    deviceApi.create,
    await app.call(deviceApi.create, { device_sn: sn, device_name: sn, device_type: '03', model_code: 'JD-B32', place_id: campus }, as()),
  )
  return {
    device_id: device.device_id,
    terminal: new JdevTerminal({ url: `mqtt://127.0.0.1:${port}`, sn, secret: setup?.secret ?? '', model: 'JD-B32', http: app.url }),
  }
}
function aBoard(): Board {
  const board = boards.shift()
  if (!board) throw new Error('no board is left')
  terminals.push(board.terminal)
  return board
}

const text = (more: Partial<ContentDraft> = {}) => ({
  title: '欢迎新同学',
  source_kind: 7,
  text: '欢迎新同学',
  zone: 'media',
  targets: [{ target: 2, target_id: campus }],
  ...more,
})
async function shown(more: Partial<ContentDraft> = {}): Promise<string> {
  const { id } = dataOf(contentApi.add, await app.call(contentApi.add, text(more), as()))
  dataOf(contentApi.publish, await app.call(contentApi.publish, { ids: [id] }, as()))
  await moveTo(app, 1)
  return id
}
const contentOf = async (id: string) =>
  dataOf(contentApi.list, await app.call(contentApi.list, { page_size: 300 }, as())).list.find(row => row.id === id)
const deliveryOf = async (content_id: string, device_id: string) =>
  dataOf(contentApi.delivery, await app.call(contentApi.delivery, { id: content_id, page_size: 300 }, as())).list.find(
    row => row.device_id === device_id,
  )
const boardOf = async (device_id: string) =>
  dataOf(classBoardApi.list, await app.call(classBoardApi.list, { page_size: 300 }, as())).list.find(row => row.device_id === device_id)
const player = (credential: string) => ({ token: credential })

test('60-A23 content, plan, board: a picture comes to a terminal by its plan; it plays and has stopped when the board says so, and not before', async () => {
  const { device_id, terminal } = aBoard()
  const file_key = await upload(app, me, { purpose: 'resource', name: 'a.png', body: png })
  const id = await shown({ title: '校园照片', source_kind: 1, text: '', files: [{ file_key, name: '照片' }] })
  expect(await contentOf(id)).toMatchObject({ state: 1, playing: 0 })
  expect(await deliveryOf(id, device_id)).toMatchObject({ state: 1, online: false, bytes_done: 0 })
  await terminal.start()
  await expect.poll(async () => (await deliveryOf(id, device_id))?.state).toBe(4)
  expect(await boardOf(device_id)).toMatchObject({ plan_state: '1', now_title: '校园照片', playing: 1 })
  await terminal.stop()
  const told = dataOf(contentApi.takedown, await app.call(contentApi.takedown, { ids: [id], reason: '内容有误' }, as()))
  expect(told.offline + told.online).toBeGreaterThan(0)
  expect(await deliveryOf(id, device_id)).toMatchObject({ state: 7, stopped_at: null })
  await terminal.start()
  await expect.poll(async () => (await deliveryOf(id, device_id))?.state).toBe(9)
  const { rows } = await app.running.database.tenant(school_id, db =>
    sql<{
      n: number
    }>`select count(*)::int as n from publishing_receipt where school_id = ${school_id} and device_id = ${device_id} and row_key = ${`revoke:${id}`} and state = 'erased'`.execute(
      db,
    ),
  )
  expect(rows[0]?.n).toBeGreaterThan(0)
  expect((await app.call(contentApi.takedown, { ids: [id], reason: '再次' }, as())).body.msg).toBe('只能下架生效中的内容')
})

test('60-A28 a player page pairs once, asks with its own credential and is given nothing of other boards; its words, replayed and shuffled, give the same state', async () => {
  const [{ device_id }, other] = [aBoard(), aBoard()]
  const file_key = await upload(app, me, { purpose: 'resource', name: 'b.png', body: png })
  const id = await shown({ title: '只给一块', source_kind: 1, text: '', files: [{ file_key, name: '' }] })
  const { code } = dataOf(classBoardApi.pair, await app.call(classBoardApi.pair, { device_id }, as()))
  const { credential } = dataOf(playerApi.pair, await app.call(playerApi.pair, { enrol_code: code }))
  expect((await app.call(playerApi.pair, { enrol_code: code })).body.msg).toBe('配对码错误或已过期')
  const plan = dataOf(playerApi.plan, await app.call(playerApi.plan, {}, player(credential)))
  const sha256 = plan.files[0]?.sha256 ?? ''
  expect([
    (await app.call(playerApi.file, { sha256 }, player(credential))).status,
    (await app.call(playerApi.file, { sha256: '0'.repeat(64) }, player(credential))).status,
    (await app.call(playerApi.plan, {}, player('guess.0123456789012345678901'))).status,
  ]).toEqual([200, 404, 401])

  const said = (seq: number, row_key: string, state: 'accepted' | 'staged' | 'playing', hash = plan.plan_hash) => ({
    seq,
    at: app.clock.now().toISOString(),
    row_key,
    hash,
    state,
  })
  const words = [
    said(1, 'plan', 'accepted'),
    said(2, `file:${sha256}`, 'staged', sha256),
    said(3, 'plan', 'staged'),
    said(4, 'plan', 'playing'),
  ]
  for (const batch of [[words[3], words[0]], words, [words[1], words[0]]]) {
    expect(
      (
        await app.call(
          playerApi.receipts,
          {
            epoch: 'e1',
            words: batch.filter(word => word !== undefined),
            status: { plan_hash: plan.plan_hash, now_content_id: id, player_ver: '1' },
          },
          player(credential),
        )
      ).status,
    ).toBe(200)
  }
  expect([(await deliveryOf(id, device_id))?.state, (await deliveryOf(id, other.device_id))?.state]).toEqual([4, 1])
  expect(await boardOf(device_id)).toMatchObject({
    online: true,
    is_paired: true,
    now_title: '只给一块',
    playing_version: plan.plan_version,
  })

  const now = app.clock.now().getTime()
  const hour = new Date(now - (now % 3_600_000)).toISOString()
  const plays = [
    { hour, content_id: id, plays: 4, seconds: 600 },
    { hour, content_id: '999999999', plays: 9, seconds: 60 },
  ]
  for (const told of [plays, plays]) await app.call(playerApi.receipts, { epoch: 'e1', words: [], status: {}, plays: told }, player(credential))
  const day = new Date(now + 8 * 3_600_000).toISOString().slice(0, 10)
  const stat = dataOf(classBoardApi.playstat, await app.call(classBoardApi.playstat, { from: day, to: day }, as()))
  expect(stat.list).toMatchObject([{ group_name: '只给一块', plays: 4, minutes: 10, boards: 1 }])

  const next = dataOf(classBoardApi.pair, await app.call(classBoardApi.pair, { device_id }, as())).code
  const another = dataOf(classBoardApi.pair, await app.call(classBoardApi.pair, { device_id: other.device_id }, as())).code
  for (let tries = 0; tries < 5; tries += 1) await app.call(playerApi.pair, { enrol_code: `${next.slice(0, -4)}000${tries}` })
  expect((await app.call(playerApi.pair, { enrol_code: next })).status).toBe(422)
  // The guesses closed the code that they were about and no other.
  expect((await app.call(playerApi.pair, { enrol_code: another })).status).toBe(200)
  const guesses = await Promise.all(Array.from({ length: 24 }, (_, n) => app.call(playerApi.pair, { enrol_code: `${school_id}-GUESS${n}` })))
  expect(guesses.filter(guess => guess.status === 429).length).toBeGreaterThan(3)
  await app.call(contentApi.takedown, { ids: [id], reason: '结束' }, as())
})

test('60-A25 此刻此屏 says what a board shows and why; a rule that is stopped stops its contents; an urgent text is over everything until its end', async () => {
  const { device_id } = aBoard()
  const { id: rule_id } = dataOf(
    playRuleApi.add,
    await app.call(playRuleApi.add, { name: '晚间', day_kind: 1, dayparts: [{ from: '20:00', to: '21:00' }] }, as()),
  )
  const always = await shown({ title: '白天', priority: 3 })
  const evening = await shown({ title: '晚间节目', priority: 7, rule_id })
  const media = async (at: string) => {
    const { urgent, shown: zones } = dataOf(classBoardApi.preview, await app.call(classBoardApi.preview, { id: device_id, at }, as()))
    return urgent ?? zones.find(zone => zone.zone === 'media')
  }
  const today = new Date(app.clock.now().getTime() + 8 * 3_600_000).toISOString().slice(0, 10)
  const [noon, night] = [`${today}T12:00:00+08:00`, `${today}T20:30:00+08:00`]
  const tomorrow = (at: string) => new Date(Date.parse(at) + 86_400_000).toISOString()
  expect(await media(tomorrow(night))).toMatchObject({
    content_id: evening,
    why: '优先级7，播放规则“晚间”',
    waiting: [{ content_id: always, why: '优先级3低于正在播放的7' }],
  })
  expect(await media(tomorrow(noon))).toMatchObject({
    content_id: always,
    waiting: [{ content_id: evening, why: '不在播放规则“晚间”的时段内' }],
  })
  expect((await app.call(playRuleApi.remove, { id: rule_id }, as())).body.msg).toBe('播放规则正在被1条内容使用，不能删除')
  expect(dataOf(playRuleApi.enable, await app.call(playRuleApi.enable, { id: rule_id, enabled: false }, as())).stopped).toEqual([
    '晚间节目',
  ])
  expect(await media(tomorrow(night))).toMatchObject({ content_id: always })
  const { content_id } = dataOf(
    classBoardApi.urgent,
    await app.call(classBoardApi.urgent, { device_ids: [device_id], text: '台风停课，请留在教室', minutes: 30, reason: '台风' }, as()),
  )
  expect(await media(app.clock.now().toISOString())).toMatchObject({ content_id, why: '紧急插播' })
  expect(
    dataOf(classBoardApi.urgent_stop, await app.call(classBoardApi.urgent_stop, { device_ids: [device_id], reason: '解除' }, as())).stopped,
  ).toBe(1)
  expect(await media(app.clock.now().toISOString())).toMatchObject({ zone: 'media' })
  await app.call(contentApi.takedown, { ids: [always, evening], reason: '结束' }, as())
})

test('templates: zones that overlap are refused, one in use is not deleted, boards that change get a plan of it', async () => {
  const { device_id } = aBoard()
  const [first] = usual_zones[1]
  const draft = { name: '双屏', orientation: 1, zones: [...usual_zones[1]] }
  const wrong = await app.call(
    templateApi.add,
    {
      ...draft,
      zones: [...usual_zones[1], { ...(first ?? { title: '', module: 'title' as const, x: 0, y: 0, w: 1, h: 1, z: 0 }), zone: 'again' }],
    },
    as(),
  )
  expect([wrong.status, wrong.body.msg]).toEqual([422, '模板区域超出画布或相互遮挡：“班级名称”和“班级名称”相互遮挡'])
  const { id } = dataOf(templateApi.add, await app.call(templateApi.add, draft, as()))
  expect(dataOf(templateApi.change, await app.call(templateApi.change, { device_ids: [device_id], template_id: id }, as()))).toEqual({
    changed: 1,
  })
  expect(await boardOf(device_id)).toMatchObject({ template_name: '双屏', plan_state: '3' })
  const honour = async () =>
    dataOf(contentApi.zones, await app.call(contentApi.zones, { scope: 5, scope_id: device_id }, as())).list.find(one => one.zone === 'honour')
  const say = (scope: number, module: 'notice' | 'menu' | null, more: object = {}) =>
    app.call(contentApi.saveZone, { scope, zone: 'honour', module, ...more }, as())
  expect(await honour()).toMatchObject({ module: null, from: null })
  await say(1, 'notice')
  expect(await honour()).toMatchObject({ module: 'notice', from: '1', is_own: false })
  await say(5, 'menu', { scope_id: device_id })
  expect(await honour()).toMatchObject({ module: 'menu', from: '5', is_own: true })
  expect((await say(4, 'menu', { scope_id: '999999999' })).status).toBe(404)
  expect((await app.call(templateApi.remove, { id }, as())).body.msg).toBe('模板正在被1块班牌使用，不能删除')
  expect(
    dataOf(templateApi.change, await app.call(templateApi.change, { place_ids: [campus], template_id: null }, as())).changed,
  ).toBeGreaterThan(0)
  expect((await app.call(templateApi.remove, { id }, as())).status).toBe(200)
})

test('60-R39 a countdown is shown by itself, is refused for a day that is past, and ends by being taken off', async () => {
  const { device_id } = aBoard()
  const draft = { title: '高考', target_on: '2027-06-07', zone: 'countdown', targets: [{ target: 4 }] }
  expect((await app.call(countdownApi.add, { ...draft, target_on: '2020-01-01' }, as())).body.msg).toBe('目标日期不能早于今天')
  const { id } = dataOf(countdownApi.add, await app.call(countdownApi.add, draft, as()))
  await moveTo(app, 1)
  const [row] = dataOf(countdownApi.list, await app.call(countdownApi.list, {}, as())).list
  expect(row).toMatchObject({ id, title: '高考', state: '1', playing: 0, show_until: '2027-06-08' })
  expect(row?.boards).toBeGreaterThan(0)
  expect((await deliveryOf(row?.content_id ?? '', device_id))?.state).toBe(1)
  expect((await app.call(countdownApi.remove, { id }, as())).status).toBe(200)
  expect(dataOf(countdownApi.list, await app.call(countdownApi.list, {}, as())).list[0]?.state).toBe('3')
})

test('whoever sees only some places neither sees nor reaches other boards', async () => {
  const { device_id } = aBoard()
  const nobody = await app.as({
    school_id,
    codes: [
      'publishing.board.view',
      'publishing.board.urgent',
      'publishing.content.view',
      'publishing.content.edit',
      'publishing.content.publish',
    ],
  })
  const by = { token: nobody.token }
  expect(dataOf(classBoardApi.list, await app.call(classBoardApi.list, {}, by)).total).toBe(0)
  expect([
    (await app.call(classBoardApi.urgent, { device_ids: [device_id], text: '不能', minutes: 5, reason: '试' }, by)).status,
    (await app.call(classBoardApi.preview, { id: device_id, at: app.clock.now().toISOString() }, by)).status,
  ]).toEqual([404, 404])
  const refused = await app.call(contentApi.add, text(), by)
  expect([refused.status, refused.body.msg]).toEqual([422, '播放位置包含您无权管理的班牌，请只选择您负责的场所'])
})

import { dataOf, openLive, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { AiBox } from '@apps/terminal'
import { aiRecordApi, aiRuleApi, cameraApi, deviceApi, syncApi } from '@campus/devices/contract'
import { inboxApi } from '@campus/messages/contract'
import { EventItem, schoolMoment } from '@kit/terminal-protocol'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { storeEvents } from '../event/store.ts'
import { ai_codes, aSeeingRoom } from '../testing/seeing.ts'

const school_id = test_schools.a
const fight = '4'
let app: TestApp
let me: TestUser
let port: number
let made = 0
const rooms: Awaited<ReturnType<typeof aSeeingRoom>>[] = []

beforeAll(async () => {
  app = await startTestApp()
  port = await app.running.listenToDevices()
  me = await app.as({ school_id, codes: [...ai_codes, 'devices.sync.view', 'devices.sync.edit'], places: 'all' })
})
afterEach(() => Promise.all(rooms.splice(0).map(({ box }) => box.stop())))
afterAll(() => app.close())

async function room(algorithms?: readonly string[]) {
  made += 1
  const opened = await aSeeingRoom(app, me, { n: made, port, ...(algorithms ? { algorithms } : {}) })
  rooms.push(opened)
  return opened
}

const today = () => new Date(app.clock.now().getTime() + 8 * 3_600_000).toISOString().slice(0, 10)
const from = () => new Date(app.clock.now().getTime() + 8 * 3_600_000 - 86_400_000).toISOString().slice(0, 10)
const listed = async (place_id: string, who = me) => dataOf(aiRecordApi.page, await app.call(aiRecordApi.page, { from: from(), to: today(), place_id }, { token: who.token }))
const select = <R>(query: ReturnType<typeof sql<R>>) => app.running.database.tenant<unknown, R[]>(school_id, async db => (await query.execute(db)).rows)

describe('what a box sees', () => {
  test('30-A24 300 box messages of one fight within two minutes are one warning with 300 hits and five pictures, also when they come twice', async () => {
    const { box, box_id, camera, place_id, rule } = await room()
    dataOf(aiRuleApi.save, await rule())
    const begin = app.clock.now().getTime() - 600_000
    for (let n = 0; n < 300; n += 1) box.see({ kind: fight, camera, at: new Date(begin + n * 390).toISOString(), score: n === 120 ? 99 : 50 })
    const said = box.store.oldest(300).map(item => EventItem.parse(item))
    await expect.poll(() => box.store.waiting, { timeout: 20_000 }).toBe(0)
    await expect.poll(async () => (await listed(place_id)).list.map(({ hits, images }) => [hits, images.filter(image => image.url !== null).length]), { timeout: 20_000 }).toEqual([[300, 5]])
    const [warning] = (await listed(place_id)).list
    expect([warning?.warn_kind, warning?.state, Date.parse(warning?.end_at ?? '') - Date.parse(warning?.begin_at ?? '')]).toEqual([fight, '0', 299 * 390])
    expect(warning?.images.map(image => image.score)).toContain(99)
    const { running, clock } = app
    await running.database.tenant<unknown, unknown>(school_id, db => storeEvents({ app: running.app, db: db.withTables(), school_id, device_id: box_id, now: clock.now() }, { epoch: box.store.epoch, items: said, skew_ms: 0 }))
    expect((await listed(place_id)).list.map(({ hits }) => hits)).toEqual([300])
    const picture = await fetch(new URL(warning?.images[0]?.url ?? '', app.url))
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png'])
  })

  test('30-A25 in a private zone is dropped and counted, and no picture of it ever leaves the box', async () => {
    const { box, box_id, camera, place_id, rule } = await room()
    dataOf(aiRuleApi.save, await rule())
    await select(sql`update place set private_zone = true where school_id = ${school_id} and place_id = ${place_id}`)
    box.see({ kind: fight, camera, person_ref: '4711' })
    await expect.poll(() => box.store.waiting).toBe(0)
    expect((await listed(place_id)).total).toBe(0)
    expect(await select(sql`select dropped, image_ref, warning_id from ai_hit where school_id = ${school_id} and device_id = ${box_id}`)).toEqual([{ dropped: 'private_zone', image_ref: null, warning_id: null }])
    expect(box.sent).toBe(0)
    const boxes = dataOf(aiRuleApi.boxes, await app.call(aiRuleApi.boxes, {}, { token: me.token })).list
    expect(boxes.find(one => one.device_id === box_id)).toMatchObject({ dropped_today: 1, hits_today: 0 })
    const again = await rule({ rule_name: '私密区域规则' })
    expect([again.status, again.body.msg]).toEqual([422, expect.stringMatching(/没有可用的设备|不在私密区域/u)])
  })

  test('without a rule in force, or through a camera that feeds another box, is counted and forgotten', async () => {
    const { box, box_id, camera, place_id, rule } = await room()
    const other = await room()
    dataOf(aiRuleApi.save, await rule({ enabled: false }))
    dataOf(aiRuleApi.save, await other.rule())
    box.see({ kind: fight, camera })
    box.see({ kind: fight, camera: other.camera })
    await expect.poll(() => box.store.waiting).toBe(0)
    expect(await select(sql`select dropped from ai_hit where school_id = ${school_id} and device_id = ${box_id} order by dropped`)).toEqual([{ dropped: 'camera' }, { dropped: 'rule' }])
    expect([(await listed(place_id)).total, (await listed(other.place_id)).total]).toEqual([0, 0])
  })

  test('is told at once to who watches the place, and to who holds the role that the rule names', async () => {
    const { box, camera, place_id, rule } = await room()
    const guard = await app.as({ school_id, codes: ['devices.ai.view'], places: [place_id] })
    dataOf(aiRuleApi.save, await rule({ notify_role_ids: [guard.role_id] }))
    const live = await openLive(app.url, guard.token, [`ai:${place_id}`])
    const seenAgain = () => {
      box.see({ kind: fight, camera })
      return live.rows(`ai:${place_id}`).length
    }
    await expect.poll(seenAgain, { interval: 500 }).toBeGreaterThan(0)
    await live.close()
    const titles = async () => dataOf(inboxApi.list, await app.call(inboxApi.list, {}, { token: guard.token })).list.map(line => line.title)
    await expect.poll(titles).toEqual([`打架斗殴：摄像机${made}`])
  })

  test('in a place out of sight can be neither read nor watched nor decided', async () => {
    const { box, camera, place_id, rule } = await room()
    const other = await room()
    dataOf(aiRuleApi.save, await rule())
    box.see({ kind: fight, camera })
    await expect.poll(async () => (await listed(place_id)).total).toBe(1)
    const [warning] = (await listed(place_id)).list
    const near = await app.as({ school_id, codes: ai_codes, places: [other.place_id] })
    expect((await app.call(aiRecordApi.page, { from: today(), to: today(), place_id }, { token: near.token })).status).toBe(404)
    expect(dataOf(aiRecordApi.page, await app.call(aiRecordApi.page, { from: from(), to: today() }, { token: near.token })).list.filter(one => one.place_id === place_id)).toEqual([])
    expect((await app.call(aiRecordApi.ignore, { ids: [warning?.warning_id ?? ''], seen_state: '0' }, { token: near.token })).status).toBe(404)
    await expect(openLive(app.url, near.token, [`ai:${place_id}`])).rejects.toThrow('watch answered')
  })
})

describe('a rule at its box', () => {
  const boxesOf = async (rule_id: string) => dataOf(aiRuleApi.page, await app.call(aiRuleApi.page, { page_size: '100' }, { token: me.token })).list.find(rule => rule.rule_id === rule_id)?.boxes.map(({ box_name, state, sentence }) => `${box_name} ${state} ${sentence}`) ?? []
  const fighting = (camera: string, at: Date) => ({ kind: fight, camera, x: 0.5, y: 0.5, score: 95, lasts_s: 12, at })
  const ago = (box: AiBox, seconds: number) => new Date(box.now.getTime() - seconds * 1000)
  const day_s = 86_400

  test('is held and read back, comes again after a wipe, and what goes against it is a warning: not at another time, and not when the camera or the rule is gone', async () => {
    const { box, box_id, camera, camera_id, place_id, rule } = await room()
    const weekdays = Array.from({ length: 7 }, (_, day) => day + 1 === schoolMoment(box.now).weekday)
    const { rule: saved } = dataOf(aiRuleApi.save, await rule({ windows: [{ weekdays, begin: '00:00', end: '24:00' }], sensitivity: 70, dwell_sec: 2, cameras: [{ camera_device_id: camera_id, roi: [{ x: 0.2, y: 0.2 }, { x: 0.8, y: 0.2 }, { x: 0.5, y: 0.9 }] }] }))
    await expect.poll(() => box.rules).toMatchObject([{ rule_id: saved.rule_id, warn_kind: fight, cameras: [{ sn: camera }], sensitivity: 70, dwell_sec: 2 }])
    await expect.poll(() => boxesOf(saved.rule_id)).toEqual([expect.stringMatching(/^盒子\d+ applied .*由设备确认生效$/u)])
    dataOf(syncApi.resync, await app.call(syncApi.resync, { id: box_id, mode: 'verify' }, { token: me.token }))
    await expect.poll(() => boxesOf(saved.rule_id)).toEqual([expect.stringMatching(/ proven .*回读核对一致$/u)])
    const rows = dataOf(syncApi.state_rows, await app.call(syncApi.state_rows, { id: box_id, kind: 'rule' }, { token: me.token })).list
    expect(rows.map(row => row.rule_name)).toEqual([saved.rule_name])
    await box.restart('wipe')
    await expect.poll(() => box.rules.length).toBe(1)

    expect(box.watch(fighting(camera, ago(box, 12))).warned).toEqual([saved.rule_id])
    await expect.poll(async () => (await listed(place_id)).list.map(({ rule_id, warn_kind, hits }) => [rule_id, warn_kind, hits])).toEqual([[saved.rule_id, fight, 3]])
    expect(box.watch({ ...fighting(camera, ago(box, 12)), x: 0.95 }).silent).toEqual([{ rule_id: saved.rule_id, why: 'area' }])
    expect(box.watch(fighting(camera, ago(box, day_s))).silent).toEqual([{ rule_id: saved.rule_id, why: 'time' }])
    box.see({ kind: fight, camera, at: ago(box, day_s).toISOString() })
    await expect.poll(() => box.store.waiting).toBe(0)

    const bound = { camera_id, box_id }
    dataOf(cameraApi.unbind, await app.call(cameraApi.unbind, bound, { token: me.token }))
    await expect.poll(() => box.rules).toEqual([])
    await expect.poll(() => boxesOf(saved.rule_id)).toEqual([])
    dataOf(cameraApi.bind, await app.call(cameraApi.bind, bound, { token: me.token }))
    await expect.poll(() => box.rules.length).toBe(1)
    dataOf(aiRuleApi.delete, await app.call(aiRuleApi.delete, { rule_id: saved.rule_id, row_version: saved.row_version }, { token: me.token }))
    await expect.poll(() => box.rules).toEqual([])
    expect(box.watch(fighting(camera, ago(box, 12)))).toMatchObject({ warned: [], silent: [] })
    box.see({ kind: fight, camera })
    await expect.poll(() => box.store.waiting).toBe(0)
    expect((await listed(place_id)).list.map(({ hits }) => hits)).toEqual([3])
  })

  test('of whose kind the model is said to know no more is taken off its box before it counts as kept away, and comes back with the kind', async () => {
    const { box, box_id, rule } = await room()
    const { rule: saved } = dataOf(aiRuleApi.save, await rule())
    await expect.poll(() => box.rules.length).toBe(1)
    const derivedAgain = async () => dataOf(syncApi.resync, await app.call(syncApi.resync, { id: box_id, mode: 'diff' }, { token: me.token }))
    const knows = (algorithms: string) => app.running.database.owner_exec(`update device_model set capabilities = jsonb_set(capabilities, '{algorithms}', ${algorithms}) where model_code = 'JD-A6'`)
    await knows(`(capabilities -> 'algorithms') - '${fight}'`)
    await derivedAgain()
    await expect.poll(() => box.rules).toEqual([])
    await expect.poll(() => boxesOf(saved.rule_id)).toEqual([expect.stringContaining(' blocked ')])
    await knows(`(capabilities -> 'algorithms') || '["${fight}"]'`)
    await derivedAgain()
    await expect.poll(() => box.rules.map(one => one.rule_id)).toEqual([saved.rule_id])
  })

  test('that the box cannot do is refused with a sentence and not followed until its licence comes; another box in its place takes it', async () => {
    const { box, box_id, camera, place_id, rule } = await room(['1', '7'])
    const { rule: saved } = dataOf(aiRuleApi.save, await rule())
    await expect.poll(() => boxesOf(saved.rule_id)).toEqual([expect.stringContaining(' refused 被设备拒绝：盒子没有此类识别的算法授权')])
    expect([box.rules, box.watch(fighting(camera, ago(box, 12))).warned]).toEqual([[], []])
    box.license(['1', '4'])
    await expect.poll(() => box.rules.map(one => one.rule_id)).toEqual([saved.rule_id])
    await expect.poll(() => boxesOf(saved.rule_id)).toEqual([expect.stringContaining(' applied ')])
    const { device } = dataOf(deviceApi.detail, await app.call(deviceApi.detail, { id: box_id }, { token: me.token }))
    const { setup } = dataOf(deviceApi.replace, await app.call(deviceApi.replace, { device_id: box_id, device_sn: `${box.sn}-2`, row_version: device.row_version, reason: '算法授权到期', is_lost: false }, { token: me.token }))
    expect(await boxesOf(saved.rule_id)).toEqual([expect.stringContaining(' pending 盒子还没有连接过')])
    const next = new AiBox({ url: `mqtt://127.0.0.1:${port}`, address: app.url, sn: `${box.sn}-2`, secret: setup?.secret ?? '' })
    await next.start()
    await expect.poll(() => next.rules.map(one => one.rule_id)).toEqual([saved.rule_id])
    next.watch(fighting(camera, ago(next, 12)))
    await expect.poll(async () => (await listed(place_id)).list.map(one => one.rule_id)).toEqual([saved.rule_id])
    await next.stop()
  })
})

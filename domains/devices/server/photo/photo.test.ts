import { createHash, randomUUID } from 'node:crypto'
import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { JdevTerminal, Vf105Terminal } from '@apps/terminal'
import { deviceApi, erasureApi, syncApi } from '@campus/devices/contract'
import { keepMade } from '@campus/files/server'
import { placeApi } from '@campus/places/contract'
import { drawJpeg, fitJpeg } from '@kit/server/image'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Db } from '../db.ts'
import { devicesErase } from '../person.follow.ts'
import { declareCredentials, declareGrants, declareSubjects, revoke } from '../sync/declare.ts'
import type { Declarer } from '../sync/declare.ts'

const school_id = test_schools.a
const day_ms = 86_400_000
const terminals: (JdevTerminal | Vf105Terminal)[] = []
let app: TestApp
let me: TestUser
let port: number
let http: string
let campus: string
let made = 0

beforeAll(async () => {
  app = await startTestApp()
  port = await app.running.listenToDevices()
  http = app.url
  me = await app.as({ school_id, codes: ['places.place.view', 'places.place.edit', 'devices.device.view', 'devices.device.edit', 'devices.sync.view', 'devices.sync.edit', 'devices.sync.confirm'], places: 'all' })
  campus = dataOf(placeApi.tree, await app.call(placeApi.tree, {}, { token: me.token })).list[0]?.place_id ?? ''
})
afterEach(() => Promise.all(terminals.splice(0).map(terminal => terminal.stop())))
afterAll(() => app.close())

/** A gate with a terminal of both drivers. */
async function aGate() {
  made += 1
  const { place } = dataOf(placeApi.create, await app.call(placeApi.create, { superior_id: campus, place_name: `门${made}`, place_kind: 9 }, { token: me.token }))
  const create = async (device_sn: string, model_code: string) => {
    const { device, setup } = dataOf(deviceApi.create, await app.call(deviceApi.create, { device_sn, device_name: device_sn, device_type: '01', model_code, place_id: place.place_id }, { token: me.token }))
    return { device_id: device.device_id, options: { url: `mqtt://127.0.0.1:${port}`, http, sn: device_sn, secret: setup?.secret ?? '' } }
  }
  const [own, other] = [await create(`J${made}`, 'JD-F10'), await create(`V${made}`, 'VF105')]
  const [jdev, vf105] = [new JdevTerminal(own.options), new Vf105Terminal(other.options)]
  terminals.push(jdev, vf105)
  await Promise.all([jdev.start(), vf105.start()])
  return { jdev, vf105, device_ids: [own.device_id, other.device_id], place_id: place.place_id }
}

const tenant = <R>(work: (db: Db) => Promise<R>) => app.running.database.tenant(school_id, work)
const declare = (work: (by: Declarer) => Promise<void>) => tenant(db => work({ app: app.running.app, db, school_id, now: app.clock.now() }))
const facesOf = (terminal: JdevTerminal) => [...terminal.store.held('credential').values()].flatMap(row => (row.body?.kind === 'face' ? [row.body.sha256] : []))
const keysOf = (terminal: Vf105Terminal) => [...terminal.store.keys.values()].filter(key => key.type === '300')

const bound = { landscape: 720, portrait: 1280, most_bytes: 400 * 1024 }
const dot = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==', 'base64')

/** A drawn face, another one each time. */
async function picture(width: number, height: number): Promise<Buffer> {
  return (await drawJpeg(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><ellipse cx="50%" cy="50%" rx="40%" ry="45%" fill="#${randomUUID().slice(0, 6)}"/></svg>`)).bytes
}

/** A file of the store, as faces has it. */
async function aFile(bytes: Buffer, ext: 'jpg' | 'png') {
  const { app: running, database } = app.running
  const [now, file_key] = [app.clock.now(), `${school_id}/0/20260901/${randomUUID()}.${ext}`]
  const enter = await keepMade({ app: running, now, own: (of, work) => database.tenant(of, work) }, school_id, '0', { file_key, purpose: 'face', bytes })
  await tenant(db => enter({ app: running, db, school_id, now }, { ref_kind: 'test.face', ref_id: file_key }))
  return { file_key, sha256: createHash('sha256').update(bytes).digest('hex') }
}

/** Somebody with a face who may pass a gate. */
async function admit(user_id: string, place_id: string, file: { file_key: string; sha256: string }): Promise<void> {
  const to = new Date(Math.floor(app.clock.now().getTime() / day_ms) * day_ms + 90 * day_ms)
  await declare(async by => {
    await declareSubjects(by, [{ user_id, person_kind: 1, user_no: `N${user_id}`, user_name: `学生${user_id}`, dept_name: null, live: true }])
    await declareCredentials(by, [{ user_id, cred_kind: 'face', file, usable: true, source: 'faces', source_ref: user_id, version: 1 }])
    await declareGrants(by, [{ user_id, place_id, direction: 3, windows: [{ from: new Date(0).toISOString(), to: to.toISOString() }], source: 'access', source_ref: `${user_id} ${place_id}`, version: 1, expires_at: to }])
  })
}

const faceRows = async (device_id: string) => dataOf(syncApi.state_rows, await app.call(syncApi.state_rows, { id: device_id, kind: 'credential' }, { token: me.token })).list.map(row => [row.row_key, row.state, row.sentence])

describe('a face', () => {
  test('goes to every terminal as a picture it takes: fetched once under its own address, or alone in its command', async () => {
    const { jdev, vf105, device_ids, place_id } = await aGate()
    await admit('8001', place_id, await aFile(await picture(400, 1400), 'jpg'))
    await admit('8002', place_id, await aFile(dot, 'png'))
    await expect.poll(() => [facesOf(jdev).length, keysOf(vf105).length]).toEqual([2, 2])
    for (const id of device_ids) await expect.poll(async () => (await faceRows(id)).map(row => row[1])).toEqual(['applied', 'applied'])
    const sent = vf105.device.trace.flatMap(({ action, data }) => (action === 'insertKey' && Array.isArray(data) ? [data.length] : []))
    expect(sent).toEqual([1, 1])
    const [large] = keysOf(vf105).filter(key => key.userId === '8001').map(key => Buffer.from(key.code, 'base64'))
    expect(await fitJpeg(large ?? dot, bound)).toMatchObject({ bytes: large, height: 1280 })
    expect(facesOf(jdev)).toContain(createHash('sha256').update(large ?? '').digest('hex'))
    const [address = ''] = jdev.trace.flatMap(message => message.rows.flatMap(row => row.blob?.url ?? []))
    const unsigned = address.replace(/s=.*$/u, 's=none')
    for (const one of [address, unsigned]) expect((await fetch(new URL(one, http))).status).toBe(404)
  })

  test('that is no picture, or whose file is gone, goes nowhere and says why', async () => {
    const { jdev, device_ids: [device_id = ''], place_id } = await aGate()
    const broken = await picture(300, 400)
    await admit('8003', place_id, await aFile(Buffer.concat([broken.subarray(0, 20), Buffer.alloc(400)]), 'jpg'))
    await admit('8004', place_id, { file_key: `${school_id}/0/20260901/none.jpg`, sha256: '0'.repeat(64) })
    await expect.poll(() => faceRows(device_id)).toEqual([['f8003', 'blocked', '没有下发：人脸照片不是JPG格式'], ['f8004', 'blocked', '没有下发：找不到人脸照片的原图']])
    expect(facesOf(jdev)).toEqual([])
  })

  test('that is taken back leaves every terminal, and the picture that was made of it goes at once', async () => {
    const { jdev, vf105, place_id } = await aGate()
    const file = await aFile(await picture(400, 1400), 'jpg')
    await admit('8005', place_id, file)
    await expect.poll(() => [facesOf(jdev).length, keysOf(vf105).length]).toEqual([1, 1])
    const photo = () => tenant(async db => (await sql<{ made_key: string; state: number }>`select p.made_key, f.state from device_photo p join file_object f on f.school_id = p.school_id and f.file_key = p.made_key where p.school_id = ${school_id} and p.sha256 = ${file.sha256}`.execute(db)).rows)
    const [made_of] = await photo()
    await declare(by => revoke(by, 'faces', ['8005']))
    await expect.poll(() => [facesOf(jdev).length, keysOf(vf105).length]).toEqual([0, 0])
    await expect.poll(photo).toEqual([])
    const stored = () => tenant(async db => (await sql<{ state: number }>`select state from file_object where school_id = ${school_id} and file_key = ${made_of?.made_key ?? ''}`.execute(db)).rows.map(row => row.state > 3))
    await expect.poll(stored).toEqual([true])
  })

  test('30 §10.5 that was taken back is certified by each terminal that ever held it: kept, let go, proven gone; for a reason that is written down', async () => {
    const { jdev, vf105, device_ids: [own = '', other = ''], place_id } = await aGate()
    await admit('8006', place_id, await aFile(await picture(400, 1400), 'jpg'))
    await expect.poll(() => [facesOf(jdev).length, keysOf(vf105).length]).toEqual([1, 1])
    const issue = (reason: string) => app.call(erasureApi.issue, { user_no: 'N8006', reason }, { token: me.token })
    const states = async () => {
      const { lines, open } = dataOf(erasureApi.issue, await issue('家长撤回同意'))
      return [...lines.map(line => line.state), open]
    }
    await expect.poll(states).toEqual(['held', 'held', 2])
    await vf105.stop()
    await declare(by => revoke(by, 'faces', ['8006']))
    await expect.poll(() => facesOf(jdev).length).toBe(0)
    await expect.poll(states).toEqual(['acked', 'open', 2])
    await app.call(syncApi.resync, { id: own, mode: 'verify' }, { token: me.token })
    await expect.poll(states).toEqual(['proven', 'open', 1])
    const { device } = dataOf(deviceApi.detail, await app.call(deviceApi.detail, { id: other }, { token: me.token }))
    expect((await app.call(deviceApi.retire, { device_id: other, row_version: device.row_version, reason: '被盗', is_lost: true }, { token: me.token })).status).toBe(200)
    expect(await states()).toEqual(['proven', 'lost', 1])
    const held = await tenant(db => sql<{ device_id: string; closed_by: string | null }>`select device_id::text, closed_by from device_held_v where school_id = ${school_id} and user_id = 8006 order by closed_by desc`.execute(db))
    expect(held.rows).toEqual([{ device_id: own, closed_by: 'proof' }, { device_id: other, closed_by: 'lost_device' }])
    expect([(await issue(' ')).status, (await app.call(erasureApi.issue, { user_no: '没有', reason: '核对' }, { token: me.token })).status]).toEqual([400, 404])
    const { rows } = await tenant(db => sql<{ reason: string; target_id: string }>`select reason, target_id from operation_log where school_id = ${school_id} and call = 'devices.erasure.issue' order by log_id desc limit 1`.execute(db))
    expect(rows).toEqual([{ reason: '家长撤回同意', target_id: '8006' }])
    // Erased, his certificate is asked for by his number all the same: nothing else of him is known, and that stands nowhere in clear.
    const before = dataOf(erasureApi.issue, await issue('家长撤回同意'))
    for (let times = 0; times < 2; times += 1) await tenant(db => devicesErase.erase({ db, app: app.running.app, school_id, now: app.clock.now(), user_id: '8006', batch_no: 'D1' }))
    const after = dataOf(erasureApi.issue, await issue('家长撤回同意'))
    expect([after.person, after.lines, after.open]).toEqual([{ user_no: 'N8006', user_name: '人员已删除', dept_name: null }, before.lines, before.open])
    expect((await tenant(db => sql`select from erased_subject e where strpos(e::text, 'N8006') > 0`.execute(db))).rows).toEqual([])
  })
})

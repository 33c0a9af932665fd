import { connectDevice, dataOf, openLive, startTestApp, test_schools } from '@apps/server/testing'
import type { Answer, DeviceClient, TestApp, TestUser } from '@apps/server/testing'
import { cameraApi, commandApi, deviceApi, passwordApi, ruleApi, syncApi } from '@campus/devices/contract'
import type { Device, DeviceSetup } from '@campus/devices/contract'
import { placeApi } from '@campus/places/contract'
import type { Request } from '@kit/contract'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { adopt } from './adopt.ts'
import { tellTaken } from './notice.ts'

const { a: school_id, b: other_school } = test_schools
const codes = ['places.place.view', 'places.place.edit', 'devices.device.view', 'devices.device.edit']
const clients: DeviceClient[] = []
let app: TestApp
let me: TestUser
let port: number
let campus: string
let made = 0

beforeAll(async () => {
  app = await startTestApp({ settings: { CAMPUS_VF105_QR_KEY: 'key-of-the-firmware' } })
  port = await app.running.listenToDevices()
  me = await app.as({ school_id, codes, places: 'all' })
  campus = dataOf(placeApi.tree, await app.call(placeApi.tree, {}, as())).list[0]?.place_id ?? ''
})
afterEach(() => Promise.all(clients.splice(0).map(client => client.close())))
afterAll(() => app.close())

const as = (who: TestUser = me) => ({ token: who.token })
const refusal = ({ status, body }: Answer) => [status, body.error_id]
const draft = (more: Partial<Request<typeof deviceApi.create>> = {}): Request<typeof deviceApi.create> => {
  made += 1
  return { device_sn: `T${made}`, device_name: `终端${made}`, device_type: '01', model_code: 'JD-F10', place_id: campus, ...more }
}
const create = (more: Partial<Request<typeof deviceApi.create>> = {}, who: TestUser = me) => app.call(deviceApi.create, draft(more), as(who))
async function aDevice(more: Partial<Request<typeof deviceApi.create>> = {}): Promise<{ device: Device; setup: DeviceSetup }> {
  const { device, setup } = dataOf(deviceApi.create, await create(more))
  if (!setup) throw new Error('a device that connects by itself is told its secret')
  return { device, setup }
}
const detail = async (id: string) => dataOf(deviceApi.detail, await app.call(deviceApi.detail, { id }, as()))
const stateOf = async (id: string) => (await detail(id)).device.device_state
const room = async (place_name: string, place_kind = 4) => dataOf(placeApi.create, await app.call(placeApi.create, { superior_id: campus, place_name, place_kind }, as())).place

/** The device connects and says who it is. */
async function comes(sn: string, secret: string, epoch?: string): Promise<DeviceClient> {
  const client = await connectDevice(port, { sn, secret, ...(epoch ? { epoch } : {}) })
  clients.push(client)
  await client.say('up/hello', 'hello', { sn, model: 'JD-F10', store_id: 'store', firmware: '2.1.0', app_version: '1.4.0' })
  return client
}

describe('a device becomes online by itself alone', () => {
  test('30-A1 a new device is 未激活; its own session makes it 在线, its end 离线', async () => {
    const { device, setup } = await aDevice()
    expect([device.device_state, device.lifecycle, device.last_seen_at]).toEqual(['5', 'pending', null])
    const client = await comes(device.device_sn, setup.secret)
    await expect.poll(() => stateOf(device.device_id)).toBe('1')
    const { device: here, links } = await detail(device.device_id)
    expect([here.lifecycle, here.firmware_version, links[0]?.kind, links[0]?.client_ip]).toEqual(['active', '2.1.0', 'online', '127.0.0.1'])
    await client.close()
    await expect.poll(() => stateOf(device.device_id)).toBe('0')
    expect((await detail(device.device_id)).links.map(link => link.kind)).toEqual(['offline', 'online'])
  })

  test('without a hello, under another serial number or with a wrong secret nothing is online; the refusal is written down', async () => {
    const { device, setup } = await aDevice()
    await expect(connectDevice(port, { sn: device.device_sn, secret: 'wrong' })).rejects.toThrow('refused')
    await expect(connectDevice(port, { sn: device.device_sn, username: 'other', secret: setup.secret })).rejects.toThrow('refused')
    const client = await connectDevice(port, { sn: device.device_sn, secret: setup.secret })
    clients.push(client)
    await client.say('up/hello', 'hello', { sn: 'another', model: 'JD-F10', store_id: 'store' })
    await client.say('up/state', 'state', {})
    await expect.poll(async () => (await detail(device.device_id)).links.map(link => link.kind)).toEqual(['refused'])
    expect(await stateOf(device.device_id)).toBe('5')
  })

  test('a second session with the right secret takes over, one with a wrong secret changes nothing', async () => {
    const { device, setup } = await aDevice()
    const first = await comes(device.device_sn, setup.secret)
    await expect.poll(() => stateOf(device.device_id)).toBe('1')
    await expect(connectDevice(port, { sn: device.device_sn, secret: 'wrong' })).rejects.toThrow('refused')
    expect(first.mqtt.connected).toBe(true)
    await comes(device.device_sn, setup.secret)
    await expect.poll(() => first.mqtt.connected).toBe(false)
    await expect.poll(async () => (await detail(device.device_id)).links.map(link => link.kind)).toContain('kicked')
    expect(await stateOf(device.device_id)).toBe('1')
  })
})

test('31-A25 a model of a third family of hardware is told with its driver and its limits, like every other one', async () => {
  await app.running.database.tenant<unknown, unknown>(school_id, db => sql`
    insert into device_model (model_code, model_name, device_type, driver, capabilities, limits, limits_source, firmware_kinds)
    values ('STUB-1', '第三种门禁机', '01', 'stub', '{"readback": "pages"}', '{"rows_per_command": 10, "photo_max_bytes": 65536}', 'assumed', '{}')`.execute(db))
  const { list } = dataOf(deviceApi.models, await app.call(deviceApi.models, {}, { token: me.token }))
  expect(list.find(one => one.model_code === 'STUB-1')).toMatchObject({ driver: 'stub', limits: { rows_per_command: 10, photo_max_bytes: 65_536 }, limits_source: 'assumed' })
})

test('a device that has come to another server is not here any more, and still 在线', async () => {
  const { device, setup } = await aDevice()
  const client = await comes(device.device_sn, setup.secret)
  await expect.poll(() => stateOf(device.device_id)).toBe('1')
  await app.running.database.tenant(school_id, db => tellTaken({ db, school_id }, device.device_sn, 'another server'))
  await expect.poll(() => client.mqtt.connected).toBe(false)
  expect([await stateOf(device.device_id), (await detail(device.device_id)).links.map(link => link.kind)]).toEqual(['1', ['online']])
})

describe('31-A1 nobody hears or says what is another device’s', () => {
  test.each(['jdev/#', 'jdev/+/down/#', '#', '$SYS/#', 'jdev/other/down/sync', '$share/g/jdev/x/down/#'])('subscribing to %s is refused', async filter => {
    const { device, setup } = await aDevice()
    const client = await comes(device.device_sn, setup.secret)
    await expect(client.mqtt.subscribeAsync(filter, { qos: 1 })).rejects.toThrow('Subscribe error')
    expect(client.mqtt.connected).toBe(true)
  })

  test('a message under a foreign id changes nothing there, and the third in a minute ends the session', async () => {
    const [mine, theirs] = [await aDevice(), await aDevice()]
    const client = await comes(mine.device.device_sn, mine.setup.secret)
    await expect.poll(() => stateOf(mine.device.device_id)).toBe('1')
    const hello = JSON.stringify({ v: 1, id: 'x', seq: 1, epoch: 'e', ts: new Date().toISOString(), type: 'hello', body: { sn: theirs.device.device_sn } })
    for (let n = 0; n < 3; n += 1) client.mqtt.publish(`jdev/${theirs.device.device_sn}/up/hello`, hello, { qos: 1 })
    await expect.poll(() => client.mqtt.connected).toBe(false)
    expect(await stateOf(theirs.device.device_id)).toBe('5')
  })
})

describe('a device that hangs below another one', () => {
  const below = (id: string, row_version: number, parent_device_id: string | null) => app.call(deviceApi.update, { id, row_version, parent_device_id }, as())

  test('30 §1.2 is given to one that speaks for others and hangs below nothing itself, and may be taken from it', async () => {
    const { device: box } = await aDevice({ device_type: '15', model_code: 'JD-A6' })
    const { device: terminal } = await aDevice()
    const { device: gate } = dataOf(deviceApi.create, await create({ device_type: '02', model_code: 'GATE-T1', parent_device_id: box.device_id }))
    expect([gate.parent_device_id, gate.parent_name]).toEqual([box.device_id, box.device_name])
    expect(refusal(await create({ device_type: '02', model_code: 'GATE-T1', parent_device_id: terminal.device_id }))).toEqual([422, 'devices.deviceParent'])
    const { device: other_box } = await aDevice({ device_type: '15', model_code: 'JD-A6' })
    expect(refusal(await below(box.device_id, box.row_version, other_box.device_id))).toEqual([422, 'devices.deviceHasChildren'])
    expect(refusal(await below(box.device_id, box.row_version, box.device_id))).toEqual([422, 'devices.deviceParent'])
    const { list } = dataOf(deviceApi.list, await app.call(deviceApi.list, { can_parent: '1', page_size: '100' }, as()))
    expect([box, other_box, terminal, gate].map(one => list.some(row => row.device_id === one.device_id))).toEqual([true, true, false, false])
    expect(dataOf(deviceApi.update, await below(gate.device_id, gate.row_version, null)).device.parent_device_id).toBe(null)
  })
})

describe('the registry', () => {
  test('30-A19 serial number and name are taken once; a client id belongs to one school and is registered by no other', async () => {
    const { device } = await aDevice()
    expect(refusal(await create({ device_sn: device.device_sn }))).toEqual([409, 'devices.deviceSnTaken'])
    expect(refusal(await create({ device_name: device.device_name }))).toEqual([409, 'devices.deviceNameTaken'])
    const other = await app.as({ school_id: other_school, codes, places: 'all' })
    expect(refusal(await create({ device_sn: device.device_sn, place_id: null }, other))).toEqual([409, 'devices.deviceClientConflict'])
    expect(dataOf(deviceApi.list, await app.call(deviceApi.list, {}, as(other))).total).toBe(0)
  })

  test('a number is one whatever its capitals and whether its device ever connects by itself; a retired device gives it back to other schools', async () => {
    const { device } = dataOf(deviceApi.create, await create({ device_type: '06', model_code: 'IPC-4M', device_sn: 'Cam-Once-1' }))
    const other = await app.as({ school_id: other_school, codes, places: 'all' })
    const again = (who?: TestUser) => create({ device_type: '06', model_code: 'IPC-4M', device_sn: 'CAM-ONCE-1', place_id: null }, who)
    expect(refusal(await again())).toEqual([409, 'devices.deviceSnTaken'])
    expect(refusal(await again(other))).toEqual([409, 'devices.deviceClientConflict'])
    dataOf(deviceApi.retire, await app.call(deviceApi.retire, { device_id: device.device_id, row_version: device.row_version, reason: '拆除' }, as()))
    expect((await again(other)).status).toBe(200)
  })

  test('model and kind belong together; names and addresses are checked', async () => {
    expect(refusal(await create({ model_code: 'JD-B32' }))).toEqual([422, 'devices.deviceModelType'])
    expect(refusal(await create({ model_code: 'NONE' }))).toEqual([422, 'devices.deviceModelUnknown'])
    const wrong = await create({ ip: '300.1.1.1', device_sn: '校门', device_name: '<南门>' })
    expect(JSON.stringify(wrong.body)).toMatch(/IP地址不合法.*|不能包含特殊字符/u)
    expect(wrong.status).toBe(400)
  })

  test('30-A25 a terminal that sees faces never stands in a private zone, and a place with one does not become one', async () => {
    const [dormitory, toilet] = [await room('宿舍101', 11), await room('卫生间1', 23)]
    for (const { place_id } of [dormitory, toilet]) expect(refusal(await create({ place_id }))).toEqual([422, 'devices.devicePrivate'])
    expect((await create({ place_id: toilet.place_id, device_type: '04', model_code: 'JD-C4' })).status).toBe(200)
    const plain = await room('登记室')
    const { device } = await aDevice({ place_id: null })
    expect((await app.call(deviceApi.place, { device_id: device.device_id, place_id: plain.place_id, direction: 3 }, as())).status).toBe(200)
    const change = await app.call(placeApi.update, { id: plain.place_id, row_version: plain.row_version, place_kind: 23 }, as())
    expect([...refusal(change), change.body.msg]).toEqual([409, 'places.placeKindInUse', expect.stringContaining('人脸识别终端1台')])
    expect(refusal(await app.call(placeApi.remove, { id: plain.place_id, row_version: plain.row_version }, as()))).toEqual([409, 'places.placeInUse'])
  })

  test('where a device stood is known for every moment; a move of yesterday needs a reason, one before the last is refused', async () => {
    const [hall, gate] = [await room('大厅'), await room('侧门')]
    const { device } = await aDevice({ place_id: hall.place_id })
    app.clock.advance(600_000)
    const from = new Date(app.clock.now().getTime() - 300_000).toISOString()
    const move = (more: Partial<Request<typeof deviceApi.place>>) => app.call(deviceApi.place, { device_id: device.device_id, place_id: gate.place_id, direction: 1, ...more }, as())
    expect(refusal(await move({ from }))).toEqual([422, 'devices.devicePlacedAt'])
    expect((await move({ from, reason: '补登' })).status).toBe(200)
    expect((await detail(device.device_id)).placements.map(({ place_id, direction, valid_to }) => [place_id, direction, valid_to === null])).toEqual([[gate.place_id, 1, true], [hall.place_id, 3, false]])
    expect(refusal(await move({ place_id: hall.place_id, from: new Date(Date.parse(from) - 1000).toISOString(), reason: '补登' }))).toEqual([422, 'devices.devicePlacedBefore'])
  })

  test('30-A19 whoever looks after one place sees its devices alone; another school’s are not there', async () => {
    const [hall, gate] = [await room('一楼大厅'), await room('二楼大厅')]
    const { device } = await aDevice({ place_id: hall.place_id })
    await aDevice({ place_id: gate.place_id })
    const keeper = await app.as({ school_id, codes, places: [hall.place_id] })
    expect(dataOf(deviceApi.list, await app.call(deviceApi.list, {}, as(keeper))).list.map(one => one.device_id)).toEqual([device.device_id])
    expect(refusal(await app.call(deviceApi.place, { device_id: device.device_id, place_id: gate.place_id, direction: 3 }, as(keeper)))).toEqual([404, 'common.notFound'])
    const other = await app.as({ school_id: other_school, codes, places: 'all' })
    expect(refusal(await app.call(deviceApi.detail, { id: device.device_id }, as(other)))).toEqual([404, 'common.notFound'])
  })

  test('30-A19 an administrator of another school lists, commands, moves, pauses, reads, fills, locks, binds, watches and rules nothing of a device, which hears no word of it', async () => {
    const { device: { device_id, device_sn }, setup } = await aDevice()
    const client = await comes(device_sn, setup.secret)
    await expect.poll(() => stateOf(device_id)).toBe('1')
    await expect.poll(() => client.told.map(one => one.topic)).toContain(`jdev/${device_sn}/down/hello`)
    const other = await app.as({ school_id: other_school, codes: 'all', places: 'all' })
    const [theirs] = dataOf(placeApi.tree, await app.call(placeApi.tree, {}, as(other))).list
    const { camera: eye } = dataOf(cameraApi.create, await app.call(cameraApi.create, { device_sn: 'EYE-B', device_name: '他校摄像机', place_id: theirs?.place_id ?? '' }, as(other)))
    const window = { weekdays: Array.from({ length: 7 }, () => true), begin: '22:00', end: '23:00', mode: 'always_closed' as const, verify: [] }
    const night = { rule_name: '他校夜间', valid_from: '2026-01-01', body: { kind: 1 as const, unlock_sec: 5, held_open_sec: 0, fire_opens: true, windows: [window] } }
    const answers = await Promise.all([
      app.call(commandApi.control, { device_id, command: 'beep' }, as(other)),
      app.call(deviceApi.place, { device_id, place_id: theirs?.place_id ?? '', direction: 3 }, as(other)),
      app.call(deviceApi.ispush, { device_ids: [device_id], is_push: 0 }, as(other)),
      app.call(syncApi.state_rows, { id: device_id }, as(other)),
      app.call(syncApi.resync, { id: device_id, mode: 'verify' }, as(other)),
      app.call(passwordApi.set, { device_ids: [device_id], password: '12345678' }, as(other)),
      app.call(ruleApi.sync, { device_ids: [device_id] }, as(other)),
      app.call(ruleApi.add, { ...night, device_ids: [device_id] }, as(other)),
      app.call(ruleApi.add, { ...night, place_ids: [campus] }, as(other)),
      app.call(cameraApi.bind, { camera_id: eye.device_id, device_id }, as(other)),
      app.call(cameraApi.bind, { camera_id: eye.device_id, place_id: campus }, as(other)),
    ])
    expect(answers.map(answer => answer.status)).toEqual(answers.map(() => 404))
    expect(dataOf(deviceApi.list, await app.call(deviceApi.list, { keyword: device_sn }, as(other))).list).toEqual([])
    const live = await openLive(app.url, other.token, ['devices:state'])
    await expect(openLive(app.url, other.token, [`card:${campus}`])).rejects.toThrow('watch answered 403')
    await client.say('up/state', 'state', {})
    await client.close()
    await expect.poll(() => stateOf(device_id)).toBe('0')
    // The server may ask it something of its own meanwhile.
    expect(JSON.stringify(client.told)).not.toMatch(/beep|他校|12345678/u)
    expect([(await detail(device_id)).device, live.rows('devices:state')]).toMatchObject([{ is_push: true, place_id: campus }, []])
    await live.close()
  })

  test('a retired device loses its session and its name; its number can be registered anew', async () => {
    const { device, setup } = await aDevice()
    const client = await comes(device.device_sn, setup.secret)
    await expect.poll(() => stateOf(device.device_id)).toBe('1')
    const { row_version } = (await detail(device.device_id)).device
    expect((await app.call(deviceApi.retire, { device_id: device.device_id, row_version, reason: '报废' }, as())).status).toBe(200)
    await expect.poll(() => client.mqtt.connected).toBe(false)
    await expect(connectDevice(port, { sn: device.device_sn, secret: setup.secret })).rejects.toThrow('refused')
    expect((await detail(device.device_id)).device).toMatchObject({ device_state: null, lifecycle: 'retired', place_id: null })
    expect((await create({ device_name: device.device_name })).status).toBe(200)
  })

  test('a new secret opens at once, the old one for a day or until the new one is used', async () => {
    const { device, setup } = await aDevice()
    const fresh = dataOf(deviceApi.secret, await app.call(deviceApi.secret, { device_id: device.device_id, row_version: device.row_version }, as())).setup
    await comes(device.device_sn, setup.secret)
    await comes(device.device_sn, fresh.secret)
    await expect(connectDevice(port, { sn: device.device_sn, secret: setup.secret })).rejects.toThrow('refused')
    expect(fresh.setup_text).toContain(fresh.secret)
    expect(fresh.setup_qr).toBe(undefined)
  })

  test('30 §3 rule 1 a device that is paired gets a secret of its own: its old one opens no more, its session ends, and another school has none of it', async () => {
    const { device, setup } = await aDevice()
    const client = await comes(device.device_sn, setup.secret)
    const pair = (school: number) => app.running.database.tenant<unknown, DeviceSetup>(school, db => adopt({ app: app.running.app, db, school_id: school, now: app.clock.now() }, device.device_id))
    await expect(pair(other_school)).rejects.toMatchObject({ failure: { status: 404 } })
    const paired = await pair(school_id)
    expect([paired.client_id, paired.topic_prefix]).toEqual([device.device_sn, setup.topic_prefix])
    await expect.poll(() => client.mqtt.connected).toBe(false)
    await expect(connectDevice(port, { sn: device.device_sn, secret: setup.secret })).rejects.toThrow('refused')
    await comes(device.device_sn, paired.secret)
  })

  test('31-§5.7.1 a VF105 is told the code that it reads by its camera, for a new device and for a new secret', async () => {
    const { device, setup } = await aDevice({ model_code: 'VF105' })
    const fresh = dataOf(deviceApi.secret, await app.call(deviceApi.secret, { device_id: device.device_id, row_version: device.row_version }, as())).setup
    for (const { setup_qr, client_id, secret, topic_prefix } of [setup, fresh]) expect(setup_qr).toContain(`username="${client_id}",mqttpassword="${secret}",prefix="${topic_prefix}/${client_id}"`)
    const knocking = dataOf(deviceApi.enrol_code, await app.call(deviceApi.enrol_code, { count: 1, expires_min: 60, device_sn: 'QR-1' }, as()))
    expect(knocking.setup_qr).toContain(`username="QR-1",mqttpassword="${knocking.codes[0]}",prefix="${knocking.server.topic_prefix}/QR-1"`)
    expect([dataOf(deviceApi.unclaimed, await app.call(deviceApi.unclaimed, {}, as())).has_qr, knocking.server.is_tls]).toEqual([true, false])
  })

  test('a device that nobody knows knocks with a code, is shown, and comes in once it is claimed', async () => {
    const { codes: [code = ''] } = dataOf(deviceApi.enrol_code, await app.call(deviceApi.enrol_code, { count: 1, expires_min: 60 }, as()))
    const stranger = await connectDevice(port, { sn: 'NEW-1', secret: code })
    clients.push(stranger)
    await expect(connectDevice(port, { sn: 'NEW-2', secret: code })).rejects.toThrow('refused')
    expect(dataOf(deviceApi.unclaimed, await app.call(deviceApi.unclaimed, {}, as())).list.map(one => one.device_sn)).toEqual(['NEW-1'])
    const { device } = dataOf(deviceApi.claim, await app.call(deviceApi.claim, draft({ device_sn: 'NEW-1' }), as()))
    await comes('NEW-1', code)
    await expect.poll(() => stateOf(device.device_id)).toBe('1')
    expect(refusal(await app.call(deviceApi.claim, draft({ device_sn: 'NEW-1' }), as()))).toEqual([404, 'devices.enrolCodeWrong'])
  })
})

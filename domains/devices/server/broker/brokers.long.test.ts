import { connectDevice, dataOf, exportTo, outsideSetting, sampleMosquitto, startTestApp, test_schools } from '@apps/server/testing'
import type { DeviceClient, Mosquitto, TestApp, TestUser } from '@apps/server/testing'
import { JdevTerminal, Vf105Terminal } from '@apps/terminal'
import { deviceApi } from '@campus/devices/contract'
import { placeApi } from '@campus/places/contract'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { declareCredentials, declareGrants, declareSubjects } from '../sync/declare.ts'

const { a: school_id } = test_schools
const day_ms = 86_400_000

/** One suite for every broker: what differs is the configuration alone. */
describe.each(['embedded', 'mosquitto'] as const)('31-A2 with the broker %s', kind => {
  const opened: { stop(): Promise<unknown> }[] = []
  let mosquitto: Mosquitto | undefined
  let app: TestApp
  let me: TestUser
  let port: number
  let campus: string
  let made = 0

  beforeAll(async () => {
    if (kind === 'mosquitto') mosquitto = await sampleMosquitto()
    app = await startTestApp(mosquitto ? { settings: outsideSetting(mosquitto) } : {})
    if (mosquitto) await exportTo(mosquitto, app)
    await mosquitto?.start()
    port = await app.running.listenToDevices()
    me = await app.as({ school_id, codes: ['places.place.view', 'places.place.edit', 'devices.device.view', 'devices.device.edit'], places: 'all' })
    campus = dataOf(placeApi.tree, await app.call(placeApi.tree, {}, { token: me.token })).list[0]?.place_id ?? ''
  })
  afterEach(() => Promise.all(opened.splice(0).map(one => one.stop())))
  afterAll(async () => {
    await app?.close()
    await mosquitto?.remove()
  })

  const detail = async (id: string) => dataOf(deviceApi.detail, await app.call(deviceApi.detail, { id }, { token: me.token }))
  const stateOf = async (id: string) => (await detail(id)).device.device_state
  const rows = async <R>(query: ReturnType<typeof sql<R>>) => (await app.running.database.tenant<unknown, { rows: R[] }>(school_id, db => query.execute(db))).rows

  /** A gate with two people who may pass, and its device, registered and known to the broker. */
  async function aGate(model_code: 'JD-F10' | 'VF105') {
    made += 1
    const { place } = dataOf(placeApi.create, await app.call(placeApi.create, { superior_id: campus, place_name: `门${made}`, place_kind: 9 }, { token: me.token }))
    const draft = { device_sn: `B${made}`, device_name: `终端${made}`, device_type: '01' as const, model_code, place_id: place.place_id }
    const { device, setup } = dataOf(deviceApi.create, await app.call(deviceApi.create, draft, { token: me.token }))
    await admit(place.place_id)
    if (mosquitto) await exportTo(mosquitto, app)
    return { device_id: device.device_id, sn: device.device_sn, secret: setup?.secret ?? '', url: `mqtt://127.0.0.1:${port}` }
  }

  function admit(place_id: string): Promise<void> {
    const now = app.clock.now()
    const expires_at = new Date(Math.floor(now.getTime() / day_ms + 90) * day_ms)
    return app.running.database.tenant(school_id, async db => {
      const by = { app: app.running.app, db, school_id, now }
      const ids = [made * 10 + 7001, made * 10 + 7002].map(String)
      await declareSubjects(by, ids.map(user_id => ({ user_id, person_kind: 1, user_no: `N${user_id}`, user_name: `学生${user_id}`, dept_name: '一年级1班', live: true })))
      await declareCredentials(by, ids.map(user_id => ({ user_id, cred_kind: 'card' as const, code: `C0FFEE${user_id}`, usable: true, source: 'cards', source_ref: `card ${user_id}`, version: 1 })))
      await declareGrants(by, ids.map(user_id => ({ user_id, place_id, direction: 3 as const, windows: [{ from: new Date(0).toISOString(), to: expires_at.toISOString() }], source: 'access', source_ref: `grant ${user_id}`, version: 1, expires_at })))
    })
  }

  const states = async (device_id: string) => (await rows(sql<{ state: string }>`select distinct state from sync_row where school_id = ${school_id} and device_id = ${device_id} and kind <> 'config'`)).map(row => row.state)
  const passes = (device_id: string) => rows(sql<{ device_seq: string; user_id: string | null }>`select device_seq, user_id::text from pass_event where school_id = ${school_id} and device_id = ${device_id} order by device_seq`)

  async function comes(sn: string, secret: string): Promise<DeviceClient> {
    // The broker may be reading its files at this moment.
    const found: DeviceClient[] = []
    await expect.poll(async () => {
      const client = await connectDevice(port, { sn, secret }).catch(() => undefined)
      if (client) found.push(client)
      return found.length
    }).toBe(1)
    const [client] = found
    if (!client) throw new Error('nobody came in')
    opened.push({ stop: () => client.close() })
    return client
  }

  test('a terminal comes in with its secret, receives people, says who passed, is acknowledged, and is missed when its line falls', async () => {
    const { device_id, ...shown } = await aGate('JD-F10')
    expect(await stateOf(device_id)).toBe('5')
    const terminal = new JdevTerminal(shown)
    opened.push(terminal)
    await terminal.start()
    await expect.poll(() => stateOf(device_id)).toBe('1')
    await expect.poll(() => states(device_id)).toEqual(['applied'])
    expect([terminal.store.held('person').size, terminal.store.held('credential').size]).toEqual([2, 2])
    for (let n = 0; n < 3; n += 1) terminal.pass({ user_id: `${made * 10 + 7001}`, verify: 2, result: 1, code_masked: '****7001' })
    await expect.poll(() => terminal.store.waiting).toBe(0)
    expect((await passes(device_id)).map(row => row.user_id)).toEqual(Array.from({ length: 3 }, () => `${made * 10 + 7001}`))
    await terminal.stop()
    await expect.poll(() => stateOf(device_id)).toBe('0')
    expect((await detail(device_id)).device.offline_reason).toBe('will')
  })

  test('a VF105 comes in below its own prefix, receives people, and its pass is acknowledged', async () => {
    const { device_id, ...shown } = await aGate('VF105')
    const terminal = new Vf105Terminal(shown)
    opened.push(terminal)
    await terminal.start()
    await expect.poll(() => stateOf(device_id)).toBe('1')
    await expect.poll(() => states(device_id)).toEqual(['applied'])
    terminal.device.present('200', `C0FFEE${made * 10 + 7001}`)
    await expect.poll(async () => (await passes(device_id)).length).toBe(1)
    await expect.poll(() => terminal.store.waiting()).toBeUndefined()
  })

  test('nobody speaks for another device or hears what is said to it: foreign topics, wildcards, retained messages, foreign wills', async () => {
    const [theirs, mine] = [await aGate('JD-F10'), await aGate('JD-F10')]
    const victim = new JdevTerminal(theirs)
    opened.push(victim)
    await victim.start()
    await expect.poll(() => states(theirs.device_id)).toEqual(['applied'])
    const client = await comes(mine.sn, mine.secret)
    for (const filter of ['#', `jdev/${theirs.sn}/down/#`, `$share/g/jdev/${theirs.sn}/down/#`, '$SYS/#']) await client.mqtt.subscribeAsync(filter, { qos: 1 }).catch(() => undefined)
    const forged = JSON.stringify({ v: 1, id: 'x', seq: 1, epoch: 'e', ts: new Date().toISOString(), type: 'event', body: { items: [{ seq: 99, type: 'pass', at: new Date().toISOString(), verify: 2, result: 1 }] } })
    client.mqtt.publish(`jdev/${theirs.sn}/up/event`, forged, { qos: 1 })
    await app.running.database.tenant(school_id, db => declareSubjects({ app: app.running.app, db, school_id, now: app.clock.now() }, [{ user_id: `${(made - 1) * 10 + 7001}`, person_kind: 1, user_no: 'N', user_name: '改名', dept_name: '一年级1班', live: true }]))
    await expect.poll(() => victim.store.held('person').get(`${(made - 1) * 10 + 7001}`)?.body?.name).toBe('改名')
    client.mqtt.publish(`jdev/${mine.sn}/up/hello`, '{}', { qos: 1, retain: true })
    await client.close()
    expect(client.told.filter(({ topic }) => !topic.startsWith(`jdev/${mine.sn}/`))).toEqual([])
    expect([await passes(theirs.device_id), await stateOf(theirs.device_id)]).toEqual([[], '1'])
  })

  test('a retired device is out: its session ends and its secret opens nothing', async () => {
    const { device_id, sn, secret } = await aGate('JD-F10')
    const client = await comes(sn, secret)
    await client.say('up/hello', 'hello', { sn, model: 'JD-F10', store_id: 'store' })
    await expect.poll(() => stateOf(device_id)).toBe('1')
    await expect.poll(() => client.told.some(({ topic }) => topic.endsWith('/sync'))).toBe(true)
    const { row_version } = (await detail(device_id)).device
    expect((await app.call(deviceApi.retire, { device_id, row_version, reason: '遗失', is_lost: true }, { token: me.token })).status).toBe(200)
    if (mosquitto) await exportTo(mosquitto, app)
    await expect.poll(() => client.mqtt.connected).toBe(false)
    await expect(connectDevice(port, { sn, secret })).rejects.toThrow('refused')
    expect((await detail(device_id)).device.lifecycle).toBe('retired')
  })
})

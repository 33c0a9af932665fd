import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { JdevTerminal, Vf105Terminal } from '@apps/terminal'
import { deviceApi, firmwareApi } from '@campus/devices/contract'
import { placeApi } from '@campus/places/contract'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Db } from '../db.ts'
import { runTasks } from './run.ts'

const school_id = test_schools.a
const minute_ms = 60_000
const terminals: { stop(): Promise<void> }[] = []
let app: TestApp
let me: TestUser
let port: number
let place_id: string
let gate: Server
let made = 0
/** addresses that were fetched, oldest first */
const fetched: string[] = []

beforeAll(async () => {
  // Devices know the server by a public address; behind this one stands the server once it runs.
  gate = createServer((request, response) => {
    fetched.push(request.url ?? '')
    void fetch(`${app.url}${request.url}`).then(async answer => response.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer())))
  })
  await new Promise<void>(resolve => gate.listen(0, '127.0.0.1', resolve))
  const address = gate.address()
  app = await startTestApp({ settings: { CAMPUS_PUBLIC_URL: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}` } })
  port = await app.running.listenToDevices()
  me = await app.as({ school_id, codes: ['places.place.view', 'devices.device.view', 'devices.device.edit', 'devices.firmware.view', 'devices.firmware.edit'], places: 'all' })
  place_id = dataOf(placeApi.tree, await app.call(placeApi.tree, {}, { token: me.token })).list[0]?.place_id ?? ''
})
afterEach(() => Promise.all(terminals.splice(0).map(terminal => terminal.stop())))
afterAll(async () => {
  gate.close()
  await app.close()
})

async function aDevice(model_code: 'JD-F10' | 'VF105' = 'JD-F10') {
  made += 1
  const { device, setup } = dataOf(deviceApi.create, await app.call(deviceApi.create, { device_sn: `U${made}`, device_name: `升级设备${made}`, device_type: '01', model_code, place_id }, { token: me.token }))
  const options = { url: `mqtt://127.0.0.1:${port}`, sn: device.device_sn, secret: setup?.secret ?? '' }
  const terminal = model_code === 'VF105' ? new Vf105Terminal(options) : new JdevTerminal(options)
  return { device_id: device.device_id, terminal }
}

async function online<T extends { device_id: string; terminal: JdevTerminal | Vf105Terminal }>(one: T): Promise<T> {
  terminals.push(one.terminal)
  await one.terminal.start()
  await expect.poll(async () => (await told(one.device_id)).device_state).toBe('1')
  return one
}

const told = async (id: string) => dataOf(deviceApi.detail, await app.call(deviceApi.detail, { id }, { token: me.token })).device
const md5Of = (bytes: string) => createHash('md5').update(bytes).digest('hex')

/** Uploads a package that says of itself that it is a version. */
function upload(name: string, version: string, more: { says?: string; md5?: string; models?: string; signature?: (sha256: string) => string } = {}) {
  const bytes = `campus-firmware ${more.says ?? version}\n${'x'.repeat(4000)}`
  const signed = more.signature ? { signature: more.signature(createHash('sha256').update(bytes).digest('hex')) } : {}
  return app.call(firmwareApi.upload, { model_codes: more.models ?? 'JD-F10', version, md5: more.md5 ?? md5Of(bytes), ...signed }, { token: me.token, file: { name, body: Buffer.from(bytes) } })
}
const packageOf = async (...asked: Parameters<typeof upload>) => dataOf(firmwareApi.upload, await upload(...asked)).firmware.firmware_id
const create = (firmware_id: string, device_ids: string[]) => app.call(firmwareApi.create, { firmware_id, device_ids }, { token: me.token })
const started = async (...asked: Parameters<typeof create>) => dataOf(firmwareApi.create, await create(...asked)).task.task_id
const task = async (id: string) => dataOf(firmwareApi.task, await app.call(firmwareApi.task, { id, page_size: 100 }, { token: me.token }))
const line = async (id: string, device_id: string) => (await task(id)).list.find(one => one.device_id === device_id)
const goOn = () => app.running.database.tenant(school_id, (db: Db) => runTasks({ app: app.running.app, db, school_id, now: app.clock.now() }))

test('30-A30 a package with another ending is refused for the model, one that is not what its maker says too', async () => {
  for (const [answer, status, sentence] of [
    [await upload('a.zip', '2.0.0'), 415, '固件只支持jbn、jap格式'], [await upload('a.jbn', '2.0.0', { models: 'VF105' }), 415, '该型号固件只支持dpk、zip格式'], [await upload('a.jbn', '2.0.0', { md5: 'f'.repeat(32) }), 422, '文件校验失败，请重新上传'],
  ] as const) expect([answer.status, answer.body.msg]).toEqual([status, sentence])
  await packageOf('a.jbn', '2.0.0')
  expect((await upload('b.jbn', '2.0.0')).body.error_id).toBe('devices.firmwareTaken')
})

test('terminals of both kinds fetch their package once, check it, restart and tell the new version', async () => {
  const [jdev, vf105] = [await online(await aDevice()), await online(await aDevice('VF105'))]
  const ours = await started(await packageOf('system.jbn', '2.1.0'), [jdev.device_id])
  const theirs = await started(await packageOf('app.dpk', 'vf105_v12_2.0.0', { models: 'VF105' }), [vf105.device_id])
  await expect.poll(() => line(ours, jdev.device_id), { timeout: 30_000 }).toMatchObject({ state: 'UPDATED', progress: 100, from_version: '1.0.0' })
  await expect.poll(() => line(theirs, vf105.device_id), { timeout: 30_000 }).toMatchObject({ state: 'UPDATED' })
  expect([(await told(jdev.device_id)).firmware_version, (await told(vf105.device_id)).app_version]).toEqual(['2.1.0', 'vf105_v12_2.0.0'])
  await goOn()
  expect((await task(ours)).task.state).toBe('done')
  const [address] = fetched
  expect((await fetch(`${app.url}${address}`)).status).toBe(404)

  const older = await create(await packageOf('old.jbn', '2.0.9'), [jdev.device_id])
  expect([older.status, older.body.error_id]).toEqual([422, 'devices.firmwareOlder'])
})

test('30-A30 the first wave failing twice stops the task, nobody else is touched, and it goes on when it is told to', async () => {
  const first = await online(await aDevice())
  const others = await Promise.all([await aDevice(), await aDevice()].map(online))
  const broken = await packageOf('broken.jbn', '3.0.0')
  // On its way to the device it is spoilt.
  await app.running.database.tenant(school_id, (db: Db) => db.updateTable('firmware').set({ md5: 'e'.repeat(32) }).where('school_id', '=', school_id).where('firmware_id', '=', broken).execute())
  const id = await started(broken, [first, ...others].map(one => one.device_id))
  await expect.poll(async () => {
    await goOn()
    return (await task(id)).task
  }, { timeout: 30_000 }).toMatchObject({ state: 'held', wave: 1, held_reason: '第1批1台中有1台失败', failed: 1, queued: 2 })
  const failed = (await task(id)).list.find(one => one.state === 'FAILED')
  expect(failed?.error).toBe('文件校验失败')
  expect((await told(others[0]?.device_id ?? '')).firmware_version).toBe('1.0.0')
  dataOf(firmwareApi.cancel, await app.call(firmwareApi.cancel, { id }, { token: me.token }))
  expect((await task(id)).task).toMatchObject({ state: 'canceled', failed: 1, queued: 0 })
})

test('30-A30 who is away stays queued and is upgraded on return; who restarts without the new version has failed after twenty minutes', async () => {
  const [here, away] = [await online(await aDevice()), await aDevice()]
  const good = await started(await packageOf('next.jbn', '4.0.0'), [here.device_id, away.device_id])
  await expect.poll(async () => {
    await goOn()
    return (await line(good, here.device_id))?.state
  }, { timeout: 30_000 }).toBe('UPDATED')
  expect((await line(good, away.device_id))?.state).toBe('QUEUED')
  await online(away)
  await expect.poll(async () => {
    await goOn()
    return (await line(good, away.device_id))?.state
  }, { timeout: 30_000 }).toBe('UPDATED')

  const same = await started(await packageOf('same.jbn', '5.0.0', { says: '4.0.0' }), [here.device_id])
  await expect.poll(async () => (await line(same, here.device_id))?.state, { timeout: 30_000 }).toBe('UPDATING')
  expect((await told(here.device_id)).device_state).toBe('4')
  app.clock.advance(19 * minute_ms)
  await goOn()
  expect((await line(same, here.device_id))?.state).toBe('UPDATING')
  app.clock.advance(2 * minute_ms)
  await goOn()
  expect(await line(same, here.device_id)).toMatchObject({ state: 'FAILED', error: '版本未变化' })
})

test('30-A30 a model that has its maker’s key takes signed packages alone, and so does its terminal, whatever the server says', async () => {
  const [maker, stranger] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')]
  const key = Buffer.from(maker.publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64')
  const by = ({ privateKey }: typeof maker) => (sha256: string) => sign(null, Buffer.from(sha256), privateKey).toString('base64')
  const strict = await online(await aDevice())
  if (strict.terminal instanceof JdevTerminal) strict.terminal.store.set('hardware', { firmware_key: key })
  await app.running.database.owner_exec(`update device_model set capabilities = capabilities || '{"firmware_key":"${key}"}' where model_code = 'JD-F10'`)
  for (const signature of [undefined, by(stranger), (sha256: string) => by(maker)(sha256.replaceAll('a', 'b').replaceAll('1', '2'))]) {
    const { status, body } = await upload('signed.jbn', '17.0.0', signature ? { signature } : {})
    expect([status, body.msg]).toEqual([422, '型号JD-F10只接受厂家签名的固件：请粘贴厂家随此文件提供的签名'])
  }
  const good = await started(await packageOf('signed.jbn', '17.0.0', { signature: by(maker) }), [strict.device_id])
  await expect.poll(() => line(good, strict.device_id), { timeout: 30_000 }).toMatchObject({ state: 'UPDATED' })
  await app.running.database.owner_exec(`update device_model set capabilities = capabilities - 'firmware_key' where model_code = 'JD-F10'`)
  const bad = await started(await packageOf('unsigned.jbn', '18.0.0'), [strict.device_id])
  await expect.poll(async () => {
    await goOn()
    return line(bad, strict.device_id)
  }, { timeout: 30_000 }).toMatchObject({ state: 'FAILED', error: '固件签名不正确' })
  expect((await told(strict.device_id)).firmware_version).toBe('17.0.0')
})

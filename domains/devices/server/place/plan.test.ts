import { dataOf, test_schools, upload } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { deviceApi, floorPlanApi } from '@campus/devices/contract'
import { placeApi } from '@campus/places/contract'
import type { Request } from '@kit/contract'
import { drawJpeg } from '@kit/server/image'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDevices } from '../testing/start.ts'

const { a: school_id, b: other_school } = test_schools
const codes = ['places.place.view', 'places.place.edit', 'devices.device.view', 'devices.device.edit', 'files.file.upload']
let app: TestApp
let me: TestUser
let campus: string
let made = 0

beforeAll(async () => {
  ;({ app, me, campus } = await startDevices({ codes }))
})
afterAll(() => app.close())

const as = (who: TestUser = me) => ({ token: who.token })
const aPlace = async (superior_id = campus) => dataOf(placeApi.create, await app.call(placeApi.create, { superior_id, place_name: `层${(made += 1)}`, place_kind: 3 }, as())).place.place_id
const aDevice = async (place_id: string) => dataOf(deviceApi.create, await app.call(deviceApi.create, { device_sn: `FP${(made += 1)}`, device_name: `图上设备${made}`, device_type: '01', model_code: 'JD-F10', place_id }, as())).device.device_id
const picture = async (width: number, height: number) => (await drawJpeg(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#eef"/></svg>`)).bytes
const draw = async (id: string, body: Uint8Array, more: { name?: string; kind?: '3' } = {}) => app.call(floorPlanApi.save, { id, file_key: await upload(app, me, { purpose: 'resource', name: `plan${(made += 1)}.jpg`, body, ...more }) }, as())
const pin = (asked: Request<typeof floorPlanApi.pin>, who: TestUser = me) => app.call(floorPlanApi.pin, asked, as(who))
const plan = async (id: string, who: TestUser = me) => dataOf(floorPlanApi.read, await app.call(floorPlanApi.read, { id }, as(who))).plan

test('a floor has a picture; what lies on it keeps its part of the picture when another size takes its place', async () => {
  const floor = await aPlace()
  const [room, device] = [await aPlace(floor), await aDevice(floor)]
  expect([await plan(floor), (await pin({ id: floor, device_id: device, x: 0.1, y: 0.2 })).body.msg]).toEqual([null, '这里还没有平面图，请先上传'])
  expect(dataOf(floorPlanApi.save, await draw(floor, await picture(800, 400))).plan).toMatchObject({ width: 800, height: 400, pins: [] })
  for (const asked of [{ device_id: device, x: 0.1, y: 0.2 }, { device_id: device, x: 0.25, y: 0.5 }, { place_id: room, x: 1, y: 0 }]) expect((await pin({ id: floor, ...asked })).status).toBe(200)
  const pins = [{ kind: 'device', id: device, x: 0.25, y: 0.5 }, { kind: 'place', id: room, x: 1, y: 0 }]
  const before = await plan(floor)
  expect(before?.pins).toEqual(pins)
  expect((await fetch(`${app.url}${before?.address ?? ''}`)).headers.get('content-type')).toMatch(/^image/u)
  dataOf(floorPlanApi.save, await draw(floor, await picture(5000, 1000)))
  expect(await plan(floor)).toMatchObject({ width: 2560, height: 512, pins })
  expect(dataOf(floorPlanApi.unpin, await app.call(floorPlanApi.unpin, { id: floor, place_id: room }, as()))).toEqual({ removed: true })
  expect([dataOf(floorPlanApi.remove, await app.call(floorPlanApi.remove, { id: floor }, as())), await plan(floor)]).toEqual([{ removed: true }, null])
})

test('only what is in the place lies on its picture: a device that moves away leaves it and is there again when it comes back', async () => {
  const [floor, other] = [await aPlace(), await aPlace()]
  const [room, device] = [await aPlace(floor), await aDevice(other)]
  await draw(floor, await picture(400, 400))
  const refused = await pin({ id: floor, device_id: device, x: 0.5, y: 0.5 })
  expect([refused.status, refused.body.error_id, (await pin({ id: floor, place_id: other, x: 0, y: 0 })).status, (await pin({ id: floor, place_id: floor, x: 0, y: 0 })).status]).toEqual([422, 'devices.planOutside', 422, 422])
  const move = (place_id: string) => app.call(deviceApi.place, { device_id: device, place_id, direction: 3 }, as())
  await move(room)
  expect((await pin({ id: floor, device_id: device, x: 0.5, y: 0.5 })).status).toBe(200)
  await move(other)
  expect((await plan(floor))?.pins).toEqual([])
  await move(floor)
  expect((await plan(floor))?.pins.map(one => one.id)).toEqual([device])
})

test('a plan is for its places, its school and who may change places; what is no picture is refused', async () => {
  const [floor, other] = [await aPlace(), await aPlace()]
  const broken = await draw(floor, (await picture(300, 300)).subarray(0, 60))
  const text = await draw(floor, Buffer.from('只是文字'), { name: 'plan.txt', kind: '3' })
  expect([broken.status, text.status, await plan(floor)]).toEqual([415, 415, null])
  await draw(floor, await picture(300, 300))
  const status = async (who: TestUser) => [(await app.call(floorPlanApi.read, { id: floor }, as(who))).status, (await pin({ id: floor, place_id: other, x: 0, y: 0 }, who)).status, (await app.call(floorPlanApi.remove, { id: floor }, as(who))).status]
  expect(await status(await app.as({ school_id, codes, places: [other] }))).toEqual([404, 404, 404])
  expect(await status(await app.as({ school_id: other_school, codes, places: 'all' }))).toEqual([404, 404, 404])
  expect(await status(await app.as({ school_id, codes: ['devices.device.view'], places: 'all' }))).toEqual([200, 403, 403])
  expect((await pin({ id: floor, x: 0.5, y: 0.5 })).status).toBe(400)
})

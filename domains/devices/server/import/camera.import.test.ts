import { dataOf, sheetLines, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { cameraApi, deviceApi } from '@campus/devices/contract'
import { importApi } from '@campus/jobs/contract'
import { placeApi } from '@campus/places/contract'
import { writeTemplate } from '@kit/server/excel'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db } from '../db.ts'
import { openStream } from '../sealed-parts.ts'
import { camera_columns } from './camera.parsed.ts'

const school_id = test_schools.a
const secret = 'geheim77'
const address = `rtsp://admin:${secret}@10.1.2.3/1`
const codes = ['places.place.view', 'places.place.edit', 'devices.device.view', 'devices.device.edit', 'devices.camera.view', 'devices.camera.edit', 'devices.camera.import']
let app: TestApp
let me: TestUser
let campus: { place_id: string; place_name: string }

beforeAll(async () => {
  app = await startTestApp()
  me = await app.as({ school_id, codes, places: 'all' })
  const [root] = dataOf(placeApi.tree, await app.call(placeApi.tree, {}, as())).list
  campus = { place_id: root?.place_id ?? '', place_name: root?.place_name ?? '' }
  for (const [place_name, place_kind] of [['南门', 9], ['男厕', 23]] as const) await app.call(placeApi.create, { superior_id: campus.place_id, place_name, place_kind }, as())
  dataOf(deviceApi.create, await app.call(deviceApi.create, { device_sn: 'NVR-1', device_name: '录像机一', device_type: '07', model_code: 'NVR-32', place_id: campus.place_id }, as()))
})
afterAll(() => app.close())

const as = () => ({ token: me.token })
const tenant = <R>(work: (db: Db) => Promise<R>) => app.running.database.tenant(school_id, work)
const line = (device_sn: string, more: Record<string, string> = {}) => {
  const cells: Record<string, string> = { device_sn, device_name: `导入${device_sn}`, path: `${campus.place_name}/南门`, ...more }
  return camera_columns.map(({ prop }) => cells[prop] ?? '')
}

async function settled(batch_no: string) {
  const read = async () => dataOf(importApi.one, await app.call(importApi.one, { batch_no }, as()))
  await expect.poll(async () => ['uploaded', 'parsing', 'applying', 'undoing'].includes((await read()).state), { timeout: 60_000 }).toBe(false)
  return read()
}

async function upload(lines: string[][]) {
  const body = new Uint8Array(await writeTemplate({ sheet: '摄像机导入', notes: ['说明'], columns: camera_columns.map(({ label, prop }) => ({ label, prop, required: false })), samples: lines }))
  const { batch_no } = dataOf(importApi.upload, await app.call(importApi.upload, { code: 'camera' }, { ...as(), file: { name: '摄像机.xlsx', body } }))
  return settled(batch_no)
}

async function apply(batch_no: string) {
  dataOf(importApi.apply, await app.call(importApi.apply, { batch_no }, as()))
  return settled(batch_no)
}

async function undo(batch_no: string) {
  dataOf(importApi.undo, await app.call(importApi.undo, { batch_no }, as()))
  return settled(batch_no)
}

const rows = async (batch_no: string, verdict?: 'error') => dataOf(importApi.rows, await app.call(importApi.rows, { batch_no, page_size: 300, ...(verdict ? { verdict } : {}) }, as())).list
const listed = async (keyword: string) => dataOf(cameraApi.list, await app.call(cameraApi.list, { keyword }, as())).list[0]
const sealedOf = (device_sn: string) => tenant(async db => (await sql<{ stream_sealed: Buffer | null }>`select c.stream_sealed from camera c join device d on d.school_id = c.school_id and d.device_id = c.device_id where c.school_id = ${school_id} and d.device_sn = ${device_sn}`.execute(db)).rows[0]?.stream_sealed ?? null)
const streamOf = async (device_sn: string) => {
  const sealed = await sealedOf(device_sn)
  return sealed && openStream(app.running.app.secrets.data_key, school_id, sealed)
}

/** Everything the database says, as text. */
const dump = () => tenant(async db => {
  const parts = await Promise.all(['import_row', 'import_batch', 'job', 'operation_log'].map(table => sql<{ text: string }>`select coalesce(string_agg(t::text, E'\n'), '') as text from ${sql.table(table)} t where school_id = ${school_id}`.execute(db)))
  return parts.map(part => part.rows[0]?.text).join('\n')
})

test('30-A34 cameras come from a sheet with their recorder, channel and stream address, which is told by no page, error sheet, kept line or log', async () => {
  const { batch_no, ...counts } = await upload([line('CAM-1', { nvr_sn: 'NVR-1', channel: '1', stream_url: address }), line('CAM-2', { nvr_sn: 'NVR-1', channel: '99', stream_url: address })])
  expect(counts).toMatchObject({ rows_new: 1, rows_error: 1 })
  const shown = await rows(batch_no)
  expect(shown.map(row => row.cells['stream_url'])).toEqual(['••••••', '••••••'])
  const bad = shown.find(row => row.verdict === 'error')
  expect(bad?.errors.map(error => error.msg)).toEqual(['“录像机一”只有32个通道'])
  const sheet = JSON.stringify(await sheetLines(await app.call(importApi.errorSheet, { batch_no }, as())))
  expect([sheet.includes('CAM-2'), sheet.includes(secret)]).toEqual([true, false])

  // Another cell is mended: what the line said of the address, which nobody sees, is kept.
  const mended = dataOf(importApi.fix, await app.call(importApi.fix, { batch_no, row_no: bad?.row_no ?? 0, cells: { channel: '2', stream_url: '••••••' } }, as()))
  expect(mended.row).toMatchObject({ verdict: 'new', cells: { stream_url: '••••••' } })
  expect(await apply(batch_no)).toMatchObject({ rows_applied: 2 })
  expect(await listed('CAM-2')).toMatchObject({ device_state: '5', nvr_name: '录像机一', channel: 2, has_stream: true, node_path_name: `${campus.place_name}/南门` })
  expect([await streamOf('CAM-1'), await streamOf('CAM-2')]).toEqual([address, address])
  expect((await dump()).includes(secret)).toBe(false)
  expect(await undo(batch_no)).toMatchObject({ state: 'undone', rows_undone: 2 })
  expect(await listed('CAM-')).toBeUndefined()
})

test('what is wrong with a line is told in words', async () => {
  const { batch_no, ...counts } = await upload([
    line(''), line('CAM-B1', { path: '没有的门' }), line('CAM-B2', { path: `${campus.place_name}/男厕` }), line('CAM-B3', { channel: '3' }), line('CAM-B4', { nvr_sn: 'NOBODY' }), line('CAM-B5', { stream_url: 'ftp://x' }), line('NVR-1'),
    line('CAM-C1', { nvr_sn: 'NVR-1', channel: '5' }), line('CAM-C2', { nvr_sn: 'NVR-1', channel: '5' }),
  ])
  expect(counts).toMatchObject({ rows_error: 9 })
  const told = (await rows(batch_no, 'error')).flatMap(row => row.errors.map(error => error.msg))
  for (const sentence of ['必填项不能为空', '场所“没有的门”不存在', '该场所为私密区域，不能绑定摄像机或人脸设备', '选择录像机后才能填写通道号', '上级设备“NOBODY”不存在或不能接其他设备，请先登记网关、录像机、AI盒子或控制器', '取流地址以rtsp://、rtmp://或http(s)://开头', '已登记为NVR-32，换机请用“更换设备”', '通道5已在第11行使用']) expect(told).toContain(sentence)
})

test('a known camera keeps what a cell leaves empty, is changed where it says something else, and is put back exactly', async () => {
  const [first] = [dataOf(cameraApi.create, await app.call(cameraApi.create, { device_sn: 'CAM-K', device_name: '原名', place_id: campus.place_id, stream_url: address, note: '原备注' }, as())).camera]
  const image = () => tenant(async db => (await sql`select d.*, d.updated_at::text, c.channel, c.stream_sealed, (select jsonb_agg(jsonb_build_array(place_id, direction, valid_to) order by id) from device_place p where p.school_id = d.school_id and p.device_id = d.device_id) as placed from device d left join camera c on c.school_id = d.school_id and c.device_id = d.device_id where d.school_id = ${school_id} and d.device_id = ${first.device_id}`.execute(db)).rows)
  const before = await image()
  app.clock.advance(1000)
  expect(await upload([line('CAM-K', { device_name: '原名', path: campus.place_name, stream_url: address })])).toMatchObject({ rows_same: 1 })
  const { batch_no } = await upload([line('CAM-K', { device_name: '新名', nvr_sn: 'NVR-1', channel: '7', stream_url: 'rtsp://other/2' })])
  expect((await rows(batch_no))[0]?.diff.map(({ prop, before: was, after }) => [prop, was, after])).toEqual([
    ['device_name', '原名', '新名'], ['path', campus.place_name, `${campus.place_name}/南门`], ['nvr_sn', '', 'NVR-1'], ['channel', '', '7'], ['stream_url', '已填写', '已更换'],
  ])
  await apply(batch_no)
  expect(await listed('新名')).toMatchObject({ channel: 7, nvr_name: '录像机一', note: '原备注' })
  expect(await streamOf('CAM-K')).toBe('rtsp://other/2')
  await undo(batch_no)
  expect(await image()).toEqual(before)
})

import { dataOf, sheetLines, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { JdevTerminal } from '@apps/terminal'
import { deviceApi } from '@campus/devices/contract'
import { importApi } from '@campus/jobs/contract'
import { placeApi } from '@campus/places/contract'
import { writeTemplate } from '@kit/server/excel'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db } from '../db.ts'
import { device_columns } from './device.parsed.ts'

const school_id = test_schools.a
const [gate, toilet] = [9, 23]
let app: TestApp
let me: TestUser
let port: number
let campus: { place_id: string; place_name: string }

const labels = device_columns.map(column => column.label)
const codes = ['places.place.view', 'places.place.edit', 'devices.device.view', 'devices.device.edit', 'devices.device.import']

beforeAll(async () => {
  app = await startTestApp()
  port = await app.running.listenToDevices()
  me = await app.as({ school_id, codes, places: 'all' })
  const [root] = dataOf(placeApi.tree, await app.call(placeApi.tree, {}, { token: me.token })).list
  campus = { place_id: root?.place_id ?? '', place_name: root?.place_name ?? '' }
})
afterAll(() => app.close())

const tenant = <R>(work: (db: Db) => Promise<R>) => app.running.database.tenant(school_id, work)

async function aPlace(place_name: string, place_kind: number) {
  return dataOf(placeApi.create, await app.call(placeApi.create, { superior_id: campus.place_id, place_name, place_kind }, { token: me.token })).place.place_id
}

/** A line of the sheet: number, name, type, model, place, direction, then parent, address, MAC and note. */
const line = (sn: string, more: Record<string, string> = {}) => {
  const cells: Record<string, string> = { device_sn: sn, device_name: `导入${sn}`, device_type: '人脸识别终端', model_code: 'JD-F10', path: `${campus.place_name}/导入门`, direction: '进', parent_sn: '', ip: '', mac: '', note: '', ...more }
  return device_columns.map(({ prop }) => cells[prop] ?? '')
}

async function settled(batch_no: string) {
  const read = async () => dataOf(importApi.one, await app.call(importApi.one, { batch_no }, { token: me.token }))
  await expect.poll(async () => ['uploaded', 'parsing', 'applying', 'undoing'].includes((await read()).state), { timeout: 60_000 }).toBe(false)
  return read()
}

async function upload(lines: string[][]) {
  const body = new Uint8Array(await writeTemplate({ sheet: '设备导入', notes: ['说明'], columns: labels.map(label => ({ label, prop: label, required: false })), samples: lines }))
  const { batch_no } = dataOf(importApi.upload, await app.call(importApi.upload, { code: 'device' }, { token: me.token, file: { name: '设备.xlsx', body } }))
  return settled(batch_no)
}

async function apply(batch_no: string) {
  dataOf(importApi.apply, await app.call(importApi.apply, { batch_no }, { token: me.token }))
  return settled(batch_no)
}

async function faults(batch_no: string) {
  const { list } = dataOf(importApi.rows, await app.call(importApi.rows, { batch_no, verdict: 'error', page_size: 300 }, { token: me.token }))
  return list.flatMap(row => row.errors.map(error => error.msg))
}

const states = () => tenant(db => sql<{ lifecycle: string; online: boolean; count: number }>`select lifecycle, online, count(*)::int as count from device where school_id = ${school_id} and device_sn like 'IMP-%' group by 1, 2 order by 1`.execute(db)).then(found => found.rows)
const inState = async (device_state: '1' | '5') => dataOf(deviceApi.list, await app.call(deviceApi.list, { keyword: 'IMP-', device_state }, { token: me.token })).total
const rowsOf = (table: string, column = 'school_id') => tenant(db => sql<{ count: number }>`select count(*)::int as count from ${sql.table(table)} where ${sql.ref(column)} = ${school_id}`.execute(db)).then(found => found.rows[0]?.count)

test('30-A1 an import of 300 devices makes devices that have never been online; the one that connects is', async () => {
  await aPlace('导入门', gate)
  const lines = Array.from({ length: 300 }, (_, n) => line(`IMP-${n}`, { ip: `10.0.${Math.floor(n / 200)}.${(n % 200) + 1}` }))
  const { batch_no, ...counts } = await upload(lines)
  expect(counts).toMatchObject({ rows_new: 300, rows_error: 0 })
  expect((await apply(batch_no)).state).toBe('applied')
  expect(await states()).toEqual([{ lifecycle: 'pending', online: false, count: 300 }])
  expect([await inState('5'), await inState('1'), await rowsOf('device_link_event')]).toEqual([300, 0, 0])

  const [device] = dataOf(deviceApi.list, await app.call(deviceApi.list, { keyword: 'IMP-7' }, { token: me.token })).list.filter(one => one.device_sn === 'IMP-7')
  const { setup } = dataOf(deviceApi.secret, await app.call(deviceApi.secret, { device_id: device?.device_id ?? '', row_version: device?.row_version ?? 0 }, { token: me.token }))
  const terminal = new JdevTerminal({ url: `mqtt://127.0.0.1:${port}`, sn: 'IMP-7', secret: setup.secret })
  await terminal.start()
  await expect.poll(states).toEqual([{ lifecycle: 'active', online: true, count: 1 }, { lifecycle: 'pending', online: false, count: 299 }])
  const links = await tenant(db => sql`select d.device_sn, e.kind from device_link_event e join device d on d.school_id = e.school_id and d.device_id = e.device_id where e.school_id = ${school_id}`.execute(db))
  expect([await inState('5'), await inState('1'), links.rows]).toEqual([299, 1, [{ device_sn: 'IMP-7', kind: 'online' }]])

  // What has connected since stays, and is named; the rest leaves nothing behind.
  dataOf(importApi.undo, await app.call(importApi.undo, { batch_no }, { token: me.token }))
  expect(await settled(batch_no)).toMatchObject({ rows_undone: 0, rows_blocked: 1 })
  dataOf(importApi.undo, await app.call(importApi.undo, { batch_no, partial: true }, { token: me.token }))
  expect(await settled(batch_no)).toMatchObject({ rows_undone: 299 })
  expect(await states()).toEqual([{ lifecycle: 'active', online: true, count: 1 }])
  const { list } = dataOf(importApi.rows, await app.call(importApi.rows, { batch_no, page_size: 300 }, { token: me.token }))
  expect(list.filter(row => JSON.stringify(row).includes('设备在导入后已连接、移动或被修改')).map(row => row.cells['device_sn'])).toEqual(['IMP-7'])
  await terminal.stop()
})

test('30-A32 of 617 rows the 30 bad ones are named with row, column and reason; undo leaves none of the others', async () => {
  await aPlace('导入卫生间', toilet)
  await app.call(deviceApi.create, { device_sn: 'IMP-KNOWN', device_name: '已有的名称', device_type: '01', model_code: 'JD-F10', place_id: campus.place_id }, { token: me.token })
  const bad = [
    line(''), line('IMP SPACE'), line('IMP-B3', { device_name: '' }), line('IMP-B4', { device_type: '飞机' }), line('IMP-B5', { model_code: 'NO-1' }), line('IMP-B6', { device_type: '电子班牌' }),
    line('IMP-B7', { path: '没有的门' }), line('IMP-B8', { ip: '300.1.1.1' }), line('IMP-B9', { path: `${campus.place_name}/导入卫生间` }), line('IMP-B10', { device_name: '已有的名称' }), line('IMP-B11', { parent_sn: 'NOBODY' }),
    line('IMP-B12', { direction: '上' }), line('IMP-B13', { mac: '00-11' }), line('IMP-TWICE', { device_name: '双一' }), line('IMP-TWICE', { device_name: '双二' }),
    ...Array.from({ length: 15 }, (_, n) => line(`IMP-M${n}`, { path: `没有的门${n}` })),
  ]
  const before = await Promise.all(['device', 'device_place', 'device_client', 'sync_row'].map(table => rowsOf(table)))
  const { batch_no, ...counts } = await upload([...Array.from({ length: 587 }, (_, n) => line(`IMP-G${n}`)), ...bad])
  expect(counts).toMatchObject({ rows_new: 587, rows_error: 30 })
  const told = await faults(batch_no)
  for (const sentence of ['设备序列号不能为空', '型号“NO-1”不存在', '型号与设备类型不一致', '场所“没有的门”不存在', 'IP地址不合法', '该场所为私密区域，不能绑定摄像机或人脸设备', '设备名称已存在，请换一个名称', '上级设备“NOBODY”不存在或不能接其他设备，请先登记网关、录像机、AI盒子或控制器', '方向为进、出或双向', '字典值不存在']) expect(told).toContain(sentence)
  expect(told.filter(sentence => sentence.startsWith('文件内序列号重复'))).toHaveLength(2)
  const { list } = dataOf(importApi.rows, await app.call(importApi.rows, { batch_no, verdict: 'error', page_size: 300 }, { token: me.token }))
  // The bad rows stand together at the end of the sheet.
  expect(list.map(row => row.row_no).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, n) => (list[0]?.row_no ?? 0) + n))
  const [twice] = list.filter(row => row.cells['device_sn'] === 'IMP-TWICE')
  expect([list.find(row => row.cells['device_sn'] === 'IMP-B8')?.errors, twice?.errors.map(error => error.label)]).toEqual([[{ prop: 'ip', label: 'IP地址', msg: 'IP地址不合法' }], ['设备序列号']])
  for (const row of list) await app.call(importApi.fix, { batch_no, row_no: row.row_no, skip: true }, { token: me.token })
  expect(await apply(batch_no)).toMatchObject({ rows_applied: 587 })
  dataOf(importApi.undo, await app.call(importApi.undo, { batch_no }, { token: me.token }))
  expect((await settled(batch_no)).state).toBe('undone')
  expect(await Promise.all(['device', 'device_place', 'device_client', 'sync_row'].map(table => rowsOf(table)))).toEqual(before)
})

test('a device that is known is changed and put back exactly; one that is the same is left alone', async () => {
  const place_id = await aPlace('另一个门', gate)
  const draft = { device_sn: 'CHG-1', device_name: '原名', device_type: '01' as const, model_code: 'JD-F10', place_id, note: '原备注' }
  const { device } = dataOf(deviceApi.create, await app.call(deviceApi.create, draft, { token: me.token }))
  const image = () => tenant(db => sql`select d.*, d.updated_at::text, (select jsonb_agg(jsonb_build_array(place_id, direction, valid_from, valid_to) order by id) from device_place p where p.school_id = d.school_id and p.device_id = d.device_id) as placed from device d where school_id = ${school_id} and device_id = ${device.device_id}`.execute(db)).then(found => found.rows)
  const before = await image()
  app.clock.advance(1000)
  const { batch_no, ...counts } = await upload([line('CHG-1', { device_name: '新名', note: '新备注' }), line('IMP-7', { device_name: '导入IMP-7' })])
  expect(counts).toMatchObject({ rows_error: 0 })
  await apply(batch_no)
  const listed = async () => dataOf(deviceApi.list, await app.call(deviceApi.list, { keyword: 'CHG-1' }, { token: me.token })).list[0]
  expect(await listed()).toMatchObject({ device_name: '新名', note: '新备注', node_path_name: `${campus.place_name}/导入门`, direction: 1 })
  const again = await upload([line('CHG-1', { device_name: '新名', note: '新备注' })])
  expect(again).toMatchObject({ rows_same: 1 })
  dataOf(importApi.undo, await app.call(importApi.undo, { batch_no }, { token: me.token }))
  await settled(batch_no)
  expect(await image()).toEqual(before)
})

test('the export holds the filtered list in the columns of the import, for whoever may', async () => {
  const other = await app.as({ school_id, codes: ['devices.device.view'], places: 'all' })
  expect((await app.call(deviceApi.export, {}, { token: other.token })).status).toBe(403)
  const clerk = await app.as({ school_id, codes: ['devices.device.view', 'devices.device.export'], places: 'all' })
  const texts = await sheetLines(await app.call(deviceApi.export, { keyword: 'IMP-7' }, { token: clerk.token }))
  expect(texts.find(cells => cells[0] === '设备序列号')?.slice(0, 6)).toEqual(['设备序列号', '设备名称', '设备类型', '型号', '场所全路径', '方向'])
  expect(texts.filter(cells => cells[0] === 'IMP-7').map(cells => cells.slice(0, 6))).toEqual([['IMP-7', '导入IMP-7', '人脸识别终端', 'JD-F10', `${campus.place_name}/导入门`, '进']])
})

import { dataOf, sheetLines, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { importApi } from '@campus/jobs/contract'
import { createDepts } from '@campus/people/server'
import { placeApi } from '@campus/places/contract'
import type { Place } from '@campus/places/contract'
import { writeTemplate } from '@kit/server/excel'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db } from '../db.ts'
import { placeUsePort } from '../use-port.ts'

const school_id = test_schools.a
const codes = ['places.place.view', 'places.place.edit', 'places.place.import', 'places.place.export']
const labels = ['上级场所全路径', '场所名称', '场所类型', '容纳人数', '班级全路径', '顺序']
let app: TestApp
let me: TestUser
let root: Place
let class_path: string
let used = ''

beforeAll(async () => {
  app = await startTestApp()
  me = await app.as({ school_id, codes, places: 'all' })
  root = await first()
  class_path = await aClass()
  placeUsePort.fill(app.running.app, async (_db, { place_ids }) => (place_ids.includes(used) ? [{ place_id: used, title: '电子班牌1台' }] : []))
})
afterAll(() => app.close())

const as = (who: TestUser = me) => ({ token: who.token })
const tenant = <R>(work: (db: Db) => Promise<R>) => app.running.database.tenant(school_id, work)

async function first(): Promise<Place> {
  const [campus] = dataOf(placeApi.tree, await app.call(placeApi.tree, {}, as())).list
  if (!campus) throw new Error('the school has no campus')
  return campus
}

async function aClass(): Promise<string> {
  const cohort = { tree: 'student' as const, grade: '31', enrol_year: 2026, stage: '3' }
  return app.running.database.tenant(school_id, async (db: Parameters<typeof createDepts>[0]) => {
    const top = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).where('parent_id', 'is', null).executeTakeFirstOrThrow()
    await createDepts(db, school_id, [{ key: 'grade', parent: top.id, dept_name: '一年级', dept_type: 3, ...cohort }, { key: 'class', parent: 'grade', dept_name: '一年级1班', dept_type: 4, class_no: 1, ...cohort }], '2026-09-01')
    return (await db.selectFrom('dept_now').select('pt_node_path_name').where('school_id', '=', school_id).where('dept_type', '=', 4).executeTakeFirstOrThrow()).pt_node_path_name
  })
}

const line = (above: string, place_name: string, kind = '普通教室', more: Partial<Record<string, string>> = {}) =>
  [above === '' ? root.place_name : `${root.place_name}/${above}`, place_name, kind, more['capacity'] ?? '', more['dept'] ?? '', more['order'] ?? '']

async function settled(batch_no: string, who = me) {
  const read = async () => dataOf(importApi.one, await app.call(importApi.one, { batch_no }, as(who)))
  await expect.poll(async () => ['uploaded', 'parsing', 'applying', 'undoing'].includes((await read()).state), { timeout: 60_000 }).toBe(false)
  return read()
}

async function upload(lines: string[][], who = me) {
  const body = new Uint8Array(await writeTemplate({ sheet: '场所导入', notes: ['说明'], columns: labels.map(label => ({ label, prop: label, required: false })), samples: lines }))
  const { batch_no } = dataOf(importApi.upload, await app.call(importApi.upload, { code: 'place' }, { ...as(who), file: { name: '场所.xlsx', body } }))
  return settled(batch_no, who)
}

async function apply(batch_no: string) {
  dataOf(importApi.apply, await app.call(importApi.apply, { batch_no }, as()))
  return settled(batch_no)
}

async function undo(batch_no: string, partial = false) {
  dataOf(importApi.undo, await app.call(importApi.undo, { batch_no, ...(partial ? { partial } : {}) }, as()))
  return settled(batch_no)
}

const whole = () => tenant(async db => (await sql`select p.*, p.updated_at::text, (select jsonb_agg(jsonb_build_array(dept_id, valid_from, valid_to)) from place_dept h where h.school_id = p.school_id and h.place_id = p.place_id) as homes from place p where school_id = ${school_id} order by node_path`.execute(db)).rows)
const paths = async () => (await tenant(db => db.selectFrom('place').select('node_path_name').where('school_id', '=', school_id).orderBy('node_path').execute())).map(row => row.node_path_name.replace(`${root.place_name}/`, ''))

async function faults(batch_no: string) {
  const { list } = dataOf(importApi.rows, await app.call(importApi.rows, { batch_no, verdict: 'error', page_size: 300 }, as()))
  return list.map(row => row.errors.map(error => error.msg).join(' '))
}

test('a building with floors, rooms and their class comes from one sheet, superiors behind what is below them, and goes again without a trace', async () => {
  const before = await whole()
  const sheet = [line('新楼/1层', '102', '普通教室', { order: '2' }), line('新楼/1层', '101', '普通教室', { capacity: '45', dept: class_path, order: '1' }), line('新楼/1层', '男厕', '卫生间', { order: '3' }), line('新楼', '1层', '楼层'), line('', '新楼', '楼栋')]
  const { batch_no, ...counts } = await upload(sheet)
  expect(counts).toMatchObject({ rows_new: 5, rows_error: 0 })
  expect(await apply(batch_no)).toMatchObject({ rows_applied: 5 })
  expect(await paths()).toEqual([root.place_name, '新楼', '新楼/1层', '新楼/1层/101', '新楼/1层/102', '新楼/1层/男厕'])
  const { list } = dataOf(placeApi.list, await app.call(placeApi.list, { keyword: '101' }, as()))
  expect(list[0]).toMatchObject({ capacity: 45, dept_name: '一年级1班', order: 1, depth: 4, is_leaf: true })
  expect(dataOf(placeApi.list, await app.call(placeApi.list, { keyword: '男厕' }, as())).list[0]?.private_zone).toBe(true)
  expect(await upload(sheet)).toMatchObject({ rows_same: 5 })
  expect(await undo(batch_no)).toMatchObject({ state: 'undone', rows_undone: 5 })
  expect(await whole()).toEqual(before)
})

test('what is wrong with a line is told in words: no superior, twice the same, too deep, a class that has a room', async () => {
  const make = async (superior_id: string, place_name: string, place_kind: number) => dataOf(placeApi.create, await app.call(placeApi.create, { superior_id, place_name, place_kind }, as())).place
  const building = await make(root.place_id, '旧楼', 2)
  const room = await make(building.place_id, '201', 4)
  const dept_id = await tenant(async db => (await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).where('dept_type', '=', 4).executeTakeFirstOrThrow()).id)
  await app.call(placeApi.home, { id: room.place_id, dept_id, from: '2026-09-01' }, as())
  const deep = Array.from({ length: 8 }, (_, at) => `深${at}`)
  const { batch_no, ...counts } = await upload([
    line('没有的楼', '101'), line('旧楼', '202'), line('旧楼', '202'), line('旧楼', '怪*名'), line('旧楼', '203', '飞机'), line('旧楼', '204', '普通教室', { capacity: '很多' }),
    line('旧楼', '205', '普通教室', { dept: class_path }), line('旧楼', '206', '办公室', { dept: `${class_path}0` }), ...deep.map((name, at) => line(deep.slice(0, at).join('/'), name, '其他')),
  ])
  expect(counts).toMatchObject({ rows_error: 9, rows_new: 7 })
  const told = (await faults(batch_no)).join('\n')
  for (const sentence of [`上级场所“${root.place_name}/没有的楼”不存在`, '同级场所名称已存在（第5行）', '不能包含特殊字符', '字典值不存在', '请填写0至100000的整数', `班级“一年级1班”已绑定场所“${root.place_name}/旧楼/201”`, `班级“${class_path}0”不存在`, '场所层级不能超过8级']) expect(told).toContain(sentence)

  // One line is mended in place and judged again.
  const [bad] = dataOf(importApi.rows, await app.call(importApi.rows, { batch_no, verdict: 'error' }, as())).list
  const mended = dataOf(importApi.fix, await app.call(importApi.fix, { batch_no, row_no: bad?.row_no ?? 0, cells: { superior_path: `${root.place_name}/旧楼` } }, as()))
  expect(mended.row).toMatchObject({ verdict: 'new', errors: [] })
})

test('a known place is changed and put back exactly; one with something in it does not become another kind', async () => {
  const [room] = dataOf(placeApi.list, await app.call(placeApi.list, { keyword: '201' }, as())).list
  const before = await whole()
  used = room?.place_id ?? ''
  const kept = await upload([line('旧楼', '201', '卫生间', { capacity: '10' })])
  expect(await faults(kept.batch_no)).toEqual([expect.stringContaining('该场所的用途不能更改：电子班牌1台，请先移走')])
  used = ''
  const { batch_no } = await upload([line('旧楼', '201', '专用教室', { capacity: '10' })])
  await apply(batch_no)
  expect((await app.call(placeApi.detail, { id: room?.place_id ?? '' }, as())).body.data).toMatchObject({ place: { place_kind: 5, capacity: 10, dept_name: '一年级1班' } })
  await undo(batch_no)
  expect(await whole()).toEqual(before)
})

test('a place in which something stands since the import stays with what is above it, and is named', async () => {
  const { batch_no } = await upload([line('', '留楼', '楼栋'), line('留楼', '301'), line('留楼', '302')])
  await apply(batch_no)
  used = dataOf(placeApi.list, await app.call(placeApi.list, { keyword: '301' }, as())).list[0]?.place_id ?? ''
  expect(await undo(batch_no)).toMatchObject({ rows_undone: 0, rows_blocked: 2 })
  expect(await undo(batch_no, true)).toMatchObject({ state: 'undone', rows_undone: 1 })
  used = ''
  expect((await paths()).filter(path => path.startsWith('留楼'))).toEqual(['留楼', '留楼/301'])
})

test('whoever sees single places adds below them only, and exports no more than he sees, in the columns of the import', async () => {
  const building = dataOf(placeApi.list, await app.call(placeApi.list, { keyword: '留楼' }, as())).list[0]
  const keeper = await app.as({ school_id, codes, places: [building?.place_id ?? ''] })
  expect(await upload([line('留楼', '303'), line('旧楼', '304')], keeper)).toMatchObject({ rows_new: 1, rows_error: 1 })
  expect((await app.call(placeApi.export, {}, as(await app.as({ school_id, codes: ['places.place.view'], places: 'all' })))).status).toBe(403)
  const texts = await sheetLines(await app.call(placeApi.export, {}, as(keeper)))
  const head = texts.findIndex(cells => cells[0] === labels[0])
  expect(texts[head]?.slice(0, 6)).toEqual(labels)
  expect(texts.slice(head + 1).map(cells => cells.slice(0, 3))).toEqual([[root.place_name, '留楼', '楼栋'], [`${root.place_name}/留楼`, '301', '普通教室']])
})

import { dataOf, startTestApp, test_schools, upload as uploadFile } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { addDays, mondayOf } from '@campus/calendar/contract'
import { dishApi, menuApi } from '@campus/canteen/contract'
import { importApi } from '@campus/jobs/contract'
import { createPlaces } from '@campus/places/server'
import { schoolDay } from '@campus/school/server'
import { drawJpeg } from '@kit/server/image'
import { writeTemplate } from '@kit/server/excel'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { menu_heads } from './menu.template.ts'

const { a: school_id } = test_schools
const meals = ['早餐', '课间加餐', '午餐', '午点', '晚餐', '夜宵']
let app: TestApp
let me: TestUser
let place_id: string
let monday: string

beforeAll(async () => {
  app = await startTestApp()
  // A sheet is for days to come, whatever today is.
  monday = mondayOf(addDays(schoolDay(app.clock.now()), 14))
  me = await app.as({ school_id, codes: 'all', places: 'all' })
  const canteen = { key: 'canteen', superior: null, place_name: '第一食堂', place_kind: 12, place_type: null, capacity: null }
  place_id = (await app.running.database.tenant(school_id, db => createPlaces(db, school_id, [canteen], '2026-09-01'))).get('canteen') ?? ''
})
afterAll(() => app.close())

const as = () => ({ token: me.token })
const dayOf = (at: number) => addDays(monday, at)
const line = (day: string, meal: string, dish: string, more: Partial<Record<'canteen' | 'kind' | 'allergens' | 'price' | 'kcal' | 'picture', string>> = {}) => {
  const { canteen = '', kind = '大荤', allergens = '大豆', price = '8.00', kcal = '420', picture = '' } = more
  return [day, meal, canteen, dish, kind, '猪肉', allergens, price, kcal, picture]
}

async function settled(batch_no: string) {
  const read = async () => dataOf(importApi.one, await app.call(importApi.one, { batch_no }, as()))
  const working = async () => ['uploaded', 'parsing', 'applying', 'undoing'].includes((await read()).state)
  await expect.poll(working, { timeout: 60_000 }).toBe(false)
  return read()
}

async function uploadBytes(body: Uint8Array): Promise<string> {
  const { batch_no } = dataOf(importApi.upload, await app.call(importApi.upload, { code: 'canteen_menu' }, { ...as(), file: { name: '食谱.xlsx', body } }))
  expect(await settled(batch_no)).toMatchObject({ state: 'parsed', message: null })
  return batch_no
}

async function upload(samples: string[][]): Promise<string> {
  const columns = menu_heads.map(label => ({ label, prop: label, required: false }))
  return uploadBytes(new Uint8Array(await writeTemplate({ sheet: '食谱导入', notes: ['说明'], columns, samples })))
}

const rowsOf = async (batch_no: string) => dataOf(importApi.rows, await app.call(importApi.rows, { batch_no }, as())).list
const menus = async () => dataOf(menuApi.list, await app.call(menuApi.list, {}, as())).list
const detail = async (id: string) => dataOf(menuApi.detail, await app.call(menuApi.detail, { id }, as()))
async function apply(batch_no: string) {
  await app.call(importApi.apply, { batch_no }, as())
  return settled(batch_no)
}

test('60-A31 of a thousand lines a hundred are wrong and nine hundred are applied; taken back, the week is what it was to the letter', async () => {
  const dish = dataOf(dishApi.add, await app.call(dishApi.add, { name: '原有菜', dish_kind: '3', allergens: [0], price_fen: 350, kcal: 90 }, as())).id
  const items = [{ day: monday, meal_kind: '3' as const, dish_id: dish }]
  const { id } = dataOf(menuApi.save, await app.call(menuApi.save, { place_id, crowd_type: 1, week_start: monday, items }, as()))
  const before = await detail(id)
  const good = Array.from({ length: 900 }, (_, at) => line(dayOf(at % 21), meals[Math.floor(at / 21) % 6] ?? '', `菜${Math.floor(at / 126)}`))
  const bad = Array.from({ length: 100 }, (_, at) => line(dayOf(at % 7), '宵夜', `错${at}`))
  const batch_no = await upload([...good, ...bad])
  expect(await settled(batch_no)).toMatchObject({ rows_new: 900, rows_error: 100 })
  const wrong = await app.call(importApi.rows, { batch_no, verdict: 'error', page_size: 300 }, as())
  for (const { row_no, errors } of dataOf(importApi.rows, wrong).list) {
    expect(errors.map(error => [error.label, error.msg])).toEqual([['餐次', '字典值不存在']])
    await app.call(importApi.fix, { batch_no, row_no, skip: true }, as())
  }
  expect(await apply(batch_no)).toMatchObject({ state: 'applied', rows_applied: 900 })
  expect((await menus()).map(row => row.dishes).toSorted()).toEqual([298, 301, 302])
  await app.call(importApi.undo, { batch_no }, as())
  await settled(batch_no)
  expect(await menus()).toHaveLength(1)
  const { row_version: _1, updated_at: _2, ...after } = await detail(id)
  const { row_version: _3, updated_at: _4, ...was } = before
  expect(after).toEqual(was)
  expect(dataOf(dishApi.list, await app.call(dishApi.list, {}, as())).total).toBe(1)
})

test('a picture that was brought in before is the photo of the dish that names it; a replaced one too; taken back, each dish has its own again', async () => {
  const drawing = async (width: number) => {
    const { bytes } = await drawJpeg(`<svg xmlns="http://www.w3.org/2000/svg" width="64" height="48"><rect width="${width}" height="48"/></svg>`)
    return uploadFile(app, me, { purpose: 'resource', name: `${width}.jpg`, body: bytes })
  }
  const own = { name: '糖醋排骨', dish_kind: '1' as const, allergens: [6], file_key: await drawing(3) }
  dataOf(dishApi.add, await app.call(dishApi.add, own, as()))
  const files = [{ file_key: await drawing(5), name: '排骨.jpg' }, { file_key: await drawing(7), name: '豆腐.jpg' }]
  expect(dataOf(dishApi.addPictures, await app.call(dishApi.addPictures, { files }, as())).added).toBe(2)
  const photoOf = async (name: string) => dataOf(dishApi.list, await app.call(dishApi.list, { keyword: name }, as())).list[0]?.file_key
  const before = await photoOf('糖醋排骨')
  const lines = [line(dayOf(14), '午餐', '糖醋排骨', { picture: '排骨.jpg' }), line(dayOf(14), '午餐', '麻婆豆腐', { picture: '豆腐.jpg' })]
  const batch_no = await upload(lines)
  await apply(batch_no)
  expect([await photoOf('糖醋排骨'), await photoOf('麻婆豆腐')]).toEqual(files.map(file => file.file_key))
  await app.call(importApi.undo, { batch_no }, as())
  await settled(batch_no)
  expect([await photoOf('糖醋排骨'), await photoOf('麻婆豆腐')]).toEqual([before, undefined])
})

test('every wrong cell says which and why; what was imported comes back unchanged from the export, a changed cell shows old and new', async () => {
  const wrong = [
    line('', '午餐', '甲'),
    line('2027-13-01', '午餐', '甲'),
    line(dayOf(7), '宵夜', '甲'),
    line(dayOf(7), '午餐', '甲', { kind: '荤菜' }),
    line(dayOf(7), '午餐', '乙', { allergens: '大豆；石头' }),
    line(dayOf(7), '午餐', '丙', { canteen: '第九食堂' }),
    line('2020-01-06', '午餐', '丁'),
    line(dayOf(7), '午餐', '戊', { price: '一千' }),
    line(dayOf(7), '午餐', '己', { picture: 'a.jpg' }),
    line(dayOf(7), '早餐', '庚'),
    line(dayOf(7), '早餐', '庚'),
  ]
  const said = (await rowsOf(await upload(wrong))).map(row => row.errors.map(error => error.msg).join())
  expect(said.slice(0, 9)).toEqual(['必填项不能为空', '格式不正确', '字典值不存在', '字典值不存在', '字典值不存在', '餐厅不存在', '日期不在可编辑范围', '格式不正确', '图片不存在：a.jpg'])
  expect(said.slice(9).every(text => text.startsWith('文件内重复'))).toBe(true)

  const good = [line(dayOf(7), '午餐', '红烧肉'), line(dayOf(8), '午餐', '清蒸鱼', { allergens: '鱼类', canteen: '第一食堂' }), line(dayOf(8), '晚餐', '红烧肉', { price: '', kcal: '' })]
  const batch_no = await upload(good)
  expect((await rowsOf(batch_no)).map(row => row.warnings.map(warning => warning.msg).join())).toEqual(['将新建菜品', '将新建菜品', '将新建菜品'])
  await apply(batch_no)
  const menu = (await menus()).find(row => row.week_start === dayOf(7))
  expect(menu).toMatchObject({ dishes: 3, days: 2, state: '0' })
  const sheet = await app.call(menuApi.export, { ids: menu?.id ?? '' }, as())
  const again = await uploadBytes(new Uint8Array(sheet.bytes))
  expect(await settled(again)).toMatchObject({ rows_same: 3, rows_error: 0 })
  const dearer = await upload([line(dayOf(7), '午餐', '红烧肉', { price: '9.50' })])
  const [changed] = await rowsOf(dearer)
  expect([changed?.verdict, changed?.diff]).toEqual(['change', [{ prop: 'price', label: '价格(元)', before: '8.00', after: '9.50' }]])
})

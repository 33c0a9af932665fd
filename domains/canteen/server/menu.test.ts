import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { dishApi, menuApi } from '@campus/canteen/contract'
import { createPlaces } from '@campus/places/server'
import { afterAll, beforeAll, expect, test } from 'vitest'

const { a: school_id } = test_schools
const [monday, next_monday] = ['2027-03-01', '2027-03-08'] as const
let app: TestApp
let me: TestUser
let place_id: string
let dishes: string[]

beforeAll(async () => {
  app = await startTestApp()
  me = await app.as({ school_id, codes: 'all', places: 'all' })
  place_id = await makeCanteen()
  dishes = []
  for (const [at, dish_kind] of (['1', '2', '3', '4', '5'] as const).entries()) dishes.push(dataOf(dishApi.add, await app.call(dishApi.add, { name: `菜${at}`, dish_kind, allergens: [6], price_fen: 800, kcal: 180 }, as())).id)
})
afterAll(() => app.close())

const as = () => ({ token: me.token })
const refusal = ({ status, body }: Answer) => [status, body.error_id]
const days = (from: string) => Array.from({ length: 5 }, (_, at) => new Date(Date.parse(from) + at * 86_400_000).toISOString().slice(0, 10))
const lunches = (from: string = monday) => days(from).flatMap(day => dishes.map(dish_id => ({ day, meal_kind: '3' as const, dish_id })))
const save = (more: object) => app.call(menuApi.save, { place_id, crowd_type: 1, week_start: monday, items: lunches(), ...more }, as())

async function makeCanteen(): Promise<string> {
  const made = await app.running.database.tenant(school_id, db => createPlaces(db, school_id, [{ key: 'canteen', superior: null, place_name: '第一食堂', place_kind: 12, place_type: null, capacity: null }], '2026-09-01'))
  return made.get('canteen') ?? ''
}

test('60-A30 a published menu keeps the words of its dishes; two editors: the later one reads that somebody was first', async () => {
  const saved = dataOf(menuApi.save, await save({ publish: 1 }))
  const [first = ''] = dishes
  const row = dataOf(dishApi.list, await app.call(dishApi.list, { keyword: '菜0' }, as())).list[0]
  const { id: _id, picture: _picture, ...rest } = row ?? { id: '', picture: null }
  await app.call(dishApi.update, { ...rest, id: first, name: '红烧肉', dish_kind: '1', price_fen: 1200, row_version: row?.row_version ?? 0 }, as())
  const shown = dataOf(menuApi.detail, await app.call(menuApi.detail, { id: saved.id, type: 1 }, as()))
  expect(shown.items.find(item => item.dish_id === first)).toMatchObject({ dish_name: '菜0', price_fen: 800 })
  expect((await save({ id: saved.id, row_version: saved.row_version })).status).toBe(200)
  expect(refusal(await save({ id: saved.id, row_version: saved.row_version }))).toEqual([409, 'canteen.menuStale'])
  expect(refusal(await save({}))).toEqual([409, 'canteen.menuExists'])
  expect(refusal(await app.call(dishApi.remove, { id: first }, as()))).toEqual([409, 'canteen.dishInUse'])
})

test('a day without lunch stops a publication; a copy is a draft of the other week; an exchanged dish says why', async () => {
  const [menu] = dataOf(menuApi.list, await app.call(menuApi.list, {}, as())).list
  const copied = dataOf(menuApi.copy, await app.call(menuApi.copy, { from_id: menu?.id ?? '', week_start: next_monday }, as()))
  const detail = dataOf(menuApi.detail, await app.call(menuApi.detail, { id: copied.id, type: 2 }, as()))
  expect([detail.state, detail.items.length, detail.items[0]?.day]).toEqual(['0', 25, next_monday])
  const items = lunches(next_monday).filter(item => item.day !== '2027-03-10')
  const refused = await save({ id: copied.id, week_start: next_monday, row_version: detail.row_version, items, publish: 1 })
  expect([refused.status, refused.body.msg]).toEqual([422, '2027-03-10午餐未安排菜品'])
  expect(dataOf(menuApi.fill, await app.call(menuApi.fill, { id: copied.id }, as())).added).toBe(0)
  const fresh = dataOf(dishApi.add, await app.call(dishApi.add, { name: '清炒西兰花', dish_kind: '3', kcal: 90 }, as()))
  const changed = await app.call(menuApi.substitute, { id: menu?.id ?? '', day: monday, meal_kind: '3', old_dish_id: dishes[2] ?? '', new_dish_id: fresh.id, reason: '原料未到货' }, as())
  expect(changed.status).toBe(200)
  const served = dataOf(menuApi.day, await app.call(menuApi.day, { day: monday }, as())).list
  expect(served.find(item => item.dish_id === fresh.id)).toMatchObject({ dish_name: '清炒西兰花', replaced_by: '原料未到货', place_name: '第一食堂' })
})

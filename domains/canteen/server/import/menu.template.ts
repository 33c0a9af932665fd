import { mondayOf } from '@campus/calendar/contract'
import { ALLERGEN, DISH_KIND, MEAL_KIND } from '@campus/canteen/contract'
import { importTemplate, missingCells } from '@campus/jobs/server'
import type { ApplyStep, Cells, Checked, Issue, Judgement, ReadStep, TemplateColumn } from '@campus/jobs/server'
import { inPlaces, visiblePlaces } from '@campus/places/server'
import { schoolDay } from '@campus/school/server'
import { dayOf } from '@kit/contract'
import { sql } from 'kysely'
import type { CanteenDb } from '../db.ts'
import { canteen_kinds } from '../menu.service.ts'
import { applyLines, marksOf, undoLines } from './menu.apply.ts'
import { keyOf, placeOf, wordsOf } from './menu.line.ts'
import type { Dish, Item, Line, Menu, Snapshot } from './menu.line.ts'
import { picturesOf } from './picture.service.ts'

const codesOf = (names: Readonly<Record<string, string>>) => new Map(Object.entries(names).map(([code, name]) => [name, code]))
const [meals, kinds, allergens] = [codesOf(MEAL_KIND.names), codesOf(DISH_KIND.names), codesOf(ALLERGEN.names)]
const money = /^\d{1,3}(\.\d{1,2})?$/u
const whole = /^\d{1,4}$/u
const [fen, most_kcal, most_name, most_ingredients, days_ahead] = [100, 3000, 30, 100, 366] as const
const day_ms = 86_400_000

const columns: TemplateColumn[] = [
  { label: '日期', prop: 'date', required: true, options: null, text: true, sample: '2026-09-07', note: '格式为2026-09-07，不能早于今天' },
  { label: '餐次', prop: 'meal', required: true, options: [...meals.keys()], text: false, sample: '午餐' },
  { label: '餐厅', prop: 'canteen', required: false, options: null, text: false, note: '全校只有一个餐厅时可不填' },
  { label: '菜品名称', prop: 'dish', required: true, options: null, text: false, sample: '红烧肉', note: '没有登记过的菜品将新建' },
  { label: '菜品类别', prop: 'dish_kind', required: true, options: [...kinds.keys()], text: false, sample: '大荤' },
  { label: '主要食材', prop: 'ingredients', required: false, options: null, text: false, sample: '猪肉' },
  { label: '致敏物质', prop: 'allergens', required: false, options: null, text: false, sample: '大豆', note: '多项用；隔开' },
  { label: '价格(元)', prop: 'price', required: false, options: null, text: false, sample: '8.00' },
  { label: '能量(千卡)', prop: 'kcal', required: false, options: null, text: false, sample: '420' },
  { label: '图片文件名', prop: 'picture', required: false, options: null, text: false, note: '先点“上传图片”，再在此写文件名，如红烧肉.jpg' },
]
/** Headers of the sheet, which the export uses too. */
export const menu_heads = columns.map(column => column.label)

/** 食谱导入: each line puts one dish into one meal of the working copy of its week (chapter 60 §6). */
export const menuTemplate = importTemplate<CanteenDb, TemplateColumn[], Line, Snapshot>({
  code: 'canteen_menu',
  page: '/CookWeekMenu',
  title: '食谱导入',
  file_name: '每周食谱导入模板.xlsx',
  sheet: '食谱导入',
  notes: ['填写说明：一行一道菜，导入到每周食谱的未发布版本，核对后再发布。', '价格、能量、致敏物质不填时按菜品登记的内容。'],
  need: 'canteen.menu.edit',
  words: async () => columns,
  columns: words => words,
  check: (_words, cells) => checkLine(cells),
  keys: ({ day, meal_kind, canteen, dish }) => [{ prop: 'dish', key: `${day} ${meal_kind} ${canteen} ${dish}` }],
  load: (step, rows) =>
    loadSnapshot(
      step,
      rows.map(row => row.parsed),
    ),
  judge: ({ parsed }, snapshot) => judgeLine(parsed, snapshot),
  apply: (step, rows, snapshot) => applyLines(step, rows, snapshot),
  undo: {
    marks: (step, keys, lock) => marksOf(step, keys, lock),
    reason: () => '食谱已发布或该菜品已修改，不能撤销',
    undo: (step, rows, kept) => undoLines(step, rows, kept),
  },
})

function checkLine(cells: Cells): Checked<Line> {
  const errors = missingCells(columns, cells)
  const { date = '', meal = '', canteen = '', dish = '', dish_kind = '', ingredients = '', price = '', kcal = '', picture = '' } = cells
  const wrong = (prop: string, msg: string) => errors.push({ prop, msg })
  const day = dayOf(date)
  const found = (cells['allergens'] ?? '').split(/[；;]/u).filter(name => name.trim() !== '')
  const codes = found.map(name => allergens.get(name.trim()))
  const [meal_kind, kind] = [meals.get(meal), kinds.get(dish_kind)]
  if (date !== '' && day === null) wrong('date', '格式不正确')
  if (meal !== '' && meal_kind === undefined) wrong('meal', '字典值不存在')
  if (dish_kind !== '' && kind === undefined) wrong('dish_kind', '字典值不存在')
  if (codes.includes(undefined)) wrong('allergens', '字典值不存在')
  if (dish.length > most_name) wrong('dish', `菜品名称超过${most_name}个字`)
  if (ingredients.length > most_ingredients) wrong('ingredients', `主要食材超过${most_ingredients}个字`)
  if (price !== '' && !money.test(price)) wrong('price', '格式不正确')
  if (kcal !== '' && (!whole.test(kcal) || Number(kcal) > most_kcal)) wrong('kcal', '格式不正确')
  if (day === null || meal_kind === undefined || kind === undefined || errors.length > 0) return { parsed: null, errors, warnings: [] }
  const parsed: Line = {
    day,
    meal_kind,
    canteen,
    dish,
    dish_kind: kind,
    ingredients,
    allergens: found.length === 0 ? null : codes.map(Number),
    price_fen: price === '' ? null : Math.round(Number(price) * fen),
    kcal: kcal === '' ? null : Number(kcal),
    picture,
  }
  return { parsed, errors, warnings: [] }
}

function judgeLine(line: Line, snapshot: Snapshot): Judgement {
  const errors: Issue[] = []
  const warnings: Issue[] = []
  const place_id = placeOf(snapshot, line)
  const last = new Date(Date.parse(snapshot.today) + days_ahead * day_ms).toISOString().slice(0, 10)
  if (place_id === null) errors.push({ prop: 'canteen', msg: '餐厅不存在' })
  if (line.day < snapshot.today || line.day > last) errors.push({ prop: 'date', msg: '日期不在可编辑范围' })
  const picture = snapshot.pictures.get(line.picture)
  if (line.picture !== '' && picture === undefined) errors.push({ prop: 'picture', msg: `图片不存在：${line.picture}` })
  const dish = snapshot.dishes.get(line.dish)
  if (!dish) warnings.push({ prop: 'dish', msg: '将新建菜品' })
  const menu = snapshot.menus.get(`${place_id ?? ''} ${mondayOf(line.day)}`)
  const item = menu && dish ? snapshot.items.get(keyOf({ ...line, menu_id: menu.menu_id, dish_id: dish.dish_id })) : undefined
  if (!item) return { verdict: 'new', target_id: null, diff: [{ prop: 'dish', before: '', after: line.dish }], errors, warnings }
  const diff = differences(item, wordsOf(line, item))
  if (picture !== undefined && picture !== dish?.file_key) diff.push({ prop: 'picture', before: '', after: line.picture })
  return { verdict: diff.length === 0 ? 'same' : 'change', target_id: keyOf(item), diff, errors, warnings }
}

type Words = ReturnType<typeof wordsOf>
const yuan = (price_fen: number) => (price_fen / fen).toFixed(2)
const namesOf = (codes: readonly number[]) =>
  [...codes]
    .toSorted((a, b) => a - b)
    .map(code => Object.entries(ALLERGEN.names).find(([one]) => one === String(code))?.[1] ?? '')
    .join('；')
const kindName = (code: string) => Object.entries(DISH_KIND.names).find(([one]) => one === code)?.[1] ?? code

function differences(before: Words, after: Words): Judgement['diff'] {
  const texts = (words: Words) => ({
    dish_kind: kindName(words.dish_kind),
    allergens: namesOf(words.allergens),
    price: yuan(words.price_fen),
    kcal: String(words.kcal),
  })
  const [old, fresh] = [texts(before), texts(after)]
  return (['dish_kind', 'allergens', 'price', 'kcal'] as const).flatMap(prop =>
    old[prop] === fresh[prop] ? [] : [{ prop, before: old[prop], after: fresh[prop] }],
  )
}

async function loadSnapshot(step: ReadStep<CanteenDb> | ApplyStep<CanteenDb>, lines: readonly Line[]): Promise<Snapshot> {
  const { db, school_id, now } = step
  const { rows: places } = await sql<{ place_id: string; place_name: string; path: string }>`
    select p.place_id::text as place_id, p.place_name, p.node_path_name as path from place_live_v p where p.school_id = ${school_id}
      and p.place_kind::int = any(${[...canteen_kinds]}::int[]) and ${inPlaces('p.node_path', await visiblePlaces(step))}`.execute(db)
  const weeks = [...new Set(lines.map(line => mondayOf(line.day)))]
  const { rows: menus } = await sql<Menu>`
    select menu_id::text as menu_id, place_id::text as place_id, week_start::text as week_start from canteen_menu
    where school_id = ${school_id} and week_start = any(${weeks}::date[]) order by crowd_type desc`.execute(db)
  const { rows: dishes } = await sql<Dish>`
    select dish_id::text as dish_id, name, dish_kind, price_fen, kcal::int as kcal, allergens, file_key from canteen_dish
    where school_id = ${school_id} and name = any(${lines.map(line => line.dish)}::text[])`.execute(db)
  const { rows: items } = await sql<Item>`
    select menu_id::text as menu_id, day::text as day, meal_kind, dish_id::text as dish_id, dish_kind, price_fen, kcal::int as kcal,
      allergens
    from canteen_menu_item
    where school_id = ${school_id} and rev = 0 and menu_id = any(${menus.map(menu => menu.menu_id)}::bigint[])`.execute(db)
  const endsOf = (path: string) => path.split('/').map((_, at, parts) => parts.slice(at).join('/'))
  return {
    today: schoolDay(now),
    canteens: places.map(({ place_id, place_name, path }) => ({ place_id, names: [place_name, ...endsOf(path)] })),
    // Of several menus of a week the one for pupils counts, which comes last.
    menus: new Map(menus.map(menu => [`${menu.place_id} ${menu.week_start}`, menu])),
    dishes: new Map(dishes.map(dish => [dish.name, dish])),
    items: new Map(items.map(item => [keyOf(item), item])),
    pictures: await picturesOf(
      step,
      lines.map(line => line.picture),
    ),
  }
}

import { api, del, dictionaryCode, Done, exportOf, flag, get, id, keyword, list, post, put } from '@kit/contract'
import { z } from 'zod'
import { ALLERGEN, DISH_KIND } from './dictionary.ts'

export const DishId = id('canteen.dish')
const count = z.number().int()
const allergen_names: Readonly<Record<string, string>> = ALLERGEN.names

export const DishDraft = z.strictObject({
  name: z.string().trim().min(1, { error: '请填写菜品名称' }).max(30, { error: '名称超过30个字' }),
  dish_kind: z.enum(DISH_KIND.codes, { error: '请选择菜品类别' }),
  ingredients: z.string().trim().max(100, { error: '主要食材超过100个字' }).default(''),
  allergens: z.array(z.number().int().min(0).max(8)).max(9).default([]),
  taboo: z.array(z.number().int().min(1).max(7)).max(7).default([]),
  price_fen: z.number().int({ error: '价格最多两位小数' }).min(0, { error: '价格不能小于0' }).max(99_999, { error: '价格不能超过999.99元' }).default(0),
  kcal: z.number().int().min(0).max(3000, { error: '能量为0到3000千卡' }).default(0),
  file_key: z.string().max(200).nullable().default(null),
  enabled: z.boolean().default(true),
})
export type DishDraft = z.output<typeof DishDraft>
export const DishRow = DishDraft.extend({ id: DishId, picture: z.string().nullable(), row_version: count })
export type DishRow = z.output<typeof DishRow>

export const dishList = list({
  title: '菜品', unit: '道', row: DishRow, key: 'id',
  columns: {
    name: { label: '菜品名称', width: 150 },
    dish_kind: { label: '类别', width: 84, names: DISH_KIND.names },
    ingredients: { label: '主要食材', width: 180 },
    allergens: { label: '致敏物质', width: 150, text: row => row.allergens.map(code => allergen_names[String(code)]).join('；') },
    price_fen: { label: '价格(元)', width: 84, kind: 'money' },
    kcal: { label: '能量(千卡)', width: 92, kind: 'number' },
    enabled: { label: '启用', width: 64, kind: 'flag' },
  },
  filters: { keyword: keyword('菜品名称/食材'), dish_kind: dictionaryCode('类别', 'DISH_KIND'), enabled: flag('状态', { 1: '启用', 0: '停用' }) },
})

const view = { need: 'canteen.dish.view' } as const
const edit = { need: 'canteen.dish.edit' } as const
/** Pictures that are brought in at once, to be named by a sheet of menus. */
export const most_dish_pictures = 50
const ById = z.object({ id: DishId })

/** The dishes of the school (chapter 60 §4.9). */
export const dishApi = api('web', 'canteen.dish', {
  list: get('cookMeal/list', { query: dishList.query, reply: dishList.reply, ...view }),
  export: exportOf(dishList, 'cookMeal/export', view),
  add: post('cookMeal/add', { body: DishDraft, reply: z.object({ id: DishId }), ...edit }),
  update: put('cookMeal/:id', { params: ById, body: DishDraft.extend({ row_version: count }), reply: Done, ...edit }),
  addPictures: post('cookMeal/pictures', {
    body: z.strictObject({
      files: z
        .array(z.strictObject({ file_key: z.string().max(200), name: z.string().trim().min(1).max(100, { error: '文件名超过100个字' }) }))
        .min(1, { error: '请选择图片' })
        .max(most_dish_pictures, { error: `一次最多${most_dish_pictures}张` }),
    }),
    reply: z.object({ added: count }),
    op: 3,
    ...edit,
  }),
  remove: del('cookMeal/:id', { params: ById, reply: Done, ...edit }),
})

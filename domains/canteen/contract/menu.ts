import { api, carried, choice, Day, download, firstDay, get, id, Instant, lastDay, list, post, queryList } from '@kit/contract'
import { z } from 'zod'
import { crowd_types, MEAL_KIND, MENU_STATE } from './dictionary.ts'
import { DishId } from './dish.ts'

export const MenuId = id('canteen.menu')
const PlaceId = id('places.place')
const count = z.number().int()
const most_items = 400

export const MenuRow = z.object({
  id: MenuId, place_id: PlaceId, place_name: z.string(), crowd_type: count, week_start: Day, state: z.enum(MENU_STATE.codes), rev: count, dishes: count, days: count, has_changes: z.boolean(), updated_by_name: z.string().nullable(), updated_at: Instant, row_version: count,
})
export type MenuRow = z.output<typeof MenuRow>
export const menuList = list({
  title: '每周食谱', unit: '份', row: MenuRow, key: 'id',
  columns: {
    week_start: { label: '周起始日', width: 112, kind: 'day' },
    place_name: { label: '餐厅', width: 160 },
    crowd_type: { label: '对象', width: 84, names: crowd_types },
    state: { label: '状态', width: 96, names: MENU_STATE.names },
    rev: { label: '版本', width: 64, kind: 'number' },
    days: { label: '已排天数', width: 84, kind: 'number' },
    dishes: { label: '菜品数', width: 84, kind: 'number' },
    updated_by_name: { label: '修改人', width: 96 },
    updated_at: { label: '修改时间', width: 140, kind: 'instant' },
  },
  filters: { state: choice('状态', MENU_STATE.names), crowd_type: choice('对象', crowd_types), from: firstDay('周起始日', 'to'), to: lastDay(), place_id: carried('', PlaceId) },
})

/** One dish of one meal of one day, in the words of when it was put there (chapter 60 rule 43). */
export const MenuItem = z.object({ day: Day, meal_kind: z.enum(MEAL_KIND.codes), dish_id: DishId, dish_name: z.string(), dish_kind: z.string(), price_fen: count, kcal: count, allergens: z.array(count), replaced_by: z.string().nullable() })
export type MenuItem = z.output<typeof MenuItem>
export const MenuDetail = MenuRow.extend({ items: z.array(MenuItem), warnings: z.array(z.string()) })
export type MenuDetail = z.output<typeof MenuDetail>

const Cell = z.strictObject({ day: Day, meal_kind: z.enum(MEAL_KIND.codes), dish_id: DishId })
const view = { need: 'canteen.menu.view', within: 'place' } as const
const edit = { need: 'canteen.menu.edit', within: 'place' } as const
const publish = { need: 'canteen.menu.publish', within: 'place' } as const
const Saved = z.object({ id: MenuId, row_version: count, warnings: z.array(z.string()) })

/** Week menus: a working copy and its published revisions (chapter 60 §4.9). `type` 1 the published one, 2 the working copy. */
export const menuApi = api('web', 'canteen.menu', {
  list: get('cookMenu/list', { query: menuList.query, reply: menuList.reply, ...view }),
  places: get('cookMenu/places', { reply: z.object({ list: z.array(z.object({ place_id: PlaceId, place_name: z.string() })) }), ...view }),
  detail: get('cookMenu/list_by_id_and_type', { query: z.object({ id: MenuId, type: z.coerce.number().int().min(1).max(2).default(2) }), reply: MenuDetail, ...view }),
  save: post('cookMenu/edit_publish', {
    body: z.strictObject({
      id: MenuId.optional(), place_id: PlaceId, crowd_type: z.number().int().min(1).max(3), week_start: Day, row_version: count.default(0), items: z.array(Cell).max(most_items, { error: `一周最多${most_items}道菜` }), publish: z.union([z.literal(0), z.literal(1)]).default(0),
      note: z.string().trim().max(100).default(''),
    }), reply: Saved, op: 4, ...edit,
  }),
  withdraw: post('cookMenu/withdraw', { body: z.strictObject({ id: MenuId }), reply: z.object({}), op: 4, ...publish }),
  copy: post('cookMenu/copy', { body: z.strictObject({ from_id: MenuId, week_start: Day }), reply: z.object({ id: MenuId }), ...edit }),
  substitute: post('cookMenu/substitute', {
    body: z.strictObject({ id: MenuId, day: Day, meal_kind: z.enum(MEAL_KIND.codes), old_dish_id: DishId, new_dish_id: DishId, reason: z.string().trim().min(1, { error: '请填写换菜原因' }).max(60) }), reply: z.object({}), op: 4, ...publish,
  }),
  fill: post('cookMenu/fill', { body: z.strictObject({ id: MenuId }), reply: z.object({ added: count }), op: 4, ...edit }),
  export: get('cookMenu/export_cook_menu', { query: z.object({ ids: queryList(MenuId, 60) }), reply: download, op: 7, need: 'canteen.menu.export', within: 'place' }),
  day: get('cookMenu/day', { query: z.object({ day: Day }), reply: z.object({ list: z.array(MenuItem.extend({ place_name: z.string() })) }), session: true, within: 'self' }),
})

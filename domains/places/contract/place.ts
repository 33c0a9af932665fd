import { DeptId, UserId } from '@campus/people/contract'
import { api, Day, del, filter, get, Instant, page, PageQuery, post, put, QueryFlag, sheet } from '@kit/contract'
import { checkNoSpecial, trimName } from '@kit/contract/checks'
import type { Verdict } from '@kit/contract/checks'
import { z } from 'zod'
import { PlaceId } from './place-id.ts'

/** Deepest level of the tree (chapter 30 §1.1). */
export const most_depth = 8
/** Places made in one go (chapter 30 §4). */
export const most_generated = 500
/** People a place holds at most. */
export const most_capacity = 100_000
/** Classes that get their rooms in one go. */
const most_homes = 200
/** People who look after one place. */
const most_managers = 20

const longest_name = 50
/** What is wrong with the name of a place, which is trimmed already; null: nothing. */
export function checkPlaceName(name: string): Verdict {
  if (name === '') return '请填写场所名称'
  return name.length > longest_name ? `超过${longest_name}个字` : checkNoSpecial(name)
}

const PlaceName = z.string({ error: '请填写场所名称' }).overwrite(trimName).superRefine((name, context) => {
  const verdict = checkPlaceName(name)
  if (verdict) context.addIssue({ code: 'custom', message: verdict })
})
const Kind = z.number({ error: '请选择场所类型' }).int().min(1).max(99)
const Capacity = z.number().int({ error: '请填写整数' }).min(0, { error: '不能小于0' }).max(most_capacity, { error: `不能大于${most_capacity}` }).nullable()
const Area = z.number().min(0, { error: '不能小于0' }).max(999_999, { error: '不能大于999999' }).nullable()
const Order = z.number().int().min(1).max(9999)
const Version = z.number().int()

const editable = {
  place_name: PlaceName,
  place_kind: Kind,
  place_type: z.number().int().nullable(),
  building_use: z.number().int().nullable(),
  capacity: Capacity,
  area_m2: Area,
  private_zone: z.boolean(),
}

/** A place as it is told: `dept_id` is the class whose home room it is today. */
export const Place = z.object({
  place_id: PlaceId,
  superior_id: PlaceId.nullable(),
  place_name: z.string(),
  place_kind: z.number().int(),
  place_type: z.number().int().nullable(),
  building_use: z.number().int().nullable(),
  order: z.number().int(),
  capacity: z.number().int().nullable(),
  area_m2: z.number().nullable(),
  node_path_name: z.string(),
  depth: z.number().int(),
  is_leaf: z.boolean(),
  private_zone: z.boolean(),
  status: z.enum(['open', 'closed']),
  closed_on: Day.nullable(),
  row_version: Version,
  dept_id: DeptId.nullable(),
  dept_name: z.string().nullable(),
})
export type Place = z.output<typeof Place>
export type PlaceNode = Place & { children?: PlaceNode[] | undefined }
export const PlaceNode: z.ZodType<PlaceNode> = Place.extend({ children: z.lazy(() => z.array(PlaceNode)).optional() })

/** A new place; without a superior it is a campus. */
export const PlaceDraft = z.strictObject({
  superior_id: PlaceId.nullable(),
  place_name: PlaceName,
  place_kind: Kind,
  place_type: editable.place_type.default(null),
  building_use: editable.building_use.default(null),
  capacity: Capacity.default(null),
  area_m2: Area.default(null),
  private_zone: z.boolean().default(false),
})
export type PlaceDraft = z.output<typeof PlaceDraft>

/** What changes of a place; where it stands is changed by moving it. */
export const PlacePatch = z.strictObject({ row_version: Version, ...z.object(editable).partial().shape })
export type PlacePatch = z.output<typeof PlacePatch>

export const PlaceManager = z.object({ user_id: UserId, user_name: z.string(), user_no: z.string() })
export type PlaceManager = z.output<typeof PlaceManager>
export const PlaceDetail = z.object({ place: Place, managers: z.array(PlaceManager) })
export type PlaceDetail = z.output<typeof PlaceDetail>

/** What stands in the way of closing a place, each as a person would name it, and who would look after it no more. `home`: the class that lives there; `way`: what to do about it. */
export const PlaceClosing = z.object({ held: z.array(z.object({ kind: z.enum(['below', 'home', 'other']), title: z.string(), way: z.string().optional() })), managers: z.array(PlaceManager) })
export type PlaceClosing = z.output<typeof PlaceClosing>

/** Floors with rooms below a building, or below a campus with a building of a new name. `{building}` `{floor}` `{nn}` (two digits) `{n}` stand in the pattern. */
export const PlaceGenerator = z.strictObject({
  superior_id: PlaceId,
  building_name: PlaceName.nullable().default(null),
  building_kind: z.union([z.literal(2), z.literal(10)]).default(2),
  from_floor: z.number({ error: '请填写起始楼层' }).int({ error: '请填写整数' }).min(1, { error: '起始楼层至少为1' }).max(60, { error: '起始楼层最多为60' }).default(1),
  floors: z.number({ error: '请填写楼层数' }).int().min(1, { error: '至少1层' }).max(60, { error: '最多60层' }),
  per_floor: z.number({ error: '请填写每层房间数' }).int().min(1, { error: '每层至少1间' }).max(100, { error: '每层最多100间' }),
  room_kind: Kind,
  name_pattern: z.string().trim().min(1, { error: '请填写命名规则' }).max(30, { error: '超过30个字' }).regex(/\{n{1,2}\}/u, { error: '命名规则要包含{nn}或{n}，否则同层房间会重名' }),
  capacity: Capacity.default(null),
})
export type PlaceGenerator = z.output<typeof PlaceGenerator>
/** What a generator makes; places that are there already are left as they are. */
export const GeneratedFloor = z.object({ floor_name: z.string(), is_new: z.boolean(), rooms: z.array(z.object({ place_name: z.string(), is_new: z.boolean() })) })
export type GeneratedFloor = z.output<typeof GeneratedFloor>

const HomePair = z.strictObject({ dept_id: DeptId, place_id: PlaceId })
/** Classes without a room, free rooms, and which would suit which. */
export const AddableClass = z.object({
  purpose: z.literal('class'),
  classes: z.array(z.object({ dept_id: DeptId, dept_name: z.string() })),
  rooms: z.array(z.object({ place_id: PlaceId, place_name: z.string(), node_path_name: z.string(), capacity: z.number().int().nullable() })),
  pairs: z.array(HomePair),
})
export type AddableClass = z.output<typeof AddableClass>

/** Devices that stand nowhere, or cameras that watch nothing; the open places without places below that could take them, and which would suit which. */
export const AddableDevice = z.object({
  purpose: z.enum(['device', 'camera']),
  devices: z.array(z.object({ device_id: z.string(), device_name: z.string(), device_type: z.string(), device_sn: z.string() })),
  rooms: z.array(z.object({ place_id: PlaceId, node_path_name: z.string() })),
  pairs: z.array(z.object({ device_id: z.string(), place_id: PlaceId })),
})
export type AddableDevice = z.output<typeof AddableDevice>

/** What a place was to somebody from a moment until another (exclusive, null: still). Classes and managers change with the day; `name`: what it was called then. `note`: what more there is to say. */
export const PlaceEra = z.object({ kind: z.enum(['class', 'manager', 'device', 'camera', 'rule', 'profile', 'name']), title: z.string(), note: z.string().nullable(), from: Instant, to: Instant.nullable() })
export type PlaceEra = z.output<typeof PlaceEra>

const byId = z.object({ id: PlaceId })
const view = { need: 'places.place.view', within: 'place' } as const
const edit = { need: 'places.place.edit', within: 'place' } as const
const Placed = z.object({ place: Place })

/** What places are looked for by; `superior_id` means everything below. */
const asked = { place_kind: filter(z.coerce.number().int()), superior_id: filter(PlaceId), dept_id: filter(DeptId), keyword: filter(z.string().trim().max(longest_name)), status: filter(z.enum(['open', 'closed'])) }

/** The place tree and what lives in it (chapter 30 §4). */
export const placeApi = api('core', 'places.place', {
  tree: get('place/tree', {
    query: z.object({ lazy: filter(QueryFlag), superior_id: filter(PlaceId), keyword: filter(z.string().trim().max(longest_name)), at: filter(Day) }),
    reply: z.object({ list: z.array(PlaceNode), is_lazy: z.boolean(), total: z.number().int() }),
    ...view,
  }),
  list: get('place/list', {
    query: PageQuery.extend(asked),
    reply: page(Place),
    ...view,
  }),
  export: post('place/export', { body: z.strictObject(asked), reply: sheet, need: 'places.place.export', within: 'place', op: 7 }),
  addable: get('place/addable', { query: z.object({ purpose: z.enum(['class', 'device', 'camera']), device_type: filter(z.string().regex(/^[0-9]{2}$/)) }), reply: z.discriminatedUnion('purpose', [AddableClass, AddableDevice]), ...edit }),
  detail: get('place/:id', { params: byId, reply: PlaceDetail, ...view }),
  history: get('place/:id/history', { params: byId, query: z.object({ at: filter(Day) }), reply: z.object({ list: z.array(PlaceEra) }), ...view }),
  closing: get('place/:id/closing', { params: byId, reply: PlaceClosing, ...edit }),
  create: post('place', { body: PlaceDraft, reply: Placed, ...edit }),
  update: put('place/:id', { params: byId, body: PlacePatch, reply: Placed, ...edit }),
  remove: del('place/:id', { params: byId, query: z.object({ row_version: z.coerce.number().int() }), reply: Placed, ...edit }),
  reopen: post('place/reopen', { body: z.strictObject({ place_id: PlaceId, row_version: Version }), reply: Placed, op: 4, ...edit }),
  preview: post('place/batch/preview', { reads: true, body: PlaceGenerator, reply: z.object({ floors: z.array(GeneratedFloor), made: z.number().int() }), ...edit }),
  batch: post('place/batch', { body: PlaceGenerator, reply: z.object({ made: z.number().int(), superior_id: PlaceId }), ...edit }),
  move: post('place/move', { body: z.strictObject({ place_id: PlaceId, superior_id: PlaceId, order: Order.optional(), row_version: Version }), reply: Placed, op: 4, ...edit }),
  order: post('place/order', { body: z.strictObject({ place_id: PlaceId, order: Order }), reply: z.object({ place_ids: z.array(PlaceId) }), op: 4, ...edit }),
  home: put('place/:id/dept', { params: byId, body: z.strictObject({ dept_id: DeptId.nullable(), from: Day }), reply: Placed, ...edit }),
  homes: post('place/homes', { body: z.strictObject({ pairs: z.array(HomePair).min(1, { error: '请选择班级' }).max(most_homes), from: Day }), reply: z.object({ bound: z.number().int() }), op: 4, ...edit }),
  managers: put('place/:id/managers', { params: byId, body: z.strictObject({ user_ids: z.array(UserId).max(most_managers, { error: `最多${most_managers}人` }) }), reply: PlaceDetail, ...edit }),
})

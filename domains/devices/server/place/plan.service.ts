import { devicesErrors, plan_side_px } from '@campus/devices/contract'
import type { FloorPlan, floorPlanApi } from '@campus/devices/contract'
import { addressOf, claim, release } from '@campus/files/server'
import { isInPlaces, placeScope } from '@campus/places/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import type { Pre } from '@kit/server/http'
import type { DevicesCtx } from '../db.ts'
import { requirePath } from '../device.service.ts'
import { planUse } from './plan.create.ts'
import { findPlan, readPins, whereabouts } from './plan.queries.ts'

const visibility = 'school'
type Pinned = Pick<Input<typeof floorPlanApi.pin>, 'device_id' | 'place_id'>

/** The picture of a place and what lies where on it; null without a picture. @throws Refusal 404 */
export async function readPlan(ctx: DevicesCtx, place_id: string): Promise<Reply<typeof floorPlanApi.read>> {
  const { node_path } = await requirePath(ctx, place_id, await placeScope(ctx))
  return { plan: await toldPlan(ctx, place_id, node_path) }
}

async function toldPlan({ app, db, school_id, now, me }: DevicesCtx, place_id: string, node_path: string): Promise<FloorPlan | null> {
  const plan = await findPlan(db, school_id, place_id)
  if (!plan) return null
  const { file_key, width, height, drawn_at } = plan
  return { place_id, address: addressOf(app, now, { school_id, file_key, visibility }, me), width, height, drawn_at: drawn_at.toISOString(), pins: await readPins(db, school_id, { place_id, node_path }) }
}

/** Takes an uploaded picture as the plan of a place; the pins keep their parts of it. @throws Refusal 404, 415 for what is no picture */
export async function keepPlan(pre: Pre, { id, file_key }: Input<typeof floorPlanApi.save>): Promise<(ctx: DevicesCtx) => Promise<Reply<typeof floorPlanApi.save>>> {
  const enter = await claim(pre, { file_key, purpose: 'resource', fit: { width: plan_side_px, height: plan_side_px } })
  return async ctx => {
    const { db, school_id, now, me } = ctx
    const { node_path, node_path_name } = await requirePath(ctx, id, await placeScope(ctx))
    const before = await findPlan(db, school_id, id)
    if (before && before.file_key !== file_key) await release(ctx, planUse(id), { file_key: before.file_key })
    const { width, height } = await enter(ctx, planUse(id))
    if (width === null || height === null) throw fail(devicesErrors.planPicture)
    const drawn = { file_key, width, height, drawn_at: now, drawn_by: me.user_id }
    await db.insertInto('floor_plan').values({ school_id, place_id: id, ...drawn }).onConflict(conflict => conflict.columns(['school_id', 'place_id']).doUpdateSet(drawn)).execute()
    ctx.note({ target_kind: 'devices.floor_plan', target_id: id, target_name: node_path_name, before: { 平面图: before ? '有' : '无' }, after: { 平面图: '已更换' } })
    const plan = await toldPlan(ctx, id, node_path)
    if (!plan) throw fail(commonErrors.notFound)
    return { plan }
  }
}

/** Takes the picture of a place away with its pins. @throws Refusal 404 */
export async function dropPlan(ctx: DevicesCtx, place_id: string): Promise<{ removed: boolean }> {
  const { db, school_id } = ctx
  const { node_path_name } = await requirePath(ctx, place_id, await placeScope(ctx))
  const before = await db.deleteFrom('floor_plan').where('school_id', '=', school_id).where('place_id', '=', place_id).returning('file_key').executeTakeFirst()
  if (before) await release(ctx, planUse(place_id))
  ctx.note({ target_kind: 'devices.floor_plan', target_id: place_id, target_name: node_path_name, before: { 平面图: before ? '有' : '无' }, after: { 平面图: '无' } })
  return { removed: before !== undefined }
}

/** Puts a device or a place below on the picture, or moves it there. @throws Refusal 404, 409 planMissing, 422 planOutside */
export async function pin(ctx: DevicesCtx, { id, device_id, place_id, x, y }: Input<typeof floorPlanApi.pin>): Promise<Reply<typeof floorPlanApi.pin>> {
  const { db, school_id } = ctx
  const name = await requireBelow(ctx, id, { device_id, place_id })
  if (!(await findPlan(db, school_id, id))) throw fail(devicesErrors.planMissing)
  const at = { x: String(x), y: String(y) }
  const own = { school_id, place_id: id, device_id: device_id ?? null, pinned_place_id: place_id ?? null }
  const column = device_id === undefined ? ('pinned_place_id' as const) : ('device_id' as const)
  await db.insertInto('floor_pin').values({ ...own, ...at }).onConflict(conflict => conflict.columns(['school_id', 'place_id', column]).where(column, 'is not', null).doUpdateSet(at)).execute()
  ctx.note({ target_kind: 'devices.floor_plan', target_id: id, target_name: name, after: { x, y } })
  return { pin: { kind: device_id === undefined ? 'place' : 'device', id: device_id ?? place_id ?? '', x, y } }
}

/** Takes something off the picture. @throws Refusal 404 */
export async function unpin(ctx: DevicesCtx, { id, device_id, place_id }: Input<typeof floorPlanApi.unpin>): Promise<{ removed: boolean }> {
  const { db, school_id } = ctx
  const { node_path_name } = await requirePath(ctx, id, await placeScope(ctx))
  const gone = await db
    .deleteFrom('floor_pin')
    .where('school_id', '=', school_id)
    .where('place_id', '=', id)
    .where(device_id === undefined ? 'pinned_place_id' : 'device_id', '=', device_id ?? place_id ?? '')
    .executeTakeFirst()
  ctx.note({ target_kind: 'devices.floor_plan', target_id: id, target_name: node_path_name, before: { device_id, place_id } })
  return { removed: gone.numDeletedRows > 0n }
}

/** The name of what lies in or below the place of the plan. @throws Refusal 404, 422 planOutside */
async function requireBelow(ctx: DevicesCtx, id: string, pinned: Pinned): Promise<string> {
  const { node_path } = await requirePath(ctx, id, await placeScope(ctx))
  const found = await whereabouts(ctx.db, ctx.school_id, pinned)
  if (!found) throw fail(commonErrors.notFound)
  if (!isInPlaces(found.node_path, [node_path]) || pinned.place_id === id) throw fail(devicesErrors.planOutside, { params: { name: found.name } })
  return found.name
}

import { devicesErrors } from '@campus/devices/contract'
import type { DeviceRule, FollowerState, ruleApi } from '@campus/devices/contract'
import { isInPlaces, placeScope } from '@campus/places/server'
import type { PlaceScope } from '@campus/places/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import type { DevicesCtx } from '../db.ts'
import { readFollowers } from './follower.queries.ts'
import { devicesOf, oneRule, readRules, readTargets, toldRule } from './rule.queries.ts'
import type { Aim, RuleRecord, RuleTarget } from './rule.queries.ts'

/** The rules of a kind that are for something in the places the reader may see. */
export async function listRules(ctx: DevicesCtx, { rule_kind, enabled, keyword, page_index, page_size }: Input<typeof ruleApi.page>): Promise<Reply<typeof ruleApi.page>> {
  const { db, school_id } = ctx
  const scope = await placeScope(ctx)
  const rules = await readRules(db, school_id, rule_kind)
  const targets = await readTargets(db, school_id, rules.map(rule => rule.rule_id))
  const seen = rules.filter(rule => isSeen(rule, targets, scope) && (enabled === undefined || rule.enabled === enabled) && (keyword === undefined || rule.rule_name.includes(keyword)))
  const list: DeviceRule[] = []
  for (const rule of seen.slice((page_index - 1) * page_size, page_index * page_size)) list.push(await counted(ctx, rule, targets))
  return { list, total: seen.length }
}

/** One rule as it is told. @throws Refusal 404 */
export async function tellRule(ctx: DevicesCtx, rule_id: string): Promise<{ rule: DeviceRule }> {
  const { db, school_id } = ctx
  const scope = await placeScope(ctx)
  const rule = await oneRule(db, { school_id, rule_id })
  const targets = await readTargets(db, school_id, [rule_id])
  if (!rule || !isSeen(rule, targets, scope)) throw fail(commonErrors.notFound)
  return { rule: await counted(ctx, rule, targets) }
}

/** The devices of a rule in the reader's places: which follow it, and why the others do not. @throws Refusal 404 */
export async function listFollowers(ctx: DevicesCtx, rule_id: string): Promise<Reply<typeof ruleApi.followers>> {
  const { db, school_id } = ctx
  const scope = await placeScope(ctx)
  const rule = await oneRule(db, { school_id, rule_id })
  const targets = await readTargets(db, school_id, [rule_id])
  if (!rule || !isSeen(rule, targets, scope)) throw fail(commonErrors.notFound)
  const devices = await devicesOf(db, school_id, rule.rule_kind, aimOf(targets))
  return { list: await readFollowers(db, school_id, rule, devices.filter(device => lies(device, scope))) }
}

/** A rule that the caller may change: everything it is for lies in his places. Locked. @throws Refusal 404, 409 staleRow */
export async function lockRule(ctx: DevicesCtx, rule_id: string, row_version?: number): Promise<{ rule: RuleRecord; aim: Aim }> {
  const { db, school_id } = ctx
  const scope = await placeScope(ctx)
  const rule = await oneRule(db, { school_id, rule_id, lock: true })
  const targets = await readTargets(db, school_id, [rule_id])
  if (!rule || !(scope === 'all' || targets.every(target => lies(target, scope)))) throw fail(commonErrors.notFound)
  if (row_version !== undefined && rule.row_version !== row_version) throw fail(devicesErrors.staleRow)
  return { rule, aim: aimOf(targets) }
}

/** What a rule is to be for exists and lies in the caller's places. @throws Refusal 404 */
export async function requireAim(ctx: DevicesCtx, { device_ids, place_ids }: Aim): Promise<void> {
  const { db, school_id } = ctx
  const scope = await placeScope(ctx)
  const places = place_ids.length === 0 ? [] : await db.selectFrom('place_live_v').select(['place_id', 'node_path']).where('school_id', '=', school_id).where('place_id', 'in', [...place_ids]).execute()
  const devices = await devicesOf(db, school_id, 1, { device_ids, place_ids: [] })
  const is_complete = places.length === new Set(place_ids).size && devices.length === new Set(device_ids).size
  const is_inside = [...places, ...devices].every(one => lies(one, scope))
  if (!is_complete || !is_inside) throw fail(commonErrors.notFound)
}

export function aimOf(targets: readonly RuleTarget[]): Aim {
  return { device_ids: targets.flatMap(target => target.device_id ?? []), place_ids: targets.flatMap(target => target.place_id ?? []) }
}

async function counted({ db, school_id }: DevicesCtx, rule: RuleRecord, targets: readonly RuleTarget[]): Promise<DeviceRule> {
  const devices = await devicesOf(db, school_id, rule.rule_kind, aimOf(targets.filter(target => target.rule_id === rule.rule_id)))
  const by_state = Map.groupBy(await readFollowers(db, school_id, rule, devices), follower => follower.state)
  const count = (state: FollowerState) => by_state.get(state)?.length ?? 0
  const devices_unsupported = count('unsupported') + count('gate')
  const devices_why = [...by_state].flatMap(([state, of]) => (state === 'applied' ? [] : [{ state, count: of.length }]))
  return { ...toldRule(rule, targets), devices_wanted: devices.length - devices_unsupported, devices_applied: count('applied'), devices_unsupported, devices_why }
}

function isSeen({ rule_id }: RuleRecord, targets: readonly RuleTarget[], scope: PlaceScope): boolean {
  return scope === 'all' || targets.some(target => target.rule_id === rule_id && lies(target, scope))
}

/** What stands nowhere is for whoever sees all places. */
function lies({ node_path }: { node_path: string | null }, scope: PlaceScope): boolean {
  return scope === 'all' || (node_path !== null && isInPlaces(node_path, scope))
}

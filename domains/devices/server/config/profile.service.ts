import { devicesErrors } from '@campus/devices/contract'
import type { configApi, ConfigProfile, ConfigTrial } from '@campus/devices/contract'
import { isInPlaces, placeScope } from '@campus/places/server'
import type { PlaceScope } from '@campus/places/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { configKeys } from '@kit/terminal-protocol'
import type { ConfigKey } from '@kit/terminal-protocol'
import { sql } from 'kysely'
import { z } from 'zod'
import type { DevicesCtx } from '../db.ts'
import { connecting_drivers, readModels } from '../model.queries.ts'
import { desiredOf, levelOf } from './merge.ts'
import type { Declared, ProfileFact } from './merge.ts'
import { factOf, knownKeys, readDeclared, readProfiles, settingDevices } from './profile.queries.ts'
import type { SettingDevice, WholeProfile } from './profile.queries.ts'

const Count = z.object({ device_id: z.string(), profile_id: z.string(), keys: z.number(), applied: z.number() })
type Count = z.output<typeof Count>
/** What a list of profiles is told with. */
type Known = { devices: readonly SettingDevice[]; decided: ReadonlyMap<string, string[]>; counts: readonly Count[]; models: ReadonlyMap<string, string>; names: ReadonlyMap<string, string> }

/** The settings that a model takes; without one, those that any model takes. */
export async function keysOf({ db }: DevicesCtx, model_code: string | null, device_type?: string): Promise<ConfigKey[]> {
  const models = (await readModels(db)).filter(model => connecting_drivers.includes(model.driver) && (model_code === null || model.model_code === model_code))
  const found = new Map<string, ConfigKey>()
  for (const model of models) for (const one of configKeys(model.driver, device_type ?? model.device_type)) if (!found.has(one.key)) found.set(one.key, one)
  return [...found.values()]
}

/** The form of a model, or of all. */
export async function listKeys(ctx: DevicesCtx, { model_code }: Input<typeof configApi.keys>): Promise<Reply<typeof configApi.keys>> {
  await placeScope(ctx)
  return { list: await keysOf(ctx, model_code ?? null) }
}

/** The profiles that are for something in the reader's places, or for everything. */
export async function listProfiles(ctx: DevicesCtx, { keyword, model_code, page_index, page_size }: Input<typeof configApi.list>): Promise<Reply<typeof configApi.list>> {
  const scope = await placeScope(ctx)
  const seen = (await readProfiles(ctx.db, ctx.school_id)).filter(one => one.own_device_id === null && isSeen(one, scope) && (keyword === undefined || (one.profile_name ?? '').includes(keyword)) && (model_code === undefined || one.model_code === model_code))
  const known = await knownOf(ctx)
  return { list: seen.slice((page_index - 1) * page_size, page_index * page_size).map(one => told(one, known)), total: seen.length }
}

/** One profile as it is told. @throws Refusal 404 */
export async function tellProfile(ctx: DevicesCtx, profile_id: string): Promise<{ profile: ConfigProfile }> {
  const scope = await placeScope(ctx)
  const [profile] = await readProfiles(ctx.db, ctx.school_id, { profile_id })
  if (!profile || profile.own_device_id !== null || !isSeen(profile, scope)) throw fail(commonErrors.notFound)
  return { profile: told(profile, await knownOf(ctx)) }
}

/** The devices of a profile and how many of its settings each has confirmed. @throws Refusal 404 */
export async function listTargets(ctx: DevicesCtx, { id, page_index, page_size }: Input<typeof configApi.targets>): Promise<Reply<typeof configApi.targets>> {
  await tellProfile(ctx, id)
  const scope = await placeScope(ctx)
  const { devices, decided, counts } = await knownOf(ctx)
  const own = new Set(decided.get(id))
  const of = devices.filter(device => own.has(device.device_id) && (scope === 'all' || lies(device, scope)))
  const list = of.slice((page_index - 1) * page_size, page_index * page_size).map(({ device_id, device_name, node_path_name, online }) => {
    const { keys = 0, applied = 0 } = counts.find(count => count.device_id === device_id && count.profile_id === id) ?? {}
    return { device_id, device_name, node_path_name, online, keys, applied }
  })
  return { list, total: of.length }
}

/** A profile that the caller may change: everything it is for lies in his places. Locked. @throws Refusal 404, 409 staleRow, configTrialRuns */
export async function lockProfile(ctx: DevicesCtx, profile_id: string, row_version?: number): Promise<WholeProfile> {
  const scope = await placeScope(ctx)
  const [profile] = await readProfiles(ctx.db, ctx.school_id, { profile_id, lock: true })
  const may = profile && profile.own_device_id === null && (scope === 'all' || (profile.targets.length > 0 && profile.targets.every(target => lies(target, scope))))
  if (!profile || !may) throw fail(commonErrors.notFound)
  if (row_version !== undefined && profile.row_version !== row_version) throw fail(devicesErrors.staleRow)
  if (profile.trial_state === 'waiting') throw fail(devicesErrors.configTrialRuns)
  return profile
}

/** How a trial stands, as it is told. */
export function toldTrial({ trial, trial_state, trial_text, trial_until }: WholeProfile, canary_name: string): ConfigTrial | null {
  if (trial_state === null) return null
  const is_waiting = trial_state === 'waiting'
  return { state: trial_state, text: trial_text, canary_name, until: is_waiting ? (trial_until?.toISOString() ?? null) : null, values: trial?.values ?? null }
}

async function knownOf({ db, school_id }: DevicesCtx): Promise<Known> {
  const devices = await settingDevices(db, school_id)
  const { rows } = await sql`
    select c.device_id::text as device_id, k.value ->> 'profile_id' as profile_id, count(*)::int as keys, count(*) filter (where r.state in ('applied', 'proven'))::int as applied
    from device_config c cross join lateral jsonb_each(c.desired) k
    left join sync_row r on r.school_id = c.school_id and r.device_id = c.device_id and r.kind = 'config' and r.row_key = k.key and r.want_op = 'put'
    where c.school_id = ${school_id} and k.value ->> 'profile_id' is not null group by 1, 2`.execute(db)
  const facts = (await readProfiles(db, school_id)).map(factOf)
  const decided = decidedBy(devices, facts, await readDeclared(db, school_id))
  const names = await db.selectFrom('person_label').select(['user_id', 'display_name']).where('school_id', '=', school_id).where('user_id', 'in', db.selectFrom('config_profile').select('updated_by').where('school_id', '=', school_id).$narrowType<{ updated_by: string }>()).execute()
  return { devices, decided, counts: z.array(Count).parse(rows), models: new Map((await readModels(db)).map(model => [model.model_code, model.model_name])), names: new Map(names.map(one => [one.user_id, one.display_name])) }
}

/** For which devices each profile decides something: one that is overruled in everything there has nothing to wait for. */
function decidedBy(devices: readonly SettingDevice[], facts: readonly ProfileFact[], declared: readonly Declared[]): Map<string, string[]> {
  const known = new Map<string, ReadonlySet<string>>()
  const decided = new Map<string, string[]>()
  for (const device of devices) {
    const kind = `${device.driver} ${device.device_type}`
    const keys = known.get(kind) ?? knownKeys(device)
    known.set(kind, keys)
    const ids = new Set(Object.values(desiredOf(device, facts, declared, keys)).flatMap(one => one.profile_id ?? []))
    for (const id of ids) {
      const of = decided.get(id) ?? []
      of.push(device.device_id)
      decided.set(id, of)
    }
  }
  return decided
}

function told(profile: WholeProfile, { devices, decided, counts, models, names }: Known): ConfigProfile {
  const fact = factOf(profile)
  const wanted = decided.get(profile.profile_id) ?? []
  const named = (id: 'device_id' | 'place_id') => profile.targets.flatMap(target => (target[id] === null ? [] : [{ id: target[id], name: target.name }]))
  const own = counts.filter(count => count.profile_id === profile.profile_id)
  return {
    profile_id: profile.profile_id, profile_name: profile.profile_name ?? '', model_code: profile.model_code, model_name: models.get(profile.model_code ?? '') ?? null, values: profile.config_values, secret_keys: Object.keys(profile.secret_versions),
    devices: named('device_id'), places: named('place_id'), level: levelOf(fact), devices_wanted: wanted.length, devices_applied: own.filter(count => count.applied === count.keys).length,
    trial: toldTrial(profile, devices.find(one => one.device_id === profile.canary_device_id)?.device_name ?? '已退役的设备'), updated_at: profile.updated_at.toISOString(), updated_by_name: names.get(profile.updated_by ?? '') ?? null, row_version: profile.row_version,
  }
}

function isSeen({ targets }: WholeProfile, scope: PlaceScope): boolean {
  return scope === 'all' || targets.length === 0 || targets.some(target => lies(target, scope))
}

/** What stands nowhere is for whoever sees all places. */
function lies({ node_path }: { node_path: string | null }, scope: PlaceScope): boolean {
  return scope === 'all' || (node_path !== null && isInPlaces(node_path, scope))
}

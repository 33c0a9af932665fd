import { devicesErrors } from '@campus/devices/contract'
import type { configApi, ConfigPreviewDevice } from '@campus/devices/contract'
import { isInPlaces, placeScope } from '@campus/places/server'
import { fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { configKeys } from '@kit/terminal-protocol'
import type { ConfigKey } from '@kit/terminal-protocol'
import type { DevicesCtx } from '../db.ts'
import { changedKeys, desiredOf } from './merge.ts'
import type { ProfileDraft, ProfileFact } from './merge.ts'
import { factOf, knownKeys, readDeclared, readProfiles, settingDevices } from './profile.queries.ts'
import type { SettingDevice } from './profile.queries.ts'
import { requireAim } from '../rule/rule.service.ts'

/** What a change would do at one device. */
export type Impact = { device: SettingDevice; keys: ConfigKey[] }
/** A profile as it would become; null: it would be gone. A new one has no number yet. */
type Asked = { profile_id: string | null; own_device_id: string | null; next: ProfileDraft | null }
const [shown, titles_shown] = [100, 6] as const

/** The devices at which a setting would change, with those settings; `is_dangerous`: one of them may cost the connection. */
export async function impactOf({ db, school_id }: DevicesCtx, { profile_id, own_device_id, next }: Asked): Promise<{ devices: Impact[]; is_dangerous: boolean }> {
  const facts = (await readProfiles(db, school_id)).map(factOf)
  const others = facts.filter(fact => fact.profile_id !== profile_id)
  const own: ProfileFact | undefined = next ? { ...next, profile_id: profile_id ?? 'new', name: null, own_device_id, trial: null, canary_device_id: null } : undefined
  const declared = await readDeclared(db, school_id)
  const devices = (await settingDevices(db, school_id)).flatMap((device): Impact[] => {
    const known = knownKeys(device)
    const keys = new Set(changedKeys(desiredOf(device, facts, declared, known), desiredOf(device, own ? [...others, own] : others, declared, known)))
    return keys.size === 0 ? [] : [{ device, keys: configKeys(device.driver, device.device_type).filter(one => keys.has(one.key)) }]
  })
  return { devices, is_dangerous: devices.some(one => one.keys.some(key => key.is_dangerous)) }
}

/** Devices × changed settings of a draft, and who may try it where it is dangerous (chapter 30 §5). @throws Refusal 404 for devices and places out of sight */
export async function previewConfig(ctx: DevicesCtx, { profile_id, model_code, device_ids, place_ids, values, secrets }: Input<typeof configApi.preview>): Promise<Reply<typeof configApi.preview>> {
  await requireAim(ctx, { device_ids, place_ids })
  const scope = await placeScope(ctx)
  const [held] = profile_id === undefined ? [] : await readProfiles(ctx.db, ctx.school_id, { profile_id })
  const versions = Object.fromEntries(Object.entries(secrets).map(([key, sent]) => [key, sent === true ? (held?.secret_versions[key] ?? '') : 'new']))
  const { devices, is_dangerous } = await impactOf(ctx, { profile_id: profile_id ?? null, own_device_id: null, next: { model_code, device_ids, place_ids, values, versions } })
  const seen = devices.filter(({ device }) => scope === 'all' || (device.node_path !== null && isInPlaces(device.node_path, scope)))
  return { devices: seen.slice(0, shown).map(told), more: Math.max(0, seen.length - shown), is_dangerous, canaries: canariesOf(seen).map(({ device }) => ({ id: device.device_id, name: device.device_name })) }
}

/** The device that tries a dangerous change. @throws Refusal 409 configCanaryOffline, 422 configCanary, configCanaryAim */
export function requireCanary(devices: readonly Impact[], canary_device_id: string | undefined): string {
  if (canary_device_id === undefined) throw fail(devicesErrors.configCanary)
  const canary = devices.find(one => one.device.device_id === canary_device_id && isDangerous(one))
  if (!canary) throw fail(devicesErrors.configCanaryAim)
  if (!canary.device.online) throw fail(devicesErrors.configCanaryOffline)
  return canary_device_id
}

function canariesOf(devices: readonly Impact[]): Impact[] {
  return devices.filter(one => one.device.online && isDangerous(one))
}

function isDangerous({ keys }: Impact): boolean {
  return keys.some(key => key.is_dangerous)
}

function told({ device: { device_id, device_name, node_path_name, online }, keys }: Impact): ConfigPreviewDevice {
  const effects = keys.map(key => key.effect)
  return { device_id, device_name, node_path_name, online, keys: keys.length, titles: keys.slice(0, titles_shown).map(key => key.title), effect: effects.includes('restart') ? 'restart' : effects.includes('reconnect') ? 'reconnect' : 'none' }
}

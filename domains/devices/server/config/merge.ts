import type { ConfigSource, ConfigValue } from '@campus/devices/contract'
import { rowHash } from '@kit/terminal-protocol'

/** Settings and whom they are for. `versions`: of each secret one, which says nothing of it. */
export type ProfileDraft = { model_code: string | null; device_ids: readonly string[]; place_ids: readonly string[]; values: Readonly<Record<string, ConfigValue>>; versions: Readonly<Record<string, string>> }
/** A profile as it is merged; `trial`: what it becomes once its canary has come back with it, which has it already. */
export type ProfileFact = ProfileDraft & { profile_id: string; name: string | null; own_device_id: string | null; trial: ProfileDraft | null; canary_device_id: string | null }
/** What another domain has decided; no place: for the whole school. */
export type Declared = { source: string; key: string; place_id: string | null; value: ConfigValue }
/** A device and the places it stands in, the widest first. */
export type ConfigDevice = { device_id: string; model_code: string; above: readonly string[] }
/** What a device is to have under a key: a value, or the version of a secret. */
export type Desired = { value: ConfigValue | null; version?: string; source: ConfigSource; name: string | null; profile_id: string | null; is_trial?: true }

type Layer = { source: ConfigSource; rank: number }
const levels = { device: 4000, place: 3000, model: 2000, school: 1000 } as const
const declared_names: Readonly<Record<string, string>> = { health: '健康管理' }

/** Everything a device is to have, by key: the most specific source wins (device, nearest place, model, school); pure. `known`: the settings that it takes. */
export function desiredOf(device: ConfigDevice, profiles: readonly ProfileFact[], declared: readonly Declared[], known: ReadonlySet<string>): Record<string, Desired> {
  const found = new Map<string, Desired & { rank: number }>()
  const offer = (key: string, one: Desired & { rank: number }) => {
    const before = found.get(key)
    if (known.has(key) && (!before || before.rank < one.rank)) found.set(key, one)
  }
  for (const profile of profiles) {
    const is_trial = profile.trial !== null && profile.canary_device_id === device.device_id
    const draft = is_trial && profile.trial ? profile.trial : profile
    const layer = layerOf(draft, profile.own_device_id, device)
    if (!layer) continue
    const from = { ...layer, name: profile.name, profile_id: profile.profile_id, ...(is_trial ? { is_trial } : {}) } as const
    for (const [key, value] of Object.entries(draft.values)) offer(key, { ...from, value })
    for (const [key, version] of Object.entries(draft.versions)) offer(key, { ...from, value: null, version })
  }
  for (const { key, place_id, value, source } of declared) {
    const depth = place_id === null ? 0 : device.above.indexOf(place_id) + 1
    // What another domain decides goes before what the school has set for everybody.
    if (place_id === null || depth > 0) offer(key, { value, source: 'school', rank: levels.school + 100 + depth, name: declared_names[source] ?? source, profile_id: null })
  }
  return Object.fromEntries([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, { rank: _rank, ...one }]) => [key, one]))
}

/** How specifically a draft is for a device; undefined when it is not. What names a model goes before what names none at the same height. */
function layerOf({ model_code, device_ids, place_ids }: Pick<ProfileDraft, 'model_code' | 'device_ids' | 'place_ids'>, own_device_id: string | null, device: ConfigDevice): Layer | undefined {
  if (own_device_id !== null) return own_device_id === device.device_id ? { source: 'device', rank: levels.device + 1000 } : undefined
  if (model_code !== null && model_code !== device.model_code) return undefined
  const of_model = model_code === null ? 0 : 1
  if (device_ids.includes(device.device_id)) return { source: 'device', rank: levels.device + of_model }
  const depth = Math.max(...place_ids.map(place_id => device.above.indexOf(place_id)), -1)
  if (depth >= 0) return { source: 'place', rank: levels.place + depth * 2 + of_model }
  if (device_ids.length + place_ids.length > 0) return undefined
  return model_code === null ? { source: 'school', rank: levels.school } : { source: 'model', rank: levels.model }
}

/** The level of a draft, as people see it. */
export function levelOf({ model_code, device_ids, place_ids }: Pick<ProfileDraft, 'model_code' | 'device_ids' | 'place_ids'>): ConfigSource {
  if (device_ids.length > 0) return 'device'
  if (place_ids.length > 0) return 'place'
  return model_code === null ? 'school' : 'model'
}

/** The hash of a setting at a device: of its content, or of a secret's version, which tells nothing of it. */
export function settingHash(key: string, { value, version }: Pick<Desired, 'value' | 'version'>): string {
  return rowHash(version === undefined ? { key, value } : { key, version })
}

/** Keys that differ between two sets of settings. */
export function changedKeys(before: Readonly<Record<string, Desired>>, after: Readonly<Record<string, Desired>>): string[] {
  const hash = (one: Desired | undefined, key: string) => (one ? settingHash(key, one) : '')
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(key => hash(before[key], key) !== hash(after[key], key))
}

/** Of these devices, the ids of those that any of the drafts is for. */
export function followers(devices: readonly ConfigDevice[], drafts: readonly (Pick<ProfileDraft, 'model_code' | 'device_ids' | 'place_ids'> & { own_device_id: string | null })[]): string[] {
  return devices.filter(device => drafts.some(draft => layerOf(draft, draft.own_device_id, device))).map(device => device.device_id)
}

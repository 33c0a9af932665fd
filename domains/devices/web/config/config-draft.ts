import type { ConfigKey, ConfigProfile, ConfigValue } from '@campus/devices/contract'

/** What stands in the form: settings by name, of secrets what was typed; empty is not decided. */
export type ProfileValues = { profile_name: string; model_code: string | null; place_ids: string[]; device_ids: string[]; canary_device_id?: string; values: Record<string, ConfigValue | null | undefined> }

/** The form as it opens. `tried`: goes on with what a trial has refused. */
export function profileValues(profile: ConfigProfile | null, is_copy: boolean, tried: boolean): Partial<ProfileValues> {
  if (!profile) return { model_code: null, place_ids: [], device_ids: [], values: {} }
  const values = tried ? (profile.trial?.values ?? {}) : profile.values
  return { profile_name: is_copy ? `${profile.profile_name}-副本`.slice(0, 30) : profile.profile_name, model_code: profile.model_code, place_ids: profile.places.map(one => one.id), device_ids: profile.devices.map(one => one.id), values: { ...values } }
}

/** Settings of a form as they are sent: what is empty is not decided; a secret that was not typed is kept where there is one. */
export function settingsOf(values: ProfileValues['values'] | undefined, keys: readonly ConfigKey[], kept: readonly string[]): { values: Record<string, ConfigValue>; secrets: Record<string, string | true> } {
  const sent: { values: Record<string, ConfigValue>; secrets: Record<string, string | true> } = { values: {}, secrets: {} }
  for (const { key, kind } of keys) {
    const value = values?.[key]
    const is_empty = value === undefined || value === null || value === ''
    if (kind === 'secret') {
      if (!is_empty) sent.secrets[key] = String(value)
      else if (kept.includes(key)) sent.secrets[key] = true
    } else if (!is_empty) sent.values[key] = value
  }
  return sent
}

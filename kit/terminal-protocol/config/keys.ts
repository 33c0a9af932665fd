import { setting_fields } from '../jdev/setting-fields.ts'
import { reconnects, restarts } from '../vf105/config.ts'
import { config_fields, time_zones } from '../vf105/config-fields.ts'
import type { ConfigField, ConfigFields } from './field.ts'
import { config_words } from './words.ts'
import type { ConfigSection, ConfigWord } from './words.ts'

export type ConfigValue = number | string
/** A setting that a kind of device takes. `effect`: what the device does of itself once it has taken it. */
export type ConfigKey = {
  key: string
  section: ConfigSection
  title: string
  kind: 'number' | 'choice' | 'text' | 'secret'
  initial: ConfigValue
  least?: number
  most?: number
  decimals?: number
  choices?: { value: ConfigValue; label: string }[]
  is_needed?: true
  unit?: string
  /** the value counts tenths of the unit: 373 is told as 37.3 */
  is_tenths?: true
  hint?: string
  effect: 'none' | 'reconnect' | 'restart'
  is_dangerous: boolean
  is_declared: boolean
}

const fields: Readonly<Record<string, ConfigFields>> = { jdev: setting_fields, vf105: config_fields }

/** Every setting that a kind of device takes, in the order of the form; none of hardware that is not configured from here. */
export function configKeys(driver: string, device_type: string): ConfigKey[] {
  const of = fields[driver]
  if (!of) return []
  return config_words.flatMap(word => {
    const [group = '', name = ''] = word.key.split('.')
    const field = of[group]?.[name]
    const is_its_own = driver !== 'jdev' || word.types === undefined || word.types.includes(device_type)
    return field && is_its_own && !Array.isArray(field.initial) ? [keyOf(driver === 'jdev' ? ownWord(word) : word, field)] : []
  })
}

/** Of our own devices nobody need look up a manual. */
function ownWord({ own_labels, hint, ...word }: ConfigWord): ConfigWord {
  if (own_labels) return { ...word, labels: own_labels }
  return hint === undefined ? word : { ...word, hint }
}

function keyOf({ key, section, title, labels = {}, unit, is_tenths, hint, danger, declared }: ConfigWord, { initial, least, most, decimals = 0, values, is_needed, is_secret }: ConfigField): ConfigKey {
  const offered = key === 'ntp.timeZone' ? time_zones : values
  const choices = offered?.map(value => ({ value, label: labels[String(value)] ?? String(value) }))
  const kind = is_secret ? 'secret' : choices ? 'choice' : typeof initial === 'number' ? 'number' : 'text'
  return {
    key, section, title, kind, initial: typeof initial === 'number' ? initial : String(initial), effect: effectOf(key, danger === true), is_dangerous: danger === true, is_declared: declared === true,
    ...(kind === 'number' ? { decimals, ...(least === undefined ? {} : { least }), ...(most === undefined ? {} : { most }) } : {}),
    ...(choices ? { choices } : {}), ...(is_needed ? { is_needed } : {}), ...(unit === undefined ? {} : { unit }), ...(is_tenths ? { is_tenths } : {}), ...(hint === undefined ? {} : { hint }),
  }
}

/** What a device does of itself: `access.verifyMode` restarts only to and from several people, which is said of every change of it. */
function effectOf(key: string, danger: boolean): ConfigKey['effect'] {
  if (restarts(key, 0, 1)) return 'restart'
  return danger || reconnects(key) ? 'reconnect' : 'none'
}

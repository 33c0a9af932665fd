import { z } from 'zod'
import type { ConfigValue } from './keys.ts'

const Groups = z.record(z.string(), z.record(z.string(), z.unknown()))
const Value = z.union([z.number(), z.string().max(500)])
const most_fields = 500

/** What a device has said of its settings, by `group.field`; what is no plain value is left out. */
export function flatConfig(said: unknown): Record<string, ConfigValue> {
  const groups = Groups.safeParse(said).data ?? {}
  const found = Object.entries(groups).flatMap(([group, fields]) => Object.entries(fields).flatMap(([name, value]) => {
    const read = Value.safeParse(value)
    return read.success ? [[`${group}.${name}`, read.data] as const] : []
  }))
  return Object.fromEntries(found.slice(0, most_fields))
}

/** One setting as it goes to a device. */
export function configBody(key: string, value: ConfigValue): { group: string; values: Record<string, ConfigValue> } {
  const [group = '', name = ''] = key.split('.')
  return { group, values: { [name]: value } }
}

import { z } from 'zod'
import type { PageSearch } from '../page/page-context.ts'

/** Most filters kept for one list. */
export const most_saved = 20

const Saved = z.array(z.object({ name: z.string().min(1).max(20), values: z.record(z.string(), z.string()), is_default: z.boolean() })).max(most_saved)

/** Filters of a list under a name of the person's own; the default one is set whenever the list is opened without any. */
export type SavedFilter = { name: string; values: PageSearch; is_default: boolean }

/** What is kept, or nothing where it cannot be read. */
export function readSaved(value: unknown): SavedFilter[] {
  const { data } = Saved.safeParse(value)
  return data ?? []
}

/** Keeps the filters under a name; the same name is written anew and stays what it was. */
export function withSaved(list: readonly SavedFilter[], name: string, values: PageSearch): SavedFilter[] {
  const known = list.find(one => one.name === name)
  const next = { name, values, is_default: known?.is_default ?? false }
  return known ? list.map(one => (one === known ? next : one)) : [...list, next]
}

/** Makes one the default, or none when it was. */
export function withDefault(list: readonly SavedFilter[], name: string): SavedFilter[] {
  return list.map(one => ({ ...one, is_default: one.name === name && !one.is_default }))
}

/** The list without one of them. */
export function withoutSaved(list: readonly SavedFilter[], name: string): SavedFilter[] {
  return list.filter(one => one.name !== name)
}

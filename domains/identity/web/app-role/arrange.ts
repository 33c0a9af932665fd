import type { AppModuleCode } from '@campus/identity/contract'

/** A module of an arrangement; its place is its place in the list. */
type Placed = { module_code: AppModuleCode; visible: boolean }
export type Arrangement = readonly Placed[]

/** Puts a module at a place: one that is there moves, a new one comes in. A place beyond the end is the end. */
export function placedAt(all: Arrangement, module_code: AppModuleCode, at: number): Arrangement {
  const one = all.find(placed => placed.module_code === module_code) ?? { module_code, visible: true }
  const rest = all.filter(placed => placed.module_code !== module_code)
  const place = Math.max(0, Math.min(at, rest.length))
  return [...rest.slice(0, place), one, ...rest.slice(place)]
}

/** Takes a module out. */
export function without(all: Arrangement, module_code: AppModuleCode): Arrangement {
  return all.filter(placed => placed.module_code !== module_code)
}

/** Hides a module at its place, or shows it again. */
export function turned(all: Arrangement, module_code: AppModuleCode): Arrangement {
  return all.map(placed => (placed.module_code === module_code ? { ...placed, visible: !placed.visible } : placed))
}

/** Whether two arrangements are the same. */
export function isSame(a: Arrangement, b: Arrangement): boolean {
  return a.length === b.length && a.every((placed, at) => placed.module_code === b[at]?.module_code && placed.visible === b[at]?.visible)
}

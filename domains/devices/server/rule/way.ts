import type { PreviewDevice } from '@campus/devices/contract'

/** A device that a rule may be for. */
export type RuleDevice = { device_id: string; device_name: string; device_type: string; lifecycle: string; driver: string; capabilities: unknown; online: boolean; node_path: string | null; node_path_name: string | null; place_kind: number | null }
export type RuleKind = 1 | 2 | 3

/** What a rule of a place is for, by kind of rule: doors; what shows or plays; screens. What is named by itself is taken at its word. */
const types_of_place: Readonly<Record<RuleKind, readonly string[]>> = { 1: ['01', '02', '04', '12', '19'], 2: ['03', '20', '21'], 3: ['01', '03', '12', '21'] }
const wanted_capability = { 1: 'door_schedule', 2: 'power', 3: 'sleep' } as const
const [door, close] = [1, 2] as const
const gate_place = 9
const gate_types: readonly string[] = ['01', '02']

/** Is a rule of a place for a device that stands there? */
export function isForPlace(kind: RuleKind, { device_type }: Pick<RuleDevice, 'device_type'>): boolean {
  return types_of_place[kind].includes(device_type)
}

/**
 * How a device comes to follow a rule: by the rule itself, by its permissions, or not at all; `gate`: it lets people into the school and is never switched
 * off (chapter 30 rules 18 and 19).
 */
export function wayOf(kind: RuleKind, { device_type, driver, capabilities, place_kind }: Pick<RuleDevice, 'device_type' | 'driver' | 'capabilities' | 'place_kind'>): PreviewDevice['way'] {
  if (kind === close && gate_types.includes(device_type) && place_kind === gate_place) return 'gate'
  if (kind === door && !isForPlace(door, { device_type })) return 'unsupported'
  if (kind === door && driver === 'vf105') return 'permissions'
  return driver === 'jdev' && can(capabilities, wanted_capability[kind]) ? 'rule' : 'unsupported'
}

function can(capabilities: unknown, name: string): boolean {
  return typeof capabilities === 'object' && capabilities !== null && new Map<string, unknown>(Object.entries(capabilities)).get(name) === true
}

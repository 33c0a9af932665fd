import type { PlaceGenerator } from '@campus/places/contract'

/** A floor with its rooms as a generator names them. */
export type PlannedFloor = { floor_name: string; rooms: readonly string[] }
type Plan = Pick<PlaceGenerator, 'from_floor' | 'floors' | 'per_floor' | 'name_pattern'> & { building: string }

/**
 * Names of floors and rooms (chapter 30 §4): `{building}` and `{floor}` stand for themselves, `{nn}` for the number of the room in two digits,
 * `{n}` for the plain number.
 */
export function planFloors({ building, from_floor, floors, per_floor, name_pattern }: Plan): PlannedFloor[] {
  const up = Array.from({ length: floors }, (_, at) => from_floor + at)
  const numbers = Array.from({ length: per_floor }, (_, at) => at + 1)
  return up.map(floor => ({
    floor_name: `${floor}层`,
    rooms: numbers.map(n =>
      name_pattern.replaceAll('{building}', building).replaceAll('{floor}', String(floor)).replaceAll('{nn}', String(n).padStart(2, '0')).replaceAll('{n}', String(n)),
    ),
  }))
}

import { camera_type, watching_types } from '@campus/devices/contract'
import { classroom_kinds } from '@campus/places/contract'

type Thing = { device_id: string; device_name: string; device_type: string; /** where it stands already */ place_id: string | null }
type Spot = { place_id: string; place_kind: number; place_name: string; private_zone: boolean }

const [gate, office, dormitory_room, canteen, window, library, parking, machine_room, watch_room, other] = [9, 7, 11, 12, 13, 14, 20, 19, 27, 99] as const
/** Kinds of places that kinds of devices are made for; others go anywhere. */
const suits: Readonly<Record<string, readonly number[]>> = {
  '01': [gate, canteen, library, office], '02': [gate, library], '03': classroom_kinds, '07': [watch_room, machine_room], '10': [window, canteen], '12': [gate], '15': [watch_room, machine_room], '18': [window, canteen], '19': [dormitory_room], '22': [parking, gate],
  '25': [library], '99': [other],
}

/**
 * Which place suits which device (chapter 30 rule 22): of its kind, without one like it (`taken`: "type place"), not private for what watches people. A place that the device's name
 * names goes before every other, then the place where it stands; else places go in their order, each once for a kind of device.
 */
export function suitDevices(things: readonly Thing[], spots: readonly Spot[], taken: ReadonlySet<string>, purpose: 'device' | 'camera'): { device_id: string; place_id: string }[] {
  const gone = new Set(taken)
  return things.flatMap(thing => {
    const kind = purpose === 'camera' ? camera_type : thing.device_type
    const free = spots.filter(spot => !gone.has(`${kind} ${spot.place_id}`) && !(watching_types.includes(kind) && spot.private_zone))
    const best = free.find(spot => spot.place_id === thing.place_id) ?? free.find(spot => thing.device_name.includes(spot.place_name)) ?? free.find(spot => suits[kind]?.includes(spot.place_kind))
    if (!best) return []
    gone.add(`${kind} ${best.place_id}`)
    return [{ device_id: thing.device_id, place_id: best.place_id }]
  })
}
